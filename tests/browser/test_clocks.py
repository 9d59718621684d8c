"""The timer and the recorder of activity under clocks that the tests set, in the browser that will run them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from scoring.effort.work_intervals import CUTOFF_MS, CUTOFFS_MS, SHORTEST_CUTOFF_MS
from store.activity import Activity, Recorded
from store.work_time import credits_of

pytestmark = pytest.mark.browser

Run = Callable[..., Any]

# A recorder over a clock of our own: `go(ms)` lets time pass, `act()` is an input, `entries` what it emitted.
RECORDER = """
const { watchActivity } = await import("/activity.js");
const { createClock } = await import("/clock.js");
const { drawer } = await import("/outbox.js");
const time = { tick: 1_000, date: Date.UTC(2030, 2, 4, 9) };
const clock = createClock(() => time.tick, () => time.date);
const go = (ms) => { time.tick += ms; time.date += ms; };
const act = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "x" }));
const entries = [];
const gaps = [];
localStorage.clear();
// The lock of the counting tab comes and goes in a moment; where it never does, the test fails by what it counts.
async function settle(held, pending) {
  for (let tries = 0; tries < 400; tries += 1) {
    const now = await navigator.locks.query();
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (now.held.length === held && now.pending.length === pending) return;
  }
}
await settle(0, 0);
async function watch(options = {}, waiting = 0) {
  const usual = { storage: localStorage, person: "ann", gold: 1, client: "tab", timed: true, loaded: 0, spent: 0 };
  const told = { emit: (entry) => entries.push(entry), returned: (ms) => gaps.push(ms) };
  const state = { edited: false, reopened: false, reading: false };
  const made = watchActivity({ ...usual, ...told, ...state, clock, ...options });
  await settle(1, waiting);
  return made;
}
const records = () => entries.map(({ record }) => record).filter(Boolean);
const sums = (name) => records().reduce((sum, record) => sum + record[name], 0);
"""


@pytest.fixture(scope="module")
def run(chromium: Browser, modules: str) -> Iterator[Run]:
    with chromium.new_page() as page:
        page.goto(modules)
        yield lambda script, argument=None: page.evaluate("async (argument) => {" + script + "}", argument)


def counted(records: list[dict[str, Any]], cutoff_ms: int = CUTOFF_MS) -> int:
    """What the server would count of them."""
    read = [Activity.from_json(record) for record in records]
    stored = [Recorded(1, "ann", one.started_ms, one, 0) for one in read]
    return sum(credit.active_ms for credit in credits_of(stored, cutoff_ms=cutoff_ms).values())


def test_browser_and_server_agree_on_cut_off_and_shortest_pause(run: Run) -> None:
    script = 'const { CUTOFF_MS, QUIET_MS } = await import("/timer.js"); return [CUTOFF_MS, QUIET_MS];'
    assert run(script) == [CUTOFF_MS, SHORTEST_CUTOFF_MS]


def test_a_gap_counts_as_active_up_to_the_cut_off_and_as_idle_beyond(run: Run) -> None:
    script = """
    const { createTimer } = await import("/timer.js");
    const timer = createTimer(0);
    timer.run(0, true);
    timer.cell(0, "r\\nc");
    timer.input(4_000);
    timer.input(10_000);
    const gap = timer.input(610_000);
    return [gap, timer.drain(615_000)];
    """
    gap, drained = run(script)
    assert gap == 600_000
    assert drained == {
        "active_ms": 10_000 + 120_000 + 5_000,
        "idle_ms": 480_000,
        "hidden_ms": 0,
        "waiting_ms": 0,
        "pauses": [[4_000, 6_000, 0, "r\nc"], [10_000, 600_000, 0, "r\nc"]],
        "away": [],
        "cells": [["r\nc", 615_000]],
    }


def test_time_away_from_the_tab_is_hidden_and_never_active(run: Run) -> None:
    script = """
    const { createTimer } = await import("/timer.js");
    const timer = createTimer(1_000);
    timer.run(3_000, true);
    timer.input(5_000);
    timer.run(8_000, false);
    timer.input(9_000);
    timer.run(98_000, true);
    const { active_ms, idle_ms, hidden_ms, away } = timer.drain(99_000);
    return [active_ms, idle_ms, hidden_ms, away];
    """
    away = [[0, 2_000, "hidden"], [7_000, 90_000, "hidden"]]
    assert run(script) == [2_000 + 3_000 + 1_000, 0, 2_000 + 90_000, away]


def test_waiting_for_the_server_is_no_time_of_the_person(run: Run) -> None:
    script = """
    const { createTimer } = await import("/timer.js");
    const timer = createTimer(0);
    timer.run(0, true);
    timer.wait(2_000, true);
    timer.input(4_000);
    timer.wait(9_000, false);
    const { active_ms, waiting_ms, away } = timer.drain(10_000);
    return [active_ms, waiting_ms, away];
    """
    assert run(script) == [3_000, 7_000, [[2_000, 7_000, "waiting"]]]


def test_any_cut_off_can_be_had_from_what_is_drained_at_any_moment(run: Run) -> None:
    script = """
    const { createTimer, CUTOFF_MS } = await import("/timer.js");
    let state = argument;
    const random = (below) => (state = (state * 48271) % 2147483647) % below;
    const timer = createTimer(0);
    const cutoffs = [5_000, 30_000, 60_000, 120_000, 300_000];
    const expected = Object.fromEntries(cutoffs.map((cutoff) => [cutoff, 0]));
    const parts = [];
    let [now, last, on, begun] = [0, 0, true, 0];
    const end = () => {
      if (on) for (const cutoff of cutoffs) expected[cutoff] += Math.min(now - last, cutoff);
      last = now;
    };
    const drain = () => { parts.push({ started: begun, ...timer.drain(now) }); begun = now; };
    timer.run(0, true);
    timer.cell(0, "r\\nx");
    for (let event = 0; event < 200; event += 1) {
      now += random(4) ? random(20_000) : random(500_000);
      const what = random(6);
      if (what < 3) { if (on) end(); timer.input(now); }
      else if (what === 3) drain();
      else if (what === 4) timer.cell(now, `r\\nc${random(3)}`);
      else { end(); on = !on; timer.run(now, on); }
    }
    end();
    timer.input(now);
    drain();
    return [expected, parts, timer.total(now), now];
    """
    for seed in range(1, 21):
        expected, parts, total, now = run(script, seed)
        records = []
        for number, part in enumerate(parts):
            pauses = [[at, ms, since, *(cell or "\n").split("\n")] for at, ms, since, cell in part["pauses"]]
            cells = [[*key.split("\n"), ms] for key, ms in part["cells"]]
            started = f"2030-03-04T{part['started'] // 3_600_000:02}:"
            started += f"{part['started'] // 60_000 % 60:02}:{part['started'] % 60_000 / 1000:06.3f}Z"
            part |= {"id": str(number), "client": "tab", "phase": "correction", "started": started}
            records.append({**part, "pauses": pauses, "cells": cells})
        assert total == expected["120000"]
        assert sum(Activity.from_json(record).elapsed_ms for record in records) == now
        for cutoff, active in expected.items():
            assert counted(records, int(cutoff)) == active


def test_a_lunch_break_at_the_screen_is_recorded_as_it_was(run: Run) -> None:
    script = (
        RECORDER
        + "const it = await watch(); go(60_000); act(); go(3_600_000); act(); go(1_000); "
        + "it.close(); return [records(), gaps];"
    )
    records, gaps = run(script)
    assert [counted(records, cutoff) for cutoff in CUTOFFS_MS] == [61_000, 121_000, 181_000, 361_000]
    assert gaps == [3_600_000]


def test_a_laptop_asleep_counts_nothing_where_its_monotonic_clock_stood_still(run: Run) -> None:
    script = (
        RECORDER
        + """
    const it = await watch();
    go(10_000); act();
    time.date += 8 * 3_600_000; // asleep
    go(2_000); act(); go(5_000);
    it.close();
    return records();
    """
    )
    records = run(script)
    assert counted(records) == 17_000
    # None lies over the sleep: each begins where it was.
    assert [record["started"] for record in records] == ["2030-03-04T09:00:00.000Z", "2030-03-04T17:00:12.000Z"]


def test_a_laptop_asleep_counts_up_to_the_cut_off_where_its_monotonic_clock_went_on(run: Run) -> None:
    script = (
        RECORDER
        + "const it = await watch(); go(10_000); act(); go(8 * 3_600_000); act(); it.close(); return records();"
    )
    assert counted(run(script)) == 10_000 + CUTOFF_MS


def test_a_clock_set_back_makes_no_stretch_overlap_the_one_before(run: Run) -> None:
    script = (
        RECORDER
        + """
    const it = await watch();
    go(30_000); act(); it.finish();
    time.date -= 3_600_000;
    for (const _ of "12") { go(30_000); act(); it.finish(); }
    it.close();
    return records();
    """
    )
    records = run(script)
    assert counted(records) == 90_000
    assert [record["started"][11:19] for record in records] == ["09:00:00", "09:00:30", "09:01:00"]


def test_of_two_tabs_of_one_person_only_one_counts(run: Run) -> None:
    script = (
        RECORDER
        + """
    const first = await watch();
    const second = await watch({ gold: 2, client: "tab 2" }, 1);
    go(60_000); act();
    first.close();
    await settle(1, 0);
    go(30_000); act();
    second.close();
    return records().map(({ client, active_ms }) => [client, active_ms]);
    """
    )
    assert run(script) == [["tab", 60_000], ["tab 2", 30_000]]


def test_a_tab_that_crashed_leaves_its_stretch_to_the_next_visit(run: Run) -> None:
    script = (
        RECORDER
        + """
    const left = { id: "left", client: "old tab", phase: "verification", active_ms: 40_000 };
    const journal = drawer(localStorage, "stretch", "ann", 1);
    journal.put("left", { updated: Date.now() - 600_000, record: left });
    journal.put("live", { updated: Date.now(), record: { ...left, id: "live" } });
    const it = await watch();
    it.close();
    await settle(0, 0);
    const again = await watch();
    again.close();
    return records().map(({ id }) => id);
    """
    )
    assert run(script) == ["left"], "one that is not old may be another tab's, which still has it"


def test_phases_follow_edits_and_looking_at_an_accepted_table_is_none(run: Run) -> None:
    script = (
        RECORDER
        + """
    const it = await watch();
    go(10_000); act(); it.edit();
    go(20_000); act(); it.edit();
    go(30_000); act(); it.finish();
    it.accepted();
    go(40_000); act();
    it.reopen();
    const total = it.total();
    go(50_000); act();
    const since = it.edit();
    it.close();
    return [records().map(({ phase, active_ms }) => [phase, active_ms]), total, since];
    """
    )
    phases, total, since = run(script)
    assert phases == [
        ["orientation", 10_000],
        ["correction", 20_000],
        ["verification", 30_000],
        ["reopening", 50_000],
    ]
    assert (total, since) == (60_000, 50_000), "draft, accept and reopen add up once"


def test_a_tab_left_open_over_night_makes_one_record_of_it(run: Run) -> None:
    script = (
        RECORDER
        + "const it = await watch(); go(5_000); act(); go(12 * 3_600_000); act(); go(1_000); "
        + "it.close(); return records();"
    )
    (record,) = run(script)
    assert counted([record]) == 5_000 + CUTOFF_MS + 1_000
    assert (record["active_ms"], record["idle_ms"]) == (5_000 + CUTOFF_MS + 1_000, 12 * 3_600_000 - CUTOFF_MS)


def test_a_table_that_only_lies_open_makes_no_more_records(run: Run) -> None:
    script = (
        RECORDER
        + """
    const ticks = [];
    const usual = setInterval;
    globalThis.setInterval = (tick) => void ticks.push(tick);
    const it = await watch();
    globalThis.setInterval = usual;
    go(5_000); act();
    for (let count = 0; count < 500; count += 1) { go(10_000); ticks[0](); }
    it.close();
    return [records().length, sums("active_ms"), sums("idle_ms")];
    """
    )
    made, active_ms, idle_ms = run(script)
    assert made <= 15, "one each ten seconds up to the cut-off, and one for the rest"
    assert (active_ms, idle_ms) == (5_000 + CUTOFF_MS, 5_000_000 - CUTOFF_MS)


def test_a_person_who_switched_timing_off_sends_cells_seen_and_no_time(run: Run) -> None:
    script = (
        RECORDER
        + """
    drawer(localStorage, "stretch", "ann", 1).put("left", { updated: 0, record: { id: "left" } });
    const it = await watch({ timed: false });
    go(300_000); act();
    it.seen("b1", "b0");
    const since = it.edit();
    it.close();
    return [entries.map(({ id, ...rest }) => rest), since, gaps, Object.keys(localStorage)];
    """
    )
    assert run(script) == [[{"seen": [["b1", "b0"]]}], 0, [], []]


def test_how_long_the_table_took_to_come_is_told_once_and_apart(run: Run) -> None:
    script = (
        RECORDER
        + """
    const it = await watch({ loaded: 700.4 });
    for (const _ of "12") { go(5_000); act(); it.finish(); }
    it.close();
    return [sums("load_ms"), sums("active_ms")];
    """
    )
    assert run(script) == [700, 10_000]
