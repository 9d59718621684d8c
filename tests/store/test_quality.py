from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scoring.table import from_rows
from store import blind, comments, people, quality_sample, seeded
from store.activity import Activity, add_activity
from store.audit import noted
from store.blind import BlindRule
from store.db import Db, NotFound, StoreError, row
from store.edits import Mark, MarkChange, SetText, TextChange
from store.extractions import Run
from store.gold import NewEdit, add_edits, current
from store.hiding import Withheld
from store.home import Home
from store.kept_work import work
from store.quality_check import Quality, SampledCell, Verdict, add_check, quality, to_check
from store.quality_sample import Sample, draw
from store.reviews import add_verdict
from store.rights import NotAllowed
from store.second_pass import draw as draw_second
from store.second_pass import hand_over
from store.seeded import SeededRule
from store.work_time import correction_time
from tests.confident_documents import ACCEPTED, HEAD, ROWS, confident_documents
from tests.stored_documents import put_answer, put_document, put_gold

PROJECT = "orders"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with 48 accepted tables of 8 rows and 4 columns, accepted by ann."""
    return confident_documents(tmp_path_factory.mktemp("quality") / "home").folder


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Home:
    shutil.copytree(made, tmp_path / "home")
    return Home(tmp_path / "home")


def drawn(db: Db, size: int = 100, seed: int = 1) -> Sample:
    return draw(db, project=PROJECT, size=size, seed=seed, person="olga")


def cells(db: Db, of: Sample, person: str = "bob") -> tuple[SampledCell, ...]:
    with db.read() as reader:
        return to_check(reader, of, person=person).cells


def checked(db: Db, cell: SampledCell, verdict: Verdict, person: str = "bob", *, number: int = 0, **more: str) -> None:
    add_check(db, cell.id, id=f"check-{cell.id}-{number}", verdict=verdict, person=person, **more)


def measured(db: Db, of: Sample) -> Quality:
    with db.read() as reader:
        return quality(reader, of)


def gold_of(db: Db, name: str) -> int:
    with db.read() as reader:
        found = row(reader, "select g.id from gold g join document d on d.id = g.document where d.name = ?", (name,))
    assert found is not None
    return int(found["id"])


def test_accepted_cells_of_every_badge_are_drawn_and_their_numbers_kept(db: Db) -> None:
    of = drawn(db)
    assert of.population == ACCEPTED * ROWS * len(HEAD)
    assert {band.level: band.population for band in of.bands} == {
        "high": ACCEPTED * (ROWS * 2 + 6),
        "medium": ACCEPTED,
        "low": ACCEPTED,
        "none": ACCEPTED * ROWS,
    }
    assert of.drawn == 100 == len(cells(db, of))
    assert min(band.drawn for band in of.bands) >= 12


def test_the_same_seed_draws_the_same_cells_and_another_one_others(db: Db) -> None:
    def places(of: Sample) -> list[tuple[int, str, str]]:
        return [(cell.gold, cell.row_id, cell.col_id) for cell in cells(db, of)]

    first = places(drawn(db))
    assert places(drawn(db)) == first
    assert places(drawn(db, seed=2)) != first


def test_open_tables_and_unreadable_cells_are_not_drawn(db: Db) -> None:
    key = gold_of(db, "order-00.pdf")
    add_verdict(db, key, verdict="reopen", person="ann", id="reopen-1", at_revision=0)
    add_edits(db, key, [NewEdit("edit-0001", Mark((MarkChange(1, 0, "", "unreadable"),)))], person="ann", after=0)
    add_verdict(db, key, verdict="accept", person="ann", id="accept-again", at_revision=1)
    of = drawn(db, size=quality_sample.MOST_CELLS)
    open_ones = {gold_of(db, "doubt-a.pdf"), gold_of(db, "doubt-b.pdf")}
    assert of.drawn == of.population == ACCEPTED * ROWS * len(HEAD) - 1
    assert not open_ones & {cell.gold for cell in cells(db, of)}


def test_a_cell_is_checked_by_somebody_who_neither_keyed_nor_accepted_its_table(db: Db) -> None:
    of = drawn(db)
    with db.read() as reader:
        own = to_check(reader, of, person="ann")
    assert (own.cells, own.others) == ((), 100)
    with pytest.raises(StoreError, match="yourself: somebody else"):
        checked(db, cells(db, of)[0], "right", "ann")
    first = cells(db, of)[0]
    add_verdict(db, first.gold, verdict="reopen", person="bob", id="reopen-1", at_revision=0)
    sheet_edit = NewEdit("edit-0001", SetText((TextChange(1, 0, "part 0", "part zero"),)))
    add_edits(db, first.gold, [sheet_edit], person="bob", after=0)
    assert first.gold not in {cell.gold for cell in cells(db, of)}
    assert first.gold in {cell.gold for cell in cells(db, of, "carol")}


def test_the_measured_error_weighs_each_badge_by_its_cells(db: Db) -> None:
    of = drawn(db)
    for cell in cells(db, of):
        if cell.level == "low":
            checked(db, cell, "wrong", seen="7")
        else:
            checked(db, cell, "right")
    found = measured(db, of)
    assert found.whole.rate == pytest.approx(1 / 32)
    assert [(band.name, band.rate) for band in found.bands] == [("high", 0), ("medium", 0), ("low", 1), ("none", 0)]
    assert found.whole.low is not None
    assert found.whole.low < 1 / 32


def test_too_few_checks_give_no_number(db: Db) -> None:
    of = drawn(db)
    checked(db, cells(db, of)[0], "right")
    found = measured(db, of)
    assert (found.whole.rate, found.whole.reason) == (None, "1 checked, expected 30 or more")


def test_what_nobody_can_tell_counts_neither_as_right_nor_as_wrong(db: Db) -> None:
    of = drawn(db)
    checked(db, cells(db, of)[0], "cannot tell")
    found = measured(db, of)
    assert (found.whole.checked, found.whole.unclear, found.looked_at) == (0, 1, 1)


def test_a_found_error_opens_a_thread_at_its_cell_and_leaves_gold_as_it_is(db: Db) -> None:
    of = drawn(db)
    cell = cells(db, of)[0]
    with db.read() as reader:
        before = current(db, reader, cell.gold)
    checked(db, cell, "wrong", seen="7.50", reason="smudged")
    with db.read() as reader:
        (thread,) = comments.threads(reader, cell.gold)
        assert current(db, reader, cell.gold) == before
    assert (thread.row_id, thread.col_id, thread.is_open) == (cell.row_id, cell.col_id, True)
    (said,) = thread.comments
    assert said.text == f"Quality check: accepted is “{cell.text}”, the page reads “7.50”. smudged"


def test_a_check_that_is_taken_back_counts_no_more_and_resolves_its_thread(db: Db) -> None:
    of = drawn(db)
    cell = cells(db, of)[0]
    checked(db, cell, "wrong", seen="7.50")
    checked(db, cell, "", number=1)
    with db.read() as reader:
        assert comments.open_threads(reader, cell.gold) == 0
    assert measured(db, of).looked_at == 0
    checked(db, cell, "right", number=2)
    assert measured(db, of).whole.checked == 1


def test_a_later_correction_does_not_change_what_was_measured(db: Db) -> None:
    of = drawn(db)
    cell = next(one for one in cells(db, of) if one.col_id == "b0" and one.text.startswith("part "))
    checked(db, cell, "wrong", seen="bolt")
    place = int(cell.row_id.removeprefix("b"))
    add_verdict(db, cell.gold, verdict="reopen", person="ann", id="reopen-1", at_revision=0)
    corrected = NewEdit("edit-0001", SetText((TextChange(place, 0, cell.text, "bolt"),)))
    add_edits(db, cell.gold, [corrected], person="ann", after=0)
    assert measured(db, of).whole.wrong == 1
    (same,) = [one for one in cells(db, of) if one.id == cell.id]
    assert (same.text, same.checked and same.checked.seen) == (cell.text, "bolt")


def test_one_check_is_stored_once_and_a_second_person_comes_too_late(db: Db) -> None:
    of = drawn(db)
    cell = cells(db, of)[0]
    checked(db, cell, "wrong", seen="7.50")
    checked(db, cell, "wrong", seen="7.50")
    with db.read() as reader:
        assert len(comments.threads(reader, cell.gold)) == 1
    with pytest.raises(StoreError, match="bob has checked this cell in the meantime"):
        checked(db, cell, "right", "carol", number=1)
    assert cell.id not in {one.id for one in cells(db, of, "carol")}


def test_wrong_needs_what_the_page_reads_or_a_reason(db: Db) -> None:
    cell = cells(db, drawn(db))[0]
    with pytest.raises(StoreError, match="tell what the page reads"):
        checked(db, cell, "wrong")
    with pytest.raises(StoreError, match="tell what the page reads"):
        checked(db, cell, "wrong", seen=cell.text)
    checked(db, cell, "wrong", seen=cell.text, reason="belongs to the next row")


def test_who_keys_a_table_a_second_time_is_shown_nothing_of_its_document(db: Db) -> None:
    of = drawn(db)
    new = draw_second(db, project=PROJECT, share=0.1, people=["bob"], seed=1, person="olga").new
    one = next(each for each in new if not each.document_name.startswith("doubt"))
    whole = drawn(db, size=quality_sample.MOST_CELLS)
    assert one.gold not in {cell.gold for cell in cells(db, whole)}
    hidden = next(cell for cell in cells(db, whole, "carol") if cell.gold == one.gold)
    with pytest.raises(Withheld):
        checked(db, hidden, "right")
    hand_over(db, one.id, "dan", person="olga")
    assert one.gold not in {cell.gold for cell in cells(db, whole, "dan")}
    assert one.gold not in {cell.gold for cell in cells(db, of)}


def test_who_has_checked_a_cell_is_not_asked_to_key_its_table_again(db: Db) -> None:
    whole = drawn(db, size=quality_sample.MOST_CELLS)
    for cell in cells(db, whole):
        if cell.row_id == "b1" and cell.col_id == "b0":
            checked(db, cell, "right")
    found = draw_second(db, project=PROJECT, share=0.5, people=["bob"], seed=1, person="olga")
    assert {one.document_name for one in found.new} <= {"doubt-a.pdf", "doubt-b.pdf"}
    assert found.without > 20


def test_a_blind_table_is_not_drawn_until_it_is_accepted(db: Db, home: Home) -> None:
    document = put_document(db, home, "blind.pdf", [["a", "b"]], project="dark")
    answer = put_answer(
        db, document, Run("acme"), ("lines", from_rows([["h"], ["READ BY THE MACHINE"]], header_rows=1))
    )
    key = put_gold(db, document, from_rows([["h"], ["x"]], header_rows=1), base="blank", person="ann").id
    assert answer.id
    add_verdict(db, key, verdict="accept", person="ann", id="accept-x", at_revision=0)
    blind.set_rule(db, "dark", BlindRule(1, 1), person="olga")
    of = draw(db, project="dark", size=50, seed=1, person="olga")
    assert [cell.text for cell in cells(db, of)] == ["x"]


def test_a_planted_value_is_never_sampled_and_a_cell_that_shows_one_is_not_asked_for(db: Db) -> None:
    seeded.set_rule(db, PROJECT, SeededRule(seeded.MOST, 1), person="olga")
    of = drawn(db, size=quality_sample.MOST_CELLS)
    cell = cells(db, of)[0]
    with db.write() as writer:  # as a reopened table may show one
        writer.execute(
            "insert into seeded_cell values (null, ?, ?, ?, 'digit', ?, 'PLANTED', 'high', 1, '2026-01-01')",
            (cell.gold, cell.row_id, cell.col_id, cell.text),
        )
    assert cell.id not in {one.id for one in cells(db, of)}
    again = drawn(db, size=quality_sample.MOST_CELLS)
    assert again.population == of.population - 1
    assert "PLANTED" not in {one.text for one in cells(db, again)}


def test_owners_draw_reviewers_check_and_both_are_noted(db: Db) -> None:
    people.add_person(db, "ada@example.org", role="admin", by="root", name="Ada")
    for role in ("annotator", "reviewer", "owner"):
        people.add_person(db, f"{role}@example.org", role=role, by="Ada", name=role)
    with pytest.raises(NotAllowed):
        draw(db, project=PROJECT, size=50, seed=1, person="reviewer")
    of = draw(db, project=PROJECT, size=50, seed=1, person="owner")
    with pytest.raises(NotAllowed):
        cells(db, of, "annotator")
    cell = cells(db, of, "reviewer")[0]
    with pytest.raises(NotAllowed):
        checked(db, cell, "right", "annotator")
    checked(db, cell, "right", "reviewer")
    with db.read() as reader:
        told = [(each.person, each.action, each.subject) for each in noted(reader, reader_name="Ada")]
    assert ("owner", "drew", f"quality sample {of.id}") in told
    assert ("reviewer", "checked cells of", f"table {cell.gold}") in told


def test_a_project_without_accepted_cells_and_a_size_that_is_none_are_refused(db: Db) -> None:
    with pytest.raises(NotFound, match="no accepted cell"):
        draw(db, project="nowhere", size=10, seed=1, person="olga")
    with pytest.raises(StoreError, match="a sample of 0 cells"):
        drawn(db, size=0)


def test_time_on_checks_is_told_with_the_sample_and_is_no_correction_time(db: Db) -> None:
    of = drawn(db)
    cell = cells(db, of)[0]
    spent = Activity("stretch-1", "tab-of-bob", "quality", "2026-11-30T09:00:00Z", 8_000)
    add_activity(db, cell.gold, [spent], person="bob")
    assert measured(db, of).active_ms == 8_000
    with db.read() as reader:
        assert not correction_time(reader, cell.gold).measured
        assert work(db, reader, project=PROJECT) == ()
