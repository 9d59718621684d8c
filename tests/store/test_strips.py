from __future__ import annotations

import io
import json

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from scoring.schema import TableType
from scoring.table import Box, Cell, Confidence, Table
from store.crops import crop
from store.db import Db
from store.documents import Document, add_document
from store.edits import Mark, MarkChange, SetText, TextChange
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import NewEdit, add_edits, add_gold
from store.home import Home
from store.pages import DocumentError, PageSize
from store.reviews import add_verdict
from store.strips import Scope, Strip, strip
from store.table_types import add_table_type

PRICES = TableType.from_json(
    {
        "name": "prices",
        "label": "Prices",
        "columns": [
            {"name": "item", "type": "id", "key": True},
            {"name": "quantity", "type": "number"},
            {"name": "price", "type": "number"},
            {"name": "amount", "type": "number"},
        ],
        "checks": [{"kind": "product", "factors": ["quantity", "price"], "product": "amount"}],
    }
)
ROWS = [["A-1", "2", "1.50", "3.00"], ["A-2", "3", "2.00", "7.00"], ["A-3", "1", "O.40", "0.40"]]


def read_table(rows: list[list[str]]) -> Table:
    cells = [Cell(0, col, name, header="column") for col, name in enumerate(("item", "quantity", "price", "amount"))]
    for row, texts in enumerate(rows, start=1):
        for col, text in enumerate(texts):
            sure = (Confidence(0.45 if text == "A-2" else 0.97, "text", "word", "acme"),)
            cells.append(
                Cell(row, col, text, box=Box(1, col / 5, row / 10, col / 5 + 0.1, row / 10 + 0.05), confidence=sure)
            )
    return Table(len(rows) + 1, 4, tuple(cells))


def add(db: Db, home: Home, name: str, rows: list[list[str]] = ROWS) -> int:
    document, _ = add_document(
        db,
        home,
        b"%PDF-1.7 " + name.encode(),
        name=name,
        media_type="application/pdf",
        pages=[PageSize(1, 595, 842)],
        person="ann",
        project="default",
    )
    read = read_table(rows)
    add_extraction(
        db,
        document.id,
        name.encode(),
        file_name="first.json",
        run=Run("acme", "1"),
        format_name="json-records",
        tables=[ReadTable("prices", read)],
        notes=[],
        person="ann",
    )
    added, _ = add_gold(db, document.id, read, name="prices", base="extraction", person="ann", table_type="prices")
    return added.id


@pytest.fixture
def parts(db: Db, home: Home) -> int:
    add_table_type(db, PRICES, project="default")
    return add(db, home, "parts.pdf")


def found(db: Db, **scope: str) -> Strip:
    with db.read() as reader:
        return strip(db, reader, Scope("default", **scope))


def texts(made: Strip) -> list[str]:
    return [one.line.text for one in made.lines]


def test_the_oddest_cell_of_a_column_stands_first_with_its_reasons(db: Db, home: Home, parts: int) -> None:
    add(db, home, "more.pdf", [["B-1", "1", "5.00", "5.00"]])
    made = found(db, table_type="prices", column="price")
    assert sorted(texts(made)[2:]) == ["1.50", "5.00"]
    first, second = made.lines[:2]
    assert (first.line.text, first.line.label, made.tables[first.gold].document) == ("O.40", "Row 3 · A-3", "parts.pdf")
    assert [kind for kind, _ in first.line.reasons] == ["unparsed", "look-alike"]
    assert (second.line.text, [kind for kind, _ in second.line.reasons]) == ("2.00", ["check"])
    assert first.pattern == "A.99"
    assert first.line.box == (1, 0.4, 0.3, 0.5, 0.35)


def test_one_kind_of_doubt_is_found_in_all_columns(db: Db, parts: int) -> None:
    assert texts(found(db, kind="confidence")) == ["A-2"]
    assert sorted(texts(found(db, kind="check"))) == ["2.00", "3", "7.00"]
    assert {"A-2", "O.40", "7.00"} <= set(texts(found(db, kind="any")))
    assert "A-1" not in texts(found(db, kind="any"))


def test_without_a_scope_the_column_with_most_doubts_is_shown(db: Db, parts: int) -> None:
    made = found(db)
    assert made.scope.column == "price"
    assert {choice.column: (choice.cells, choice.doubts) for choice in made.choices}["price"] == (3, 2)


def test_what_a_person_decided_stands_at_the_end(db: Db, parts: int) -> None:
    add_edits(
        db,
        parts,
        [
            NewEdit("edit-0001", SetText((TextChange(3, 2, "O.40", "0.40"),))),
            NewEdit("edit-0002", Mark((MarkChange(2, 2, "", "confirmed"),))),
        ],
        person="ann",
        after=0,
    )
    made = found(db, table_type="prices", column="price")
    assert texts(made)[0] == "1.50"
    told = {one.line.text: (one.line.edited, one.line.mark, one.line.first) for one in made.lines}
    assert told["0.40"] == (True, "", "O.40")
    assert told["2.00"] == (False, "confirmed", None)
    assert made.tables[parts].revision == 2


def test_accepted_tables_are_left_out_and_counted(db: Db, parts: int) -> None:
    add_verdict(db, parts, verdict="accept", person="ann", id="verdict-1", at_revision=0)
    made = found(db, table_type="prices", column="price")
    assert (made.lines, made.accepted) == ((), 1)


def test_a_crop_is_the_piece_of_the_page_and_white_beyond_it(db: Db, home: Home) -> None:
    drawn = io.BytesIO()
    canvas = Canvas(drawn, pagesize=(400, 200))
    canvas.setFillColorRGB(1, 0, 0)
    canvas.rect(0, 100, 200, 100, stroke=0, fill=1)  # the upper left quarter
    canvas.save()
    document = stored(db, home, drawn.getvalue())
    piece = Image.open(io.BytesIO(crop(home, document.sha256, 1, 72, (-0.25, 0.0, 0.75, 0.5)))).convert("RGB")
    assert piece.size == (400, 100)
    assert [piece.getpixel((x, 50)) > (200, 200, 200) for x in (50, 350)] == [True, True]
    assert piece.getpixel((200, 50))[1] < 60  # type: ignore[index]
    with pytest.raises(DocumentError, match="x0 < x1"):
        crop(home, document.sha256, 1, 72, (0.5, 0, 0.5, 1))


def stored(db: Db, home: Home, raw: bytes) -> Document:
    document, _ = add_document(
        db,
        home,
        raw,
        name="red.pdf",
        media_type="application/pdf",
        pages=[PageSize(1, 400, 200)],
        person="ann",
        project="default",
    )
    return document


def test_what_is_usual_in_a_column_follows_edits_verdicts_and_imports(db: Db, home: Home, parts: int) -> None:
    rows = [[f"B-{number}", "1", "5.00", "5.00"] for number in range(20)]
    add(db, home, "many.pdf", rows)
    before = found(db, table_type="prices", column="item")
    again = found(Db(db.path), table_type="prices", column="item")
    assert again == before, "a server that has just started says something else"
    add_edits(db, parts, [NewEdit("e-1", SetText((TextChange(1, 0, "A-1", "B#1"),)))], person="ann", after=0)
    odd = {one.line.text: dict(one.line.reasons) for one in found(db, table_type="prices", column="item").lines}
    assert "met in 1 of 23" in odd["B#1"]["characters"]
    for verdict, shown, accepted in (("accept", 20, 1), ("reopen", 23, 0)):
        add_verdict(db, parts, verdict=verdict, person="ann", id=verdict, at_revision=1)
        made = found(db, table_type="prices", column="item")
        assert (len(made.lines), made.accepted) == (shown, accepted)
        assert made == found(Db(db.path), table_type="prices", column="item")
    add(db, home, "one.pdf", [["B#2", "1", "5.00", "5.00"]])
    odd = {one.line.text: dict(one.line.reasons) for one in found(db, table_type="prices", column="item").lines}
    assert "characters" not in odd["B#1"], "two of 24 are not few"


@pytest.mark.parametrize("older", ["knew less", "other version"])
def test_what_an_older_version_kept_of_the_columns_is_counted_anew(db: Db, parts: int, older: str) -> None:
    before = found(db, table_type="prices", column="price")
    with db.write() as writer:
        kept = writer.execute("select name, signature from kept_result where name like '%columns of%'").fetchone()
        seen, version, at = json.loads(kept[1])
        if older == "knew less":
            seen = json.dumps({part: number for part, number in json.loads(seen).items() if part != "verdict"})
        else:
            version = "0 0"
        changed = (json.dumps([seen, version, at]), kept[0])
        body = json.dumps({str(parts): "{}"}) if older == "other version" else None
        writer.execute("update kept_result set body = coalesce(?, body)", (body,))
        writer.execute("update kept_result set signature = ? where name = ?", changed)
    assert found(Db(db.path), table_type="prices", column="price") == before
