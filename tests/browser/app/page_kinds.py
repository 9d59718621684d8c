"""A document with one page of each kind that is easily shown wrong, and where its words stand, worked out by hand."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

LONG = 300
SIZE = 12.0
CAPITAL = 0.718 * SIZE
NAMES = ("left", "middle", "right")
TYPES = {
    "proofgrid": "table-types/1",
    "table_types": [
        {"name": name, "columns": [{"name": column} for column in NAMES]} for name in ("kinds", "picture", "long")
    ],
}


@dataclass(frozen=True)
class Kind:
    """One page: its media box in points, how it is turned and cropped, and the scale of its user space."""

    name: str
    width: float
    height: float
    rotation: int = 0
    crop: tuple[float, float, float, float] | None = None
    user_unit: int = 1

    def box(self, x: float, y: float, width: float) -> list[float]:
        """Where a word of capitals on the base line ``y`` is displayed, in fractions of the page."""
        left, bottom, right, top = self.crop or (0, 0, self.width, self.height)
        corners = [
            ((at - left) / (right - left), (top - up) / (top - bottom)) for at, up in ((x, y), (x + width, y + CAPITAL))
        ]
        for _ in range(self.rotation // 90):
            corners = [(1 - down, across) for across, down in corners]
        across, down = zip(*corners, strict=True)
        return [min(across), min(down), max(across), max(down)]


KINDS = (
    Kind("plain", 420, 300),
    Kind("turned by 90", 430, 300, rotation=90),
    Kind("turned by 180", 440, 300, rotation=180),
    Kind("turned by 270", 450, 300, rotation=270),
    Kind("cropped", 500, 400, crop=(60, 50, 470, 360)),
    Kind("cropped and turned", 510, 400, rotation=90, crop=(60, 50, 470, 360)),
    Kind("begins below 0", 460, 300, crop=(-40, -30, 420, 290)),
    Kind("large", 1190, 842),
    Kind("user unit", 370, 260, user_unit=4),
    Kind("two hundred inches", 14400, 200),
    Kind("tiny", 330, 60),
)


def text_of(name: str, page: int) -> str:
    """The word in a column of a page."""
    return f"{name[0].upper()}{page}HE"


def write(folder: Path) -> None:
    """Write the document, its first page as a picture, what an extractor found in both, and their table types."""
    folder.mkdir()
    raw, rows = _drawn()
    (folder / "kinds.pdf").write_bytes(raw)
    (folder / "kinds.json").write_text(json.dumps(_found("kinds", rows)))
    with pypdfium2.PdfDocument(raw) as document:
        document[0].render(scale=1.5).to_pil().save(folder / "picture.png")
    (folder / "picture.json").write_text(json.dumps(_found("picture", rows[:1])))
    (folder / "long.pdf").write_bytes(_blank(LONG))
    (folder / "long.json").write_text(json.dumps(_found("long", [_at(1), _at(LONG)])))
    (folder / "table_types.json").write_text(json.dumps(TYPES))


def _found(name: str, rows: list[dict[str, object]]) -> dict[str, object]:
    return {"extractor": {"name": "by hand", "version": "1"}, name: rows}


def _blank(pages: int) -> bytes:
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(300, 400), invariant=True)
    for _ in range(pages):
        canvas.drawString(30, 200, "page")
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def _at(page: int) -> dict[str, object]:
    return {name: {"value": name, "confidence": 0.2, "box": [page, 0.1, 0.4, 0.3, 0.5]} for name in NAMES}


def _drawn() -> tuple[bytes, list[dict[str, object]]]:
    held = io.BytesIO()
    canvas = Canvas(held, invariant=True)
    rows: list[dict[str, object]] = []
    for page, kind in enumerate(KINDS, 1):
        canvas.setPageSize((kind.width, kind.height))
        canvas.setFont("Helvetica", SIZE)
        row: dict[str, object] = {}
        left, bottom, right, top = kind.crop or (0, 0, kind.width, kind.height)
        for place, name in enumerate(NAMES):
            text = text_of(name, page)
            x = left + (right - left) * (0.1 + 0.37 * place)
            y = bottom + (top - bottom) * 0.6
            canvas.drawString(x, y, text)
            row[name] = {
                "value": text,
                "confidence": 0.95,
                "box": [page, *kind.box(x, y, stringWidth(text, "Helvetica", SIZE))],
            }
        rows.append(row)
        canvas.showPage()
    canvas.save()
    raw = held.getvalue()
    for kind in KINDS:
        if kind.user_unit > 1:
            size = f"/MediaBox [ 0 0 {kind.width} {kind.height} ]".encode()
            assert raw.count(size) == 1
            raw = raw.replace(size, size + f" /UserUnit {kind.user_unit}".encode())
    saved = io.BytesIO()
    with pypdfium2.PdfDocument(raw) as document:
        for kind, page in zip(KINDS, document, strict=True):
            if kind.crop:
                page.set_mediabox(min(0, kind.crop[0]), min(0, kind.crop[1]), kind.width, kind.height)
                page.set_cropbox(*kind.crop)
            page.set_rotation(kind.rotation)
        document.save(saved)
    return saved.getvalue(), rows
