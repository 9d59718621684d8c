"""Paper to draw on: pages of a PDF that remember where each text was put."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import arabic_reshaper
from bidi.algorithm import get_display
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from sample_docs.generator import fonts
from scoring.table import Box

# Plain binary streams: the text encoding around them makes a file a quarter larger.
rl_config.useA85 = 0
WIDTH, HEIGHT = A4
Align = Literal["left", "right", "center"]


@dataclass(frozen=True)
class Word:
    """One printed word and the box around its signs."""

    text: str
    box: Box


@dataclass(frozen=True)
class Placed:
    """A text as printed and the words it consists of, in reading order."""

    text: str
    words: tuple[Word, ...]

    @property
    def box(self) -> Box:
        """The smallest box around all words."""
        return around(word.box for word in self.words)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box around boxes of one page."""
    all_boxes = list(boxes)
    return Box(
        all_boxes[0].page,
        min(box.x0 for box in all_boxes),
        min(box.y0 for box in all_boxes),
        max(box.x1 for box in all_boxes),
        max(box.y1 for box in all_boxes),
    )


def joined(parts: Sequence[Placed]) -> Placed:
    """Several placed texts as one, with a space between them (the lines of an address)."""
    return Placed(" ".join(part.text for part in parts), tuple(word for part in parts for word in part.words))


class Paper:
    """Pages of A4; places are points from the top left corner, ``y`` of a text is its base line."""

    def __init__(self, title: str, author: str) -> None:
        fonts.register()
        self._file = io.BytesIO()
        # invariant: no time and no random number gets into the file, so that it is the same each time.
        self._canvas = Canvas(self._file, pagesize=A4, invariant=1, pageCompression=1)
        self._canvas.setTitle(title)
        self._canvas.setAuthor(author)
        self._canvas.setProducer("sample_docs.generate")
        self.page = 1
        self.written: list[Placed] = []

    def next_page(self) -> None:
        """Ends this page and starts the next one."""
        self._canvas.showPage()
        self.page += 1

    def pdf(self) -> bytes:
        """The finished file."""
        self._canvas.save()
        return self._file.getvalue()

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        font: str = "Sans",
        size: float = 9,
        colour: str = "#1c1c1c",
        align: Align = "left",
        turned: float = 0,
    ) -> Placed:
        """Writes one line, ``x`` being its left end, right end or middle; returns where it stands."""
        shown = get_display(arabic_reshaper.reshape(text)) if font.startswith("Arabic") else text
        width = fonts.width(shown, font, size)
        left = x - {"left": 0.0, "right": width, "center": width / 2}[align]
        self._canvas.saveState()
        self._canvas.translate(left, HEIGHT - y)
        self._canvas.rotate(turned)
        pen = self._canvas.beginText(0, 0)
        pen.setFillColor(HexColor(colour))
        for part, part_font in fonts.runs(shown, font):
            pen.setFont(part_font, size)
            pen.textOut(part)
        self._canvas.drawText(pen)
        self._canvas.restoreState()
        placed = Placed(text, tuple(self._words(left, y, shown, text, font, size)))
        self.written.append(placed)
        return placed

    def _words(self, left: float, y: float, shown: str, text: str, font: str, size: float) -> Iterable[Word]:
        above, below = fonts.reach(font)
        whole = not shown.isascii() and shown != text  # right to left: one box for the line is enough
        at = 0
        for word in [shown] if whole else shown.split():
            at = shown.index(word, at)
            start = left + fonts.width(shown[:at], font, size)
            end = start + fonts.width(word, font, size)
            yield Word(text if whole else word, self.box(start, y - above * size, end, y + below * size))
            at += len(word)

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A rectangle on this page in points as fractions of the page."""
        return Box(self.page, round(x0 / WIDTH, 5), round(y0 / HEIGHT, 5), round(x1 / WIDTH, 5), round(y1 / HEIGHT, 5))

    def lines(
        self,
        x: float,
        y: float,
        lines: Sequence[str],
        *,
        leading: float = 12,
        font: str = "Sans",
        size: float = 9,
        colour: str = "#1c1c1c",
        align: Align = "left",
    ) -> Placed:
        """Writes lines one under the other and returns them as one text."""
        return joined(
            [
                self.text(x, y + number * leading, line, font=font, size=size, colour=colour, align=align)
                for number, line in enumerate(lines)
            ]
        )

    def rule(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        *,
        width: float = 0.5,
        colour: str = "#1c1c1c",
        dash: float = 0,
    ) -> None:
        """Draws a straight line; ``dash`` is the length of its dashes, 0 for none."""
        self._canvas.setStrokeColor(HexColor(colour))
        self._canvas.setLineWidth(width)
        self._canvas.setDash([dash, dash] if dash else [])
        self._canvas.line(x0, HEIGHT - y0, x1, HEIGHT - y1)
        self._canvas.setDash([])

    def fill(
        self, x0: float, y0: float, x1: float, y1: float, colour: str, *, edge: str = "", radius: float = 0
    ) -> None:
        """Fills a rectangle; ``edge`` is the colour of its outline, none if empty, ``colour`` may be empty too."""
        if colour:
            self._canvas.setFillColor(HexColor(colour))
        if edge:
            self._canvas.setStrokeColor(HexColor(edge))
            self._canvas.setLineWidth(0.6)
        self._canvas.roundRect(
            x0, HEIGHT - y1, x1 - x0, y1 - y0, radius, stroke=int(bool(edge)), fill=int(bool(colour))
        )

    def disc(self, x: float, y: float, radius: float, colour: str, *, edge: str = "", width: float = 1) -> None:
        """Draws a circle, filled if it has a colour, outlined if it has an edge."""
        if colour:
            self._canvas.setFillColor(HexColor(colour))
        if edge:
            self._canvas.setStrokeColor(HexColor(edge))
            self._canvas.setLineWidth(width)
        self._canvas.circle(x, HEIGHT - y, radius, stroke=int(bool(edge)), fill=int(bool(colour)))

    def stamp(self, x: float, y: float, lines: Sequence[str], *, turned: float, colour: str) -> None:
        """Prints a rubber stamp around a middle, turned by degrees against the clock."""
        self._canvas.saveState()
        self._canvas.translate(x, HEIGHT - y)
        self._canvas.rotate(turned)
        self._canvas.setStrokeColor(HexColor(colour))
        self._canvas.setFillColor(HexColor(colour))
        self._canvas.setLineWidth(2)
        self._canvas.roundRect(-62, -10 - 8 * len(lines), 124, 12 + 16 * len(lines), 5)
        self._canvas.setFont("Sans-Bold", 11)
        for number, line in enumerate(lines):
            self._canvas.drawCentredString(0, 8 * len(lines) - 16 - 16 * number, line)
        self._canvas.restoreState()

    def curve(self, points: Sequence[tuple[float, float]], *, colour: str = "#1c1c1c", width: float = 1) -> None:
        """Draws a bent line through Bezier points: a start, then three points per bend (a signature, a logo)."""
        path = self._canvas.beginPath()
        path.moveTo(points[0][0], HEIGHT - points[0][1])
        for first in range(1, len(points) - 2, 3):
            path.curveTo(*(side for x, y in points[first : first + 3] for side in (x, HEIGHT - y)))
        self._canvas.setStrokeColor(HexColor(colour))
        self._canvas.setLineWidth(width)
        self._canvas.drawPath(path, stroke=1, fill=0)

    def shape(self, points: Sequence[tuple[float, float]], colour: str) -> None:
        """Fills a shape with straight sides (a logo)."""
        path = self._canvas.beginPath()
        path.moveTo(points[0][0], HEIGHT - points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, HEIGHT - y)
        path.close()
        self._canvas.setFillColor(HexColor(colour))
        self._canvas.drawPath(path, stroke=0, fill=1)
