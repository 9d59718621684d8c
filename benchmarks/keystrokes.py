"""Keys and time to correct the same sixty errors here and in a plain st.data_editor: python -m benchmarks.keystrokes"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, expect

from benchmarks import data_editor, planted
from benchmarks.data_editor import DataEditor
from benchmarks.figures import machine
from benchmarks.keystroke_model import CLICK, Effort, H, K, M, P, Tally
from benchmarks.planted import SHIFTED_ROWS, Case, Planted
from benchmarks.server import chromium, imported, rows_of, serving
from benchmarks.sheets import Position, Sheet
from store import gold
from store.db import Db

AT_MOST = 0.5
ALONE = 10_000  # added to the numbers of rows of the first extraction that stand alone
BETWEEN = "opening, accepting"


class Review(Sheet):
    """One table in the review of Proofgrid; its header is row -1 here.

    With ``reads`` the page has words, and one key reads them into the selected cells; without it, as on a page that is
    a picture, what is wrong is typed.
    """

    reads = True

    at_end = ("F2",)
    at_start = ("F2", "Control+Home")  # Home alone stays in its line
    doubts: Sequence[Position] = ()
    lines: Sequence[int] = ()

    def ready(self, case: Case) -> None:
        """Wait until a table is there; doubts are visited in reading order."""
        expect(self.page.locator("[data-row='1'][data-col='0']")).to_contain_text(case.read[0][0] or "", timeout=30_000)
        self.grid = [list(row) for row in case.read]
        self.here = (0, 0)
        expect(self.page.locator("[data-row='1'][data-col='0']")).to_be_focused()
        self.do(["Alt+o"])
        expect(self.page.get_by_test_id("order")).to_have_text("in reading order")

    def finish(self) -> None:
        """Accept: the next table opens by itself."""
        self.do(["Control+Enter"])

    def settle(self) -> None:
        expect(self.page.get_by_test_id("save-state")).to_have_text("saved")
        doubts, lines = self._asked("[review.doubts(), review.lines()]")
        self.doubts = sorted((row - 1, col) for row, col in doubts)
        self.lines = [first + ALONE if gold is None else gold - 1 for gold, first in lines]

    def _asked(self, expression: str) -> Any:
        return self.page.locator(".review").evaluate(f"({{ __review: review }}) => {expression}")

    def steps(self, here: Position) -> Iterable[tuple[str, Position]]:
        row, col = here
        line, last_col = self.lines.index(row), len(self.grid[0]) - 1
        right = col + 1
        while 0 <= row < ALONE and right <= last_col and self.grid[row][right] is None:
            right += 1
        moves = {
            "ArrowRight": (row, right if right <= last_col else col),
            "ArrowLeft": (row, max(self.anchor(here)[1] - 1, 0)),
            "ArrowDown": (self.lines[min(line + 1, len(self.lines) - 1)], col),
            "ArrowUp": (self.lines[max(line - 1, 0)], col),
            "Home": (row, 0),
            "End": (row, last_col),
            "Control+Home": (self.lines[0], 0),
            "Control+End": (self.lines[-1], last_col),
        }
        if self.doubts and row < ALONE:
            at = self.anchor(here)
            moves["Alt+ArrowDown"] = next((one for one in self.doubts if one > at), self.doubts[0])
            moves["Alt+ArrowUp"] = next((one for one in reversed(self.doubts) if one < at), self.doubts[-1])
        return moves.items()

    def check(self) -> None:
        row, col = self.here
        found = self._asked("review.selected()")
        assert found == {"row": row + 1, "col": col}, f"the selection is at {found}, expected {self.here}"

    def column_after_enter(self, col: int, tab_from: int) -> int:
        return tab_from

    def correct(self, error: Planted, case: Case) -> None:
        row, col, right = error.row, error.col, case.truth[error.row]
        if not self.reads or error.kind == "twice":
            return super().correct(error, case)
        self.think()
        match error.kind:
            case "wrong":
                self.go(row, col)
                self._read(row, {col: right[col]})
            case "missed":
                self.think()
                self.insert(row)
                self._read(row, dict(enumerate(right)))
            case "merged":
                self.go(row, col)
                self.think()
                self.do(["Alt+s"])
                self._read(row, {col: right[col], col + 1: right[col + 1]})
            case "broken":
                self.go(row, col)
                self._read(row, {col: right[col]})
                self.do(["ArrowDown", "Alt+Delete"])
                del self.grid[row + 1]
                self.here = (row + 1, col) if row + 1 < len(self.grid) else (row, col)
            case _:
                self.go(row, col - 1)
                self.do(["Shift+ArrowRight", *["Shift+ArrowDown"] * (SHIFTED_ROWS - 1)])
                self.here = (row + SHIFTED_ROWS - 1, col)
                for line in range(row, row + SHIFTED_ROWS):
                    self.grid[line] = list(case.truth[line])
                self._read(row, {col - 1: right[col - 1], col: right[col]})
        return None

    def _read(self, row: int, right: Mapping[int, str]) -> None:
        """Read the selection from the page, and look whether what came is right."""
        self.settle()
        self.think()
        self.do(["Alt+x"])
        self.think()
        for col, text in right.items():
            expect(self.page.locator(f"[data-row='{row + 1}'][data-col='{col}']")).to_contain_text(text)
            self.grid[row][col] = text

    def insert(self, row: int) -> None:
        self.go(row - 1, 0)
        self.do(["Alt+i"])
        self.grid.insert(row, [""] * len(self.grid[0]))
        self.here = (row, 0)

    def delete(self) -> None:
        self.do(["Alt+Delete"])

    def share(self, left: str, right: str) -> None:
        self.do(["Alt+s"])
        self.think()
        words = len(right.split())
        # Two words are split at their space, which is proposed; more of them at the caret.
        caret = [*self.at_end, *["Control+ArrowLeft"] * words] if words > 1 else []
        self.do([*caret, "Alt+Shift+s"])
        expect(self.page.get_by_test_id("split-parts").get_by_role("listitem")).to_have_text([left, right])
        self.do(["Enter"])

    def join(self, row: int, col: int, whole: str) -> None:
        self.go(row + 1, col)
        self.think()
        self.do(["Shift+ArrowUp", "Alt+Shift+m"])
        self.here = (row, col)
        # The row below is matched anew: what the first extraction has there may now stand between.
        self.page.wait_for_function("row => row.__review.pending() === 0", arg=self.page.query_selector(".review"))
        self.go(row + 1, col)

    def move_left(self, row: int, col: int) -> None:
        # From the bottom up: the cursor ends at the top, where the block is to go on.
        self.go(row + SHIFTED_ROWS - 1, col)
        self.do([*["Shift+ArrowUp"] * (SHIFTED_ROWS - 1), "Control+x", "ArrowLeft", "Control+v"])
        self.here = (row, col - 1)


def main() -> int:
    """Print both; exit status 1 where ours needs more than half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=len(planted.PLAN), help="only the first so many tables")
    count = parser.parse_args().tables
    expect.set_options(timeout=30_000)
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as name, chromium() as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        folder = Path(name, "documents")
        cases = planted.write(folder)[:count]
        home = Path(name, "home")
        imported(folder, home, project="planted")
        typed_home = shutil.copytree(home, Path(name, "typed"))
        ours, typed = _review(context, home, cases, reads=True), _review(context, typed_home, cases, reads=False)
        theirs = _data_editor(context, folder, cases)
    return 0 if _printed(ours, typed, theirs) else 1


def _work(sheet: Sheet, cases: Sequence[Case]) -> None:
    for case in cases:
        sheet.tally.begin(BETWEEN)
        sheet.ready(case)
        for error in case.errors:
            sheet.tally.begin(error.kind)
            sheet.correct(error, case)
        sheet.tally.begin(BETWEEN)
        sheet.tally.now.errors -= 1
        sheet.finish()
    sheet.tally.end()


def _review(context: BrowserContext, home: Path, cases: Sequence[Case], *, reads: bool) -> Tally:
    sql = "select g.id, d.name from gold g join document d on d.id = g.document"
    golds = {Path(document).stem: key for key, document in rows_of(home, sql)}
    tally = Tally()
    with serving(home) as url:
        page = context.new_page()
        sheet = Review(page, tally)
        sheet.reads = reads
        for case in cases:  # in our order, not that of the queue: no key of the job is left out
            page.goto(f"{url}/review?table={golds[case.name]}")
            _work(sheet, [case])
            _is_true(_gold(home, golds[case.name]), case, "Proofgrid")
        page.close()
    return tally


def _gold(home: Path, key: int) -> list[list[str]]:
    """Gold without its header, once it is accepted."""
    while not rows_of(home, "select 1 from verdict where gold = ? and verdict = 'accept'", key):
        time.sleep(0.05)
    db = Db(home / "proofgrid.db")
    with db.read() as reader:
        table = gold.current(db, reader, key)[1].table
    lines = [[table.at(row, col) for col in range(table.n_cols)] for row in range(1, table.n_rows)]
    return [[cell.text if cell else "" for cell in line] for line in lines]


def _data_editor(context: BrowserContext, folder: Path, cases: Sequence[Case]) -> Tally:
    tally = Tally()
    with data_editor.serving(folder, cases) as url:
        page = context.new_page()
        page.set_viewport_size({"width": 1440, "height": 1200})  # nothing is ever scrolled away
        page.goto(url)
        _work(DataEditor(page, tally), cases)
        expect(page.get_by_text("All tables are done.")).to_be_visible()
        page.close()
    for case in cases:
        _is_true(json.loads((folder / f"{case.name}.gold.json").read_text()), case, "st.data_editor")
    return tally


def _is_true(found: list[list[str]], case: Case, where: str) -> None:
    assert found == [list(row) for row in case.truth], f"{where}: {case.name} is not as the truth: {found}"


def _printed(ours: Tally, typed: Tally, theirs: Tally) -> bool:
    names = {**planted.KINDS, BETWEEN: BETWEEN}
    whole = _sum(ours), _sum(typed), _sum(theirs)
    lines = [(label, *(one.by_kind[kind] for one in (ours, typed, theirs))) for kind, label in names.items()]
    print(f"{'':26}{'page with words':>16}{'a picture':>16}{'st.data_editor':>26}{'ratio of keys':>18}")
    print(_line("", "n", "keys", "s", "keys", "s", "keys", "clicks", "s", "words", "picture"))
    for label, one, other, plain in [*lines, ("all", *whole)]:
        each = max(1, plain.errors)
        figures = [one.strokes, one.seconds, other.strokes, other.seconds, plain.strokes, plain.clicks, plain.seconds]
        ratios = (f"{own.strokes / plain.strokes:.2f}" for own in (one, other))
        print(_line(label, str(plain.errors or ""), *(f"{figure / each:.1f}" for figure in figures), *ratios))
    print(f"\nfor each error (table); K {K} s, P {P} s, H {H} s, M {M} s, a click {CLICK:.1f} s\n{machine()}")
    return whole[0].strokes <= AT_MOST * whole[2].strokes


def _line(label: str, *texts: str) -> str:
    return f"{label:20}" + "".join(f"{text:>8}" for text in texts)


def _sum(tally: Tally) -> Effort:
    whole = Effort()
    for kind, one in tally.by_kind.items():
        whole.errors += one.errors if kind in planted.KINDS else 0
        whole.strokes += one.strokes
        whole.clicks += one.clicks
        whole.thoughts += one.thoughts
    return whole


if __name__ == "__main__":
    sys.exit(main())
