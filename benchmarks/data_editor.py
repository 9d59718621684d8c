"""The rival of benchmarks.keystrokes: a plain st.data_editor, worked by the best keys that it has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
from playwright.sync_api import Locator, expect

from benchmarks.documents import COLUMNS
from benchmarks.keystroke_model import keys_of, strokes
from benchmarks.planted import SHIFTED_ROWS, WORDS_BROKEN_OFF, Case
from benchmarks.server import free_port, wait_for
from benchmarks.sheets import Position, Sheet

PAGE = Path(__file__).with_name("data_editor_page.py")
MARKER, HEIGHT = 32, 35
# Faster than this it loses keys; a skilled typist takes 200 ms for each.
BETWEEN_KEYS_MS, OPENS_WITHIN_MS, DRAWN_WITHIN_MS = 50, 250, 600


@contextmanager
def serving(folder: Path, cases: Sequence[Case]) -> Iterator[str]:
    """The address of a Streamlit that shows the tables, a merged cell as its text and empty neighbours."""
    for case in cases:
        pypdfium2.PdfDocument(folder / f"{case.name}.pdf")[0].render(scale=1.5).to_pil().save(
            folder / f"{case.name}.png"
        )
    columns = [name for name, _, _ in COLUMNS]
    shown = [[case.name, columns, [[text or "" for text in row] for row in case.read]] for case in cases]
    (folder / "tables.json").write_text(json.dumps(shown))
    port = free_port()
    options = (f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true")
    command = [sys.executable, "-m", "streamlit", "run", str(PAGE), *options, "--browser.gatherUsageStats=false"]
    environment = {**os.environ, "PROOFGRID_BENCHMARK": str(folder)}
    with (folder / "data_editor.log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=30)


class DataEditor(Sheet):
    """One table in st.data_editor. What it cannot do is done by the shortest way round.

    - It has no row between rows: the block from there on is copied and pasted one row further down, which makes the row
      at the end that is wanted, and the gap is typed over. Rows in another order would not be the table.
    - After a row was deleted no cell is selected and no key leads back: the next place is clicked.
    - It knows no merged cells: there is nothing to split, the neighbour is an empty cell.
    """

    at_end = ("Enter", "ArrowRight")  # Enter opens a cell with its text selected
    at_start = ("Enter", "ArrowLeft")
    lost = True

    def ready(self, case: Case) -> None:
        """Wait until a table is there."""
        expect(self.page.get_by_role("heading", name=case.name)).to_be_visible(timeout=30_000)
        self.page.get_by_test_id("stDataFrame").locator("[data-testid^=glide-cell]").first.wait_for(state="attached")
        self.page.wait_for_timeout(1000)
        self.grid = [["" if text is None else text for text in row] for row in case.read]
        self.here, self.lost = (0, 0), True

    def finish(self) -> None:
        """Tab leaves the grid after the last column, for the button."""
        self.go(min(self.here[0], len(self.grid) - 1), len(self.grid[0]) - 1)
        self.do(["Tab", "Enter"])

    def do(self, presses: Sequence[str]) -> None:
        self.tally.press(presses)
        for press in presses:
            self.page.keyboard.press(press)
            opens = press in ("Enter", "Tab") or press.startswith("Control+")
            self.page.wait_for_timeout(OPENS_WITHIN_MS if opens else BETWEEN_KEYS_MS)

    def settle(self) -> None:
        self.page.wait_for_timeout(DRAWN_WITHIN_MS)

    def steps(self, here: Position) -> Iterable[tuple[str, Position]]:
        row, col = here
        last_row, last_col = len(self.grid), len(self.grid[0]) - 1  # below the last row stands the one to be added
        moves = {
            "ArrowRight": (row, min(col + 1, last_col)),
            "ArrowLeft": (row, max(col - 1, 0)),
            "ArrowDown": (min(row + 1, last_row), col),
            "ArrowUp": (max(row - 1, 0), col),
            "Home": (row, 0),
            "End": (row, last_col),
            "Control+Home": (0, 0),
            "Control+ArrowUp": (0, col),
        }
        return moves.items()

    def go(self, row: int, col: int) -> None:
        if not self.lost:
            return super().go(row, col)
        self.settle()
        box = self.page.get_by_test_id("stDataFrame").locator("canvas").first.bounding_box()
        assert box is not None
        # How wide the columns are depends on the state of the table; a person sees it.
        for marker in (0, MARKER, 0, MARKER):
            width = (box["width"] - marker) / len(self.grid[0])
            self.page.mouse.click(box["x"] + marker + width * (col + 0.5), box["y"] + HEIGHT * (row + 1.5))
            self.page.wait_for_timeout(DRAWN_WITHIN_MS)
            if self._cell(row, col).get_attribute("aria-selected") == "true":
                break
        self.tally.click()
        self.here, self.lost = (row, col), False
        return self.check()

    def check(self) -> None:
        row, col = self.here
        if row == len(self.grid):
            return
        expect(self._cell(row, col)).to_have_attribute("aria-selected", "true")

    def _cell(self, row: int, col: int) -> Locator:
        return self.page.get_by_test_id(f"glide-cell-{col + 1}-{row}")

    def enter(self) -> None:
        self.do(["Enter"])
        self.here = (self.here[0] + 1, self.here[1])

    def column_after_enter(self, col: int, tab_from: int) -> int:
        return col

    def insert(self, row: int) -> None:
        if row < len(self.grid):
            self.go(row, 0)
            self.do(["Control+Shift+End", "Control+c", "ArrowDown", "Control+v"])
            self.settle()
            self.do(["ArrowUp"])
            self.grid.insert(row, list(self.grid[row]))
        else:
            self.go(row - 1, 0)
            self.do(["ArrowDown"])
            self.grid.append([""] * len(self.grid[0]))
        self.here = (row, 0)

    def delete(self) -> None:
        self.do(["Shift+Space", "Delete"])
        self.lost = True

    def share(self, left: str, right: str) -> None:
        row, col = self.here
        last = len(right.split())
        typed = [*keys_of(left), "Tab", *keys_of(right)]
        cut = [*self.at_end, *["Control+Shift+ArrowLeft"] * last, "Control+x", "Backspace", "Tab", "Control+v"]
        if strokes(cut) < strokes(typed):
            self.do(cut)
            self.here = (row, col + 1)
        else:
            self.do([*typed, "Enter"])
            self.here = (row + 1, col + 1)

    def join(self, row: int, col: int, whole: str) -> None:
        lost = " ".join(whole.split()[-WORDS_BROKEN_OFF:])
        typed, pasted = [*self.at_end, " ", *keys_of(lost)], ["Control+c", "ArrowUp", *self.at_end, " ", "Control+v"]
        shorter = strokes(pasted) < strokes(typed)
        self.go(row + 1 if shorter else row, col)
        self.think()
        self.do([*(pasted if shorter else typed), "Enter"])
        self.here = (row + 1, col)

    def move_left(self, row: int, col: int) -> None:
        self.go(row, col)
        self.do([*["Shift+ArrowDown"] * (SHIFTED_ROWS - 1), "Control+x", "ArrowLeft", "Control+v"])
        self.settle()
        there = self._cell(row, col - 1)
        for _ in range(3):
            if there.text_content() == self.grid[row][col]:
                break
            self.do(["Control+v"])  # the first one after a cut is sometimes lost
            self.settle()
        self.here = (row, col - 1)
