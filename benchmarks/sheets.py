"""A skilled hand that corrects planted errors in a sheet: what is the same in ours and in a plain grid."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from playwright.sync_api import Page

from benchmarks.keystroke_model import Tally, keys_of, rewriting, shortest
from benchmarks.planted import SHIFTED_ROWS, Case, Planted

Position = tuple[int, int]


class Sheet(ABC):
    """One grid on the screen; rows are counted without the header."""

    at_end: Sequence[str]
    at_start: Sequence[str]

    def __init__(self, page: Page, tally: Tally) -> None:
        self.page, self.tally = page, tally
        self.grid: list[list[str | None]] = []
        self.here: Position = (0, 0)

    @abstractmethod
    def steps(self, here: Position) -> Iterable[tuple[str, Position]]:
        """The keys that move the selection, each with where it leads."""

    @abstractmethod
    def insert(self, row: int) -> None:
        """A row of empty or worthless texts before a row; its first cell is selected."""

    @abstractmethod
    def delete(self) -> None:
        """The selected row goes."""

    @abstractmethod
    def share(self, left: str, right: str) -> None:
        """The text of the selected cell, two texts with a space between, goes into two cells."""

    @abstractmethod
    def join(self, row: int, col: int, whole: str) -> None:
        """The text of the cell below is added to a cell; the row below is selected then."""

    @abstractmethod
    def move_left(self, row: int, col: int) -> None:
        """The cells of a column from a row on, SHIFTED_ROWS of them, go into the column to their left."""

    @abstractmethod
    def settle(self) -> None:
        """Wait, as a person need not, until all is drawn."""

    @abstractmethod
    def check(self) -> None:
        """Fail where the selection is not where it should be."""

    def do(self, presses: Sequence[str]) -> None:
        """Press keys, and count them."""
        self.tally.press(presses)
        for press in presses:
            self.page.keyboard.press(press)

    def think(self) -> None:
        """The person looks or thinks."""
        self.tally.now.thoughts += 1

    def go(self, row: int, col: int) -> None:
        """Select a cell by the fewest keys."""
        self.settle()
        path = shortest(self.here, lambda place: place == (row, col), self.steps)
        self.do(path)
        # Each doubtful cell on the way is looked at, and proves right.
        self.tally.now.thoughts += sum(press.startswith("Alt+Arrow") for press in path[:-1])
        self.here = (row, col)
        self.check()

    def anchor(self, place: Position) -> Position:
        """The cell that covers a position."""
        row, col = place
        while 0 <= row < len(self.grid) and self.grid[row][col] is None:
            col -= 1
        return row, col

    def enter(self) -> None:
        """Commit what is typed and go down."""
        self.do(["Enter"])
        self.here = (min(self.here[0] + 1, len(self.grid) - 1), self.here[1])

    def correct(self, error: Planted, case: Case) -> None:
        """Put one error right; all rows above it are right already."""
        row, col, right = error.row, error.col, case.truth[error.row]
        self.think()
        match error.kind:
            case "wrong":
                self.go(row, col)
                self.think()
                old = self.grid[row][col] or ""
                self.do(rewriting(old, right[col], at_end=self.at_end, at_start=self.at_start))
                self.grid[row][col] = right[col]
                self.enter()
            case "missed":
                self.think()
                self.insert(row)
                self._type_row(list(right))
            case "twice":
                self.go(row + 1, self.here[1])
                self.think()
                self.delete()
                del self.grid[row + 1]
            case "merged":
                self.go(row, col)
                self.think()
                self.share(right[col], right[col + 1])
                self.grid[row][col : col + 2] = right[col : col + 2]
            case "broken":
                self.join(row, col, right[col])
                self.grid[row][col] = right[col]
                self.think()
                self.delete()
                del self.grid[row + 1]
            case _:
                self.think()
                self.move_left(row, col)
                for line in range(row, row + SHIFTED_ROWS):
                    self.grid[line] = list(case.truth[line])

    def _type_row(self, texts: list[str]) -> None:
        row, _ = self.here
        for col, text in enumerate(texts):
            if text:
                self.think()
                self.do([*keys_of(text)])
            elif self.grid[row][col]:
                self.do(["Delete"])
            if col < len(texts) - 1:
                self.do(["Tab"])
        self.grid[row] = list(texts)
        self.here = (row, len(texts) - 1)
        self.enter()
        self.here = (self.here[0], self.column_after_enter(len(texts) - 1, 0))

    @abstractmethod
    def column_after_enter(self, col: int, tab_from: int) -> int:
        """Where Enter goes after a run of Tab."""
