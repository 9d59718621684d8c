"""Amazon Textract, AnalyzeExpense: the summary fields and the line items of invoices and receipts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from store.formats import json_shape, json_text, rows, textract_answers
from store.formats.contract import Read, ReadTable, some
from store.formats.json_shape import Path, inner, objects, whole
from store.formats.rows import Row, Value
from store.pages import PageSize

_KEY = "ExpenseDocuments"
# A type of field that only tells that it is none of the others: its label names it.
_OTHER = "OTHER"
# The whole line once more, which its fields have told already.
_WHOLE_ROW = "EXPENSE_ROW"


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is an answer with ExpenseDocuments, or several of them."""
    value = json_text.peeked(raw)
    return (
        textract_answers.is_answer(value, _KEY, entry="SummaryFields")
        or textract_answers.is_answer(value, _KEY, entry="LineItemGroups")
        or textract_answers.is_answer(value, _KEY, entry="ExpenseIndex")
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """A table ``fields`` of one row and tables ``line_items`` for each invoice or receipt that was found.

    Columns are the types of the fields (``TOTAL``, ``UNIT_PRICE``), the label as printed for those
    of type OTHER, and ``RECEIVER.NAME`` where a field belongs to a group. A cell's confidence is that
    of its type and that of its reading, which Textract gives apart. EXPENSE_ROW, the whole line once
    more, is left out unless there is nothing else of the line.
    """
    answers, doubts = textract_answers.answers_in(raw, _KEY)
    tables: list[ReadTable] = []
    for answer, path in answers:
        for document, where in objects(answer, _KEY, path):
            tables += _form(document, where)
            tables += (_lines(group, at) for group, at in objects(document, "LineItemGroups", where))
    tables = [table for table in tables if table.table.n_cols]
    if not tables:
        doubts.append("the answer holds no fields and no line items")
    version = textract_answers.version(answers, "AnalyzeExpenseModelVersion")
    return Read(rows.numbered(tables), tuple(doubts), "Amazon Textract", version)


def _form(document: Mapping[str, Any], path: Path) -> Iterator[ReadTable]:
    row = Row()
    for entry, where in objects(document, "SummaryFields", path):
        groups = [
            kind
            for group, at in objects(entry, "GroupProperties", where)
            for kind in json_shape.entries(group, "Types", at)
            if isinstance(kind, str)
        ]
        name = _label(entry, where) if _type(entry, where) == _OTHER else _type(entry, where)
        _put(row, ".".join([*groups[:1], name]), entry, where)
    yield rows.table_of(rows.FORM, [row], place=json_text.pointer((*path, "SummaryFields")))


def _lines(group: Mapping[str, Any], path: Path) -> ReadTable:
    lines = [
        [(entry, at, _type(entry, at)) for entry, at in objects(line, "LineItemExpenseFields", where)]
        for line, where in objects(group, "LineItems", path)
    ]
    typed = {_label(entry, at): kind for line in lines for entry, at, kind in line if kind != _OTHER}
    found: list[Row] = []
    bare: list[int] = []
    for number, line in enumerate(lines, start=1):
        row = Row()
        whole_row = all(kind == _WHOLE_ROW for *_, kind in line)
        if whole_row and line:
            bare.append(number)
        for entry, at, kind in line:
            if kind == _WHOLE_ROW and not whole_row:
                continue
            label = _label(entry, at)
            column = typed.get(label, "")
            if kind != _OTHER or not label:
                _put(row, kind, entry, at)
            elif column and column not in row:
                _put(row, column, entry, at, repair=f"is of type OTHER, but its label is that of {column}")
            else:
                _put(row, label, entry, at)
        found.append(row)
    notes = [f"{some('line', bare)} given as a whole only, as {_WHOLE_ROW}"] if bare else []
    return rows.table_of(rows.LINES, found, place=json_text.pointer(path), notes=notes)


def _type(entry: Mapping[str, Any], path: Path) -> str:
    return json_shape.text(inner(entry, "Type", path), "Text") or _OTHER


def _label(entry: Mapping[str, Any], path: Path) -> str:
    return json_shape.text(inner(entry, "LabelDetection", path), "Text") or (
        "" if _type(entry, path) != _OTHER else _OTHER
    )


def _put(row: Row, name: str, entry: Mapping[str, Any], path: Path, *, repair: str = "") -> None:
    """Add a field to a row, and its currency beside it."""
    found = inner(entry, "ValueDetection", path)
    box = textract_answers.box(found, whole(entry, "PageNumber", path, default=1, least=1))
    if box is None and found.get("Geometry") is not None and json_shape.text(found, "Text"):
        repair = "; ".join(filter(None, (repair, "its box is no rectangle and was left out")))
    confidence = (
        *textract_answers.said(inner(entry, "Type", path), "extraction", "field", "Textract type confidence"),
        *textract_answers.said(found, "text", "field", "Textract value confidence"),
    )
    row.put(name, Value(json_shape.text(found, "Text"), box, confidence, repair))
    currency = inner(entry, "Currency", path)
    if code := json_shape.text(currency, "Code"):
        said = textract_answers.said(currency, "extraction", "field", "Textract currency confidence")
        row.put(f"{name}.Currency", Value(code, None, said))
