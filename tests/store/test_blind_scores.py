"""Sixty documents of one line, a price misread in every third; who corrects waves half of that through."""

from __future__ import annotations

import json

from click.testing import CliRunner

from review_app.anchoring_line import anchoring_line
from review_app.cli import main
from scoring.schema import TableType
from scoring.statistics.anchoring import Anchoring
from scoring.table import from_rows
from store import blind, gold
from store.blind import BlindRule
from store.blind_scores import anchoring_of
from store.db import Db
from store.edits import SetText, TextChange
from store.extractions import Run
from store.gold import NewEdit, add_edits
from store.home import Home
from store.reviews import add_verdict
from store.scored_documents import scored_documents
from store.table_kinds import Kinds, open_gold
from store.table_types import add_table_type
from tests.stored_documents import put_answer, put_document

HEAD = ["article", "price"]
KIND = TableType.from_json({"name": "lines", "label": "Lines", "columns": [{"name": name} for name in HEAD]})


def _set(db: Db, key: int, changes: list[TextChange], *, after: int = 0) -> int:
    edit = NewEdit(f"edit-of-{key}-{after}", SetText(tuple(changes)))
    return add_edits(db, key, [edit], person="ann", after=after)


def _accept(db: Db, key: int, revision: int, word: str = "accept") -> None:
    add_verdict(db, key, verdict=word, person="ann", id=f"{word}-{key}-{revision}", at_revision=revision)  # type: ignore[arg-type]


def _sixty(db: Db, home: Home, *, share: float) -> list[int]:
    """Returns the tables that were keyed blind."""
    add_table_type(db, KIND, project="hand")
    blind.set_rule(db, "hand", BlindRule(share, 3), person="ann")
    drawn = []
    for number in range(60):
        name, misread = f"bolt {number}", number % 3 == 0
        document = put_document(db, home, f"{number}.pdf", [[name]], project="hand")
        read = from_rows([HEAD, [name, "9.99" if misread else "1.20"]], header_rows=1)
        put_answer(db, document, Run("reader", "1"), ("lines", read))
        open_gold(db, [document], {}, Kinds([KIND]), person="ann")
        with db.read() as reader:
            (table,) = gold.gold_tables(reader, document.id)
        revision = 0
        if table.hides_first:
            drawn.append(table.id)
            revision = _set(db, table.id, [TextChange(1, 0, "", name), TextChange(1, 1, "", "1.20")])
        elif misread and number % 2:
            revision = _set(db, table.id, [TextChange(1, 1, "9.99", "1.20")])
        _accept(db, table.id, revision)
    return drawn


def _anchoring(db: Db) -> Anchoring | None:
    with db.read() as reader:
        return anchoring_of(db, reader, scored_documents(db, reader, project="hand"))


def test_without_a_blind_slice_nothing_is_said(db: Db, home: Home) -> None:
    _sixty(db, home, share=0)
    assert _anchoring(db) is None


def test_the_gap_is_that_of_corrected_and_blind_tables(db: Db, home: Home) -> None:
    drawn = _sixty(db, home, share=0.5)
    found = _anchoring(db)
    assert found is not None
    assert found.blind.documents == len(drawn) >= 20
    assert found.corrected.documents == 60 - len(drawn) >= 20
    assert found.gap is not None
    assert found.corrected.estimate is not None
    assert found.corrected.estimate > 0.9 > (found.blind.estimate or 1)
    assert "points" in anchoring_line(found)
    done = CliRunner().invoke(main, ["score", "--home", str(home.folder), "--json"])
    assert json.loads(done.stdout)["anchoring"]["gap"] == found.gap


def test_what_was_changed_after_the_extraction_was_seen_does_not_count(db: Db, home: Home) -> None:
    key = _sixty(db, home, share=0.5)[0]
    before = _anchoring(db)
    _accept(db, key, 1, "reopen")
    _accept(db, key, _set(db, key, [TextChange(1, 1, "1.20", "9.99")], after=1))
    assert _anchoring(db) == before
