"""MinerU: tables of its content lists, its middle file and its model file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from scoring.table import Box
from store.formats import frames, json_shape, json_text
from store.formats.contract import Read
from store.formats.frames import Size
from store.formats.html_pieces import Piece, numbered
from store.formats.json_shape import Path
from store.pages import PageSize

# Content lists count 0 to 1000 along each side of a page.
_PER_MILLE: Size = (1000.0, 1000.0)
_FRACTIONS: Size = (1.0, 1.0)
# A box in points is never this small; one in fractions of the page may pass its edge a little.
_LARGEST_FRACTION = 1.5
_TABLE_CATEGORY = 5  # of the layout model
_LOOKED_AT = 50


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has pdf_info, or is a list of content entries, pages of such, or layout detections."""
    value = json_text.peeked(raw)
    return (isinstance(value, Mapping) and isinstance(value.get("pdf_info"), list)) or _list_kind(value) != ""


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of ``_middle.json``, ``_content_list.json`` (either version) or ``_model.json``.

    Pages are counted from 0 in the file. Boxes of content lists run to 1000; those of the middle file
    are points of its page size, or fractions (version 4). The layout model's score is that of a
    detector. Cells have no boxes.
    """
    value, notes = json_text.load(raw)
    version = ""
    if isinstance(value, Mapping):
        pieces = _middle(value)
        version = json_shape.text(value, "_version_name")
    else:
        kind = _list_kind(value)
        readers = {"flat": _flat, "paged": _paged, "model": _model}
        if kind not in readers:
            raise json_shape.wrong((), value, "an object with pdf_info, or a content list")
        pieces = readers[kind](value)
    tables, doubts = numbered(pieces)
    if not tables:
        doubts = (*doubts, "the file holds no tables")
    return Read(tables, (*notes, *doubts), "MinerU", version)


def _list_kind(value: Any) -> str:
    if not isinstance(value, list):
        return ""
    for entry in islice(value, _LOOKED_AT):
        if isinstance(entry, Mapping) and {"type", "page_idx"} <= entry.keys():
            return "flat"
        if isinstance(entry, Mapping) and {"layout_dets", "page_info"} <= entry.keys():
            return "model"
        if isinstance(entry, list) and entry:
            first = entry[0]
            if isinstance(first, Mapping) and {"type", "content"} <= first.keys():
                return "paged"
            return ""
    return ""


def _flat(value: Sequence[Any]) -> Iterator[Piece]:
    for place, entry in enumerate(value):
        if isinstance(entry, Mapping) and entry.get("type") == "table":
            page = json_shape.whole(entry, "page_idx", (place,), default=0) + 1
            yield _of_list(entry, entry, (place,), page, "table_body")


def _paged(value: Sequence[Any]) -> Iterator[Piece]:
    for index, items in enumerate(value):
        for place, entry in enumerate(items if isinstance(items, list) else ()):
            if isinstance(entry, Mapping) and entry.get("type") == "table":
                path: Path = (index, place)
                yield _of_list(entry, json_shape.inner(entry, "content", path), path, index + 1, "html")


def _of_list(entry: Mapping[str, Any], content: Mapping[str, Any], path: Path, page: int, key: str) -> Piece:
    box = frames.framed(page, entry.get("bbox"), _PER_MILLE)
    notes = [note for kind in ("caption", "footnote") for note in _words(content, f"table_{kind}", kind)]
    html = json_shape.text(content, key) or json_shape.text(content, "table_body")
    return _piece(html, path, notes, box, entry.get("bbox"))


def _piece(html: str, path: Path, notes: list[str], box: Box | None, bounds: object, **said: Any) -> Piece:
    if bounds and box is None:
        notes.append("its box was left out: it is no rectangle on a page of known size")
    return Piece(html, json_text.pointer(path), tuple(notes), (box,) if box else (), **said)


def _words(entry: Mapping[str, Any], key: str, kind: str) -> Iterator[str]:
    """The captions or footnotes, which are texts or lists of them, or objects with the text as content."""
    found = entry.get(key)
    for part in found if isinstance(found, list) else [found]:
        text = json_shape.text(part, "content") if isinstance(part, Mapping) else part
        if isinstance(text, str) and text.strip():
            yield f"{kind}: {text}"


def _middle(value: Mapping[str, Any]) -> Iterator[Piece]:
    for page, path in json_shape.objects(value, "pdf_info", ()):
        number = json_shape.whole(page, "page_idx", path, default=int(path[-1])) + 1
        sides = json_shape.entries(page, "page_size", path)
        size = frames.size_in(*sides) if len(sides) == 2 else None
        for block, where in json_shape.objects(page, "para_blocks", path):
            if block.get("type") != "table":
                continue
            notes: list[str] = []
            html = ""
            said: object = None
            for part, at in json_shape.objects(block, "blocks", where):
                texts = []
                for line, inside in json_shape.objects(part, "lines", at):
                    for span, _ in json_shape.objects(line, "spans", inside):
                        html = html or json_shape.text(span, "html")
                        said = span.get("score") if span.get("html") else said
                        texts.append(json_shape.text(span, "content"))
                kind = json_shape.text(part, "type").removeprefix("table_")
                if kind in ("caption", "footnote") and any(texts):
                    notes.append(f"{kind}: {' '.join(filter(None, texts))}")
            bounds = block.get("bbox")
            box = frames.framed(number, bounds, _FRACTIONS if _is_fraction(bounds) else size)
            confidence = json_shape.confidence(said, "detection", "table", "MinerU layout score")
            yield _piece(html, where, notes, box, bounds, confidence=confidence)


def _is_fraction(bounds: object) -> bool:
    sides = [json_shape.number(side) for side in bounds] if isinstance(bounds, list) else []
    return bool(sides) and all(side is not None and abs(side) <= _LARGEST_FRACTION for side in sides)


def _model(value: Sequence[Any]) -> Iterator[Piece]:
    for page, path in json_shape.listed(value, ()):
        info = json_shape.inner(page, "page_info", path)
        number = json_shape.whole(info, "page_no", path, default=0) + 1
        size = frames.size_in(info.get("width"), info.get("height"))
        for found, where in json_shape.objects(page, "layout_dets", path):
            if json_shape.text(found, "category_id") == str(_TABLE_CATEGORY) and found.get("html"):
                box = frames.framed(number, frames.corners(found.get("poly")), size)
                confidence = json_shape.confidence(found.get("score"), "detection", "table", "MinerU layout score")
                yield _piece(json_shape.text(found, "html"), where, [], box, found.get("poly"), confidence=confidence)
