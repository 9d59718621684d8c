from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.effort.work_intervals import CUTOFFS_MS, Pause, Stretch, active_spans, credited

HOUR = 3_600_000
MINUTE = 60_000


def active(stretch: Stretch, cutoff_ms: int) -> int:
    return sum(end - begin for begin, end in active_spans(stretch, cutoff_ms=cutoff_ms))


def test_a_lunch_break_counts_up_to_the_cut_off_whichever_it_is() -> None:
    lunch = Stretch("a", 0, 2 * MINUTE + HOUR, pauses=(Pause(MINUTE, HOUR),))
    assert [active(lunch, cutoff) for cutoff in CUTOFFS_MS] == [150_000, 180_000, 240_000, 420_000]


def test_a_pause_that_began_in_the_stretch_before_is_not_given_a_second_cut_off() -> None:
    before = Stretch("a", 0, 10_000, pauses=(Pause(4_000, 6_000),))
    after = Stretch("b", 10_000, HOUR, pauses=(Pause(0, HOUR, since_ms=6_000),))
    for cutoff in CUTOFFS_MS:
        assert active(before, cutoff) + active(after, cutoff) == 4_000 + cutoff


def test_time_away_is_never_active_under_any_cut_off() -> None:
    away = Stretch("a", 0, HOUR, hidden=((MINUTE, HOUR // 2),), waiting=((HOUR // 2, HOUR // 2 + 5_000),))
    assert {active(away, cutoff) for cutoff in CUTOFFS_MS} == {HOUR - (HOUR // 2 - MINUTE) - 5_000}
    credit = credited([away])["a"]
    assert (credit.hidden_ms, credit.waiting_ms, credit.idle_ms) == (HOUR // 2 - MINUTE, 5_000, 0)


def test_an_instant_in_two_tabs_counts_once_and_the_earlier_tab_has_it() -> None:
    credit = credited([Stretch("b", 30_000, 60_000), Stretch("a", 0, 60_000)])
    assert (credit["a"].active_ms, credit["b"].active_ms) == (60_000, 30_000)
    assert credit["b"].share == 0.5


def test_work_in_one_tab_goes_before_idling_in_another_that_was_opened_first() -> None:
    idle = Stretch("a", 0, HOUR, pauses=(Pause(0, HOUR),))
    busy = Stretch("b", HOUR // 2, MINUTE)
    credit = credited([idle, busy])
    assert credit["b"].active_ms == MINUTE
    assert credit["a"].active_ms == 120_000
    assert credit["a"].idle_ms == HOUR - 120_000 - MINUTE


def test_work_before_the_table_was_there_does_not_count() -> None:
    assert active(Stretch("a", 0, 60_000, earliest_ms=45_000), 120_000) == 15_000


def test_a_stretch_without_known_pauses_counts_the_same_under_every_cut_off() -> None:
    old = Stretch("a", 0, HOUR, active_ms=200_000)
    assert {active(old, cutoff) for cutoff in CUTOFFS_MS} == {200_000}


@st.composite
def stretches(draw: st.DrawFn) -> list[Stretch]:
    found = []
    for number in range(draw(st.integers(1, 8))):
        elapsed = draw(st.integers(0, 1_000))
        marks = sorted(draw(st.lists(st.integers(0, elapsed), min_size=6, max_size=6)))
        pause = Pause(marks[0], marks[1] - marks[0], draw(st.integers(0, 300)))
        spans = ((marks[2], marks[3]),), ((marks[4], marks[5]),)
        found.append(Stretch(str(number), draw(st.integers(0, 3_000)), elapsed, (pause,), *spans))
    return found


@given(stretches(), st.integers(0, 400))
def test_sums_agree_with_counting_each_millisecond(several: list[Stretch], cutoff: int) -> None:
    counted: dict[int, int] = {}
    order = {"active": 0, "waiting": 1, "idle": 2, "hidden": 3}
    for one in several:
        for at in range(one.elapsed_ms):
            if any(begin <= at < end for begin, end in one.hidden):
                kind = "hidden"
            elif any(begin <= at < end for begin, end in one.waiting):
                kind = "waiting"
            elif any(p.at_ms <= at < p.at_ms + p.length_ms and p.since_ms + at - p.at_ms >= cutoff for p in one.pauses):
                kind = "idle"
            else:
                kind = "active"
            instant = one.began_ms + at
            counted[instant] = min(order[kind], counted.get(instant, 9))
    credit = credited(several, cutoff_ms=cutoff).values()
    sums = [sum(getattr(one, f"{kind}_ms") for one in credit) for kind in order]
    assert sums == [sum(kind == number for kind in counted.values()) for number in order.values()]


@pytest.mark.parametrize("cutoff", CUTOFFS_MS)
def test_a_night_before_an_open_table_is_one_cut_off(cutoff: int) -> None:
    night = Stretch("a", 0, 10 * HOUR, pauses=(Pause(0, 10 * HOUR),))
    assert active(night, cutoff) == cutoff
