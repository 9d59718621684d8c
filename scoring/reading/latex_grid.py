"""LaTeX tables as values: tabular and its like, whole or cut off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.reading.html_grid import LARGEST_GRID, TooLargeError
from scoring.table import LARGEST_COL_SPAN, LARGEST_ROW_SPAN, Cell, Table

# The arguments before the column specification, an optional one in brackets aside.
_BEFORE_SPEC = {"tabular*": 1, "tabularx": 1, "tabulary": 1, "xltabular": 1, "tabularray": 0}
_NAMES = r"tabular[*xy]?|longtable\*?|supertabular\*?|xltabular|tabu|tblr|array"
_BEGIN = re.compile(rf"\\begin\s*\{{({_NAMES})\}}")
_TOKEN = re.compile(
    r"\\verb\*?([^A-Za-z\s*])|\\(begin|end)\s*\{([^{}]{0,40})\}|\\([A-Za-z]+)\*?|\\\\\*?(?:\s?\[[^\[\]]{0,20}\])?"
    r"|\\(.?)|([{}&])|(?<![0-9])%[^\n]*(?:\n[ \t]*)?|(?<=[0-9])%",
    re.DOTALL,
)
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_ARGUMENT = re.compile(r"\s*(?:\{|(\[[^\[\]{}]{0,99}\]|\([^(){}]{0,20}\))|(\*))")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_BREAKS = re.compile(r" *(?:\0 *)+")
_NUMBER = re.compile(r"\s*(-?[0-9]{1,6})(?:\.[0-9]*)?\s*")
_RULES = frozenset(("hline", "toprule", "midrule", "bottomrule", "hhline", "Xhline", "specialrule", "hdashline"))
_HEAD_RULES = frozenset(("midrule",))
# Commands of a table that are no text, with the number of their arguments; optional ones come on top.
_NO_TEXT = dict.fromkeys(("hline", "toprule", "midrule", "bottomrule", "hdashline", "addlinespace", "centering"), 0)
_NO_TEXT |= dict.fromkeys(("cline", "cmidrule", "hhline", "Xhline", "noalign", "caption", "label", "rowcolor"), 1)
_NO_TEXT |= {"specialrule": 3, "cdashline": 1, "arrayrulecolor": 1, "morecmidrules": 0, "rowfont": 1, "pagebreak": 0}
_NO_TEXT |= {"cellcolor": 1, "vspace": 1, "hspace": 1, "raggedright": 0, "arraybackslash": 0, "rowstyle": 1}
# Of these the last argument is the text of the cell; what comes before says how it is set.
_WRAPPERS = {"makecell": 0, "shortstack": 0, "thead": 0, "multicolumn": 2, "multirow": 2, "parbox": 1, "rotatebox": 1}
_WRAPPERS |= {"multirowcell": 1, "multirowthead": 1, "Block": 1}


def latex_tables(text: str) -> tuple[Table, ...]:
    """The tables of every ``tabular``, ``tabularx``, ``longtable``, ``array`` and their like that is in no other one.

    Cells keep their LaTeX, comments and commands for rules and captions aside; line ends inside braces
    (``\\makecell``) and rows of a nested table are newlines. A ``\\multirow`` covers the cells below, or above for a
    negative number, as far as these are empty. The rows before the first ``\\midrule`` are column headers, or those
    between the first two ``\\hline``; of a ``longtable`` the first head is. An environment that is not closed ends
    with the text; "%" after a digit is a percent sign that was not escaped, else a comment.

    Raises TooLargeError for more than 100,000 positions.
    """
    text = text.replace("\0", " ")
    closing = _closing(text)
    tables: list[Table] = []
    place = 0
    while (found := _BEGIN.search(text, place)) is not None:
        reader = _Reader(text, closing)
        place = reader.read(_after_spec(text, found.end(), found[1], closing))
        table = _table(reader)
        if table.cells:
            tables.append(table)
    return tuple(tables)


@dataclass(slots=True)
class _Written:
    """A cell as it was written: its text in pieces, its spans."""

    pieces: list[str] = field(default_factory=list)
    width: int = 1
    height: int = 1

    @property
    def text(self) -> str:
        return _BREAKS.sub("\n", _SPACE.sub(" ", "".join(self.pieces)).strip(" \0"))


@dataclass
class _Reader:
    """The rows of one environment and where rules stand between them."""

    text: str
    closing: dict[int, int]
    rows: list[list[_Written]] = field(default_factory=lambda: [[_Written()]])
    head: list[list[_Written]] | None = None
    foot: list[list[_Written]] = field(default_factory=list)
    rules: list[int] = field(default_factory=list)  # the number of rows above each
    head_rules: list[int] = field(default_factory=list)

    def read(self, place: int) -> int:
        """Reads from a place to the end of the environment and returns where that is."""
        nested = 0  # environments inside this one
        ends: list[int] = []  # of the braces that are open
        silent: set[int] = set()  # braces that are no text
        while (found := _TOKEN.search(self.text, place)) is not None:
            self._add(self.text[place : found.start()])
            start, place = found.start(), found.end()
            verbatim, edge, environment, name, sign, mark = found.groups()
            inside = bool(nested or ends)
            if verbatim:
                end = self.text.find(verbatim, place)
                end = len(self.text) if end < 0 else end
                self._add(self.text[place:end])
                place = end + 1
            elif edge == "end":
                if not nested:
                    self._finish()
                    return place
                nested -= 1
            elif edge == "begin":
                nested += 1
                if re.fullmatch(_NAMES, environment):
                    place = _after_spec(self.text, place, environment, self.closing)
            elif name:
                place = self._command(name, found[0], place, inside, silent, free=not nested)
            elif mark == "{":
                if start in self.closing:
                    ends.append(self.closing[start])
                if start not in silent:
                    self._add("{")
            elif mark == "}":
                if ends and ends[-1] == start:
                    ends.pop()
                if start not in silent:
                    self._add("}")
            elif mark == "&":
                if inside:
                    self._add(" ")
                else:
                    self.rows[-1].append(_Written())
            elif sign is not None:
                self._add(found[0])
            elif found[0].startswith("\\"):
                self._end_row(inside)
            elif found[0] == "%":
                self._add("\\%")
        self._add(self.text[place:])
        self._finish()
        return len(self.text)

    def _command(self, name: str, written: str, place: int, inside: bool, silent: set[int], *, free: bool) -> int:
        if name in _RULES and not inside:
            self.rules.append(self._count())
            if name in _HEAD_RULES:
                self.head_rules.append(self._count())
        if name in ("tabularnewline", "cr"):
            self._end_row(inside)
        elif name in ("endfirsthead", "endhead", "endfoot", "endlastfoot") and not inside:
            self._end_part(name)
        elif name in _NO_TEXT:
            if name == "hline":  # "[" after it is text
                return place
            return _after_arguments(self.text, place, _NO_TEXT[name], self.closing)[0]
        elif name in _WRAPPERS:
            return self._wrapper(name, place, silent, free=free)
        else:
            self._add(written)
        return place

    def _wrapper(self, name: str, place: int, silent: set[int], *, free: bool) -> int:
        place, arguments = _after_arguments(self.text, place, _WRAPPERS[name], self.closing)
        cell = self.rows[-1][-1]
        number = _NUMBER.fullmatch(arguments[0]) if arguments else None
        if number is not None and free:
            if name == "multicolumn":
                cell.width = min(max(int(number[1]), 1), LARGEST_COL_SPAN)
            elif name.startswith("multirow"):
                cell.height = max(min(int(number[1]), LARGEST_ROW_SPAN), -LARGEST_ROW_SPAN) or 1
        place = _after_options(self.text, place)
        found = _ARGUMENT.match(self.text, place)
        if found is not None and found[0].endswith("{"):
            silent.add(found.end() - 1)
            silent.add(self.closing.get(found.end() - 1, -1))
        return place

    def _add(self, piece: str) -> None:
        pieces = self.rows[-1][-1].pieces
        if pieces or piece.strip(" \t\r\n\f\0"):
            pieces.append(piece)

    def _count(self) -> int:
        """The rows that are complete, without one that has just begun."""
        return len(self.rows) - 1 + (not _is_blank(self.rows[-1]))

    def _end_row(self, inside: bool) -> None:
        if inside:
            self._add("\0")
        elif _is_blank(self.rows[-1]):
            self.rows[-1] = [_Written()]
        else:
            self.rows.append([_Written()])

    def _end_part(self, name: str) -> None:
        rows = [row for row in self.rows if not _is_blank(row)]
        self.rows, self.rules, self.head_rules = [[_Written()]], [], []
        if name in ("endfirsthead", "endhead"):
            self.head = self.head or rows
        elif name == "endlastfoot":
            self.foot = rows

    def _finish(self) -> None:
        if _is_blank(self.rows[-1]):
            self.rows.pop()


def _is_blank(row: Sequence[_Written]) -> bool:
    return len(row) == 1 and row[0].width == row[0].height == 1 and not row[0].pieces


def _table(reader: _Reader) -> Table:
    head = reader.head or []
    rows = [*head, *reader.rows, *reader.foot]
    header_rows = len(head) or _header_rows(reader, len(rows))
    anchors: dict[tuple[int, int], _Written] = {}
    n_cols = 0
    for row, cells in enumerate(rows):
        col = 0
        for cell in cells:
            anchors[row, col] = cell
            col += cell.width
        n_cols = max(n_cols, col)
        if len(rows) * n_cols > LARGEST_GRID:
            raise TooLargeError(
                f"a table has {len(rows):,} rows and {n_cols:,} columns at its row {row + 1}, expected at most "
                f"{LARGEST_GRID:,} positions; look for a wrong multicolumn"
            )
    covered: set[tuple[int, int]] = set()
    spans: dict[tuple[int, int], range] = {}
    for (row, col), cell in anchors.items():
        if abs(cell.height) > 1 and (row, col) not in covered:
            spans[row, col] = _reach(anchors, covered, row, col, len(rows))
    cells_of_table = []
    for (row, col), cell in anchors.items():
        reach = spans.get((row, col), range(row, row + 1))
        if (row, col) not in covered:
            header = "column" if reach.start < header_rows else ""
            cells_of_table.append(Cell(reach.start, col, cell.text, len(reach), cell.width, header))  # type: ignore[arg-type]
    return Table(len(rows), n_cols, tuple(cells_of_table))


def _reach(
    anchors: dict[tuple[int, int], _Written], covered: set[tuple[int, int]], row: int, col: int, n_rows: int
) -> range:
    """The rows that a cell with \\multirow covers; the empty cells there are given up to it."""
    cell = anchors[row, col]
    step = 1 if cell.height > 0 else -1
    end = row + step
    while 0 <= end < n_rows and abs(end - row) < abs(cell.height):
        under = _under(anchors, end, col, cell.width)
        if under is None or any(place in covered or anchors[place].text for place in under):
            break
        covered.update(under)
        end += step
    return range(row, end) if step > 0 else range(end + 1, row + 1)


def _under(anchors: dict[tuple[int, int], _Written], row: int, col: int, width: int) -> list[tuple[int, int]] | None:
    """The cells of a row in some columns; None where one reaches out of them."""
    places = []
    for across in range(col, col + width):
        cell = anchors.get((row, across))
        if cell is not None:
            if across + cell.width > col + width or abs(cell.height) > 1:
                return None
            places.append((row, across))
    first = anchors.get((row, col))
    if first is None and any((row, left) in anchors and left + anchors[row, left].width > col for left in range(col)):
        return None
    return places


def _header_rows(reader: _Reader, n_rows: int) -> int:
    ends = reader.head_rules or [rule for rule in reader.rules if rule > 0]
    count = next((rule for rule in ends if rule > 0), 0)
    return count if count < n_rows else 0


def _closing(text: str) -> dict[int, int]:
    """The place of the brace that closes each brace."""
    opened: list[int] = []
    closing: dict[int, int] = {}
    for found in _BRACES.finditer(text):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            closing[opened.pop()] = found.start()
    return closing


def _after_options(text: str, place: int) -> int:
    while (found := _ARGUMENT.match(text, place)) is not None and found[1]:
        place = found.end()
    return place


def _after_arguments(text: str, place: int, count: int, closing: dict[int, int]) -> tuple[int, list[str]]:
    """Where some arguments and the options before and between them end, and what the arguments are."""
    arguments: list[str] = []
    place = _after_options(text, place)
    while len(arguments) < count and (found := _ARGUMENT.match(text, place)) is not None:
        end = found.end() - 1 if found[2] else closing.get(found.end() - 1)
        if end is None:
            break
        arguments.append(text[found.end() : end])
        place = end + 1
        if len(arguments) < count:
            place = _after_options(text, place)
    return place, arguments


def _after_spec(text: str, place: int, environment: str, closing: dict[int, int]) -> int:
    return _after_arguments(text, place, _BEFORE_SPEC.get(environment, 0) + 1, closing)[0]
