"""The answer of Azure AI Document Intelligence in a file, in the spelling and shape of its REST interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.formats import json_text
from store.formats.contract import FormatError
from store.formats.json_shape import Path, camel, objects

_DEEPEST_WRAPPER = 6


def answer_in(value: Any) -> tuple[Mapping[str, Any], Path]:
    """The answer (v2.1, v3, v4) and the path to it: nearest to the top, whatever wraps it.

    The keys of an older Python library (page_number) are spelt as the REST interface does, but for
    the names of fields. Raises FormatError where there is no answer, or none yet.
    """
    answer, path = _answer(value)
    if "readResults" in answer:
        return _from_v2(answer, path), ()
    pages = answer.get("pages")
    if isinstance(pages, list) and any(isinstance(page, Mapping) and "page_number" in page for page in pages[:1]):
        documents = answer.get("documents")
        answer = {**camel({key: part for key, part in answer.items() if key != "documents"}), "documents": documents}
    return answer, path


def _answer(value: Any) -> tuple[Mapping[str, Any], Path]:
    """The object that has the pages, nearest to the top, and the path to it."""
    level: list[tuple[Any, Path]] = [(value, ())]
    for _ in range(_DEEPEST_WRAPPER):
        below: list[tuple[Any, Path]] = []
        for entry, path in level:
            if isinstance(entry, dict):
                if isinstance(entry.get("pages"), list) and ("content" in entry or "tables" in entry):
                    return entry, path
                if "readResults" in entry:
                    return entry, path
                below += ((child, (*path, key)) for key, child in entry.items() if isinstance(child, dict | list))
            elif isinstance(entry, list):
                below += ((child, (*path, index)) for index, child in enumerate(entry) if isinstance(child, dict))
        level = below
    status = value.get("status") if isinstance(value, dict) else None
    found = f"status {status!r} and no analyzeResult" if status else "no object with pages and content"
    raise FormatError(f"/: {found}, expected a finished answer of Azure AI Document Intelligence")


def _from_v2(answer: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """An answer of API version 2.1 in the shape of later ones; spans are made up for the words that cells name."""
    pages: list[dict[str, Any]] = []
    spans: dict[str, dict[str, int]] = {}
    for place, (page, at) in enumerate(objects(answer, "readResults", path)):
        found = [
            (f"#/readResults/{place}/lines/{row}/words/{col}", word)
            for row, (line, inside) in enumerate(objects(page, "lines", at))
            for col, (word, _) in enumerate(objects(line, "words", inside))
        ]
        marks = [
            (f"#/readResults/{place}/selectionMarks/{index}", mark)
            for index, (mark, _) in enumerate(objects(page, "selectionMarks", at))
        ]
        for name, _ in (*found, *marks):
            spans[name] = {"offset": 2 * len(spans), "length": 1}
        pages.append(
            {
                **page,
                "pageNumber": page.get("page"),
                "words": [{**word, "content": word.get("text"), "span": spans[name]} for name, word in found],
                "selectionMarks": [{**mark, "span": spans[name]} for name, mark in marks],
            }
        )
    tables = []
    for page, at in objects(answer, "pageResults", path):
        for table, inside in objects(page, "tables", at):
            cells = [
                {
                    **cell,
                    "content": cell.get("text"),
                    "kind": "columnHeader" if cell.get("isHeader") else "content",
                    "spans": _named_spans(cell.get("elements"), spans),
                    "boundingRegions": [{"pageNumber": page.get("page"), "polygon": cell.get("boundingBox")}],
                }
                for cell, _ in objects(table, "cells", inside)
            ]
            tables.append(
                {
                    "rowCount": table.get("rows"),
                    "columnCount": table.get("columns"),
                    "cells": cells,
                    "boundingRegions": [{"pageNumber": page.get("page"), "polygon": table.get("boundingBox")}],
                    "place": json_text.pointer(inside),
                }
            )
    documents = [
        {**found, "place": json_text.pointer((*at, "fields"))} for found, at in objects(answer, "documentResults", path)
    ]
    return {"apiVersion": answer.get("version"), "pages": pages, "tables": tables, "documents": documents}


def _named_spans(elements: Any, spans: Mapping[str, dict[str, int]]) -> list[dict[str, int]]:
    names = elements if isinstance(elements, list) else []
    return [spans[name] for name in names if isinstance(name, str) and name in spans]
