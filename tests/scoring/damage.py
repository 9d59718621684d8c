"""Tables of orders with realistic values, and one kind of damage each with the place where it was done."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from scoring import Box, Cell, Table, TableType, from_rows
from scoring.confusions import LOOK_ALIKE

HEAD = ["Code", "Article", "Unit", "Quantity", "Price", "Shipped", "Note"]
CODE, ARTICLE, UNIT, QUANTITY, PRICE, SHIPPED, NOTE = range(7)
KINDS = ("steel", "brass", "copper", "nylon", "rubber", "zinc", "oak", "glass", "paper", "titanium")
THINGS = ("bolt", "washer", "bracket", "hinge", "beaker", "funnel", "gasket", "spring", "cable", "clamp", "ferrule")
MAKERS = ("Acme", "Fuji Tools", "Norddraht", "Zhao & Co", "Petit Frères", "Hokkaido Parts", "Vega", "Quirk Ltd")
ARTICLES = [f"{kind} {thing}, {maker}" for kind in KINDS for thing in THINGS for maker in MAKERS]
NOTES = ("fragile", "by air", "backorder", "samples only", "gift wrap", "checked twice", "second choice")
OTHERS = ("velvet curtain, Wexford", "ivory whistle, Yukon", "jute hammock, Xerxes", "wax museum, Kyiv")


def order_type(*, key: bool = False) -> TableType:
    kinds = ["id", "text", "text", "integer", "currency", "date", "text"]
    columns = [{"name": name, "type": kind} for name, kind in zip(HEAD, kinds, strict=True)]
    columns[SHIPPED]["date_patterns"] = ["%Y-%m-%d", "%d.%m.%Y"]  # type: ignore[assignment]
    if key:
        columns[CODE]["key"] = True  # type: ignore[assignment]
    return TableType.from_json({"name": "orders", "columns": columns})


Rows = list[list[str]]


def order(chance: random.Random, rows: int | None = None) -> Rows:
    """Data rows: codes, articles, quantities and prices are each unique, a note stands in every other row."""
    count = rows or chance.randrange(6, 16)
    articles = chance.sample(ARTICLES, count)
    codes = chance.sample(range(100_000), count)
    quantities = chance.sample(range(10, 9999), count)
    prices = chance.sample(range(100_000, 9_999_999), count)
    return [
        [
            f"BF-{codes[at]:05}",
            articles[at],
            chance.choice(("kg", "pcs", "m", "box")),
            str(quantities[at]),
            f"{prices[at] / 100:,.2f}",
            f"20{chance.randrange(10, 26)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
            chance.choice(NOTES) if at % 2 else "",
        ]
        for at in range(count)
    ]


def table(rows: Rows, head: list[str] = HEAD) -> Table:
    return from_rows([head, *rows], header_rows=1)


Places = tuple[tuple[int, int], ...]
Found = tuple[str, Places, tuple[int, ...], Places, tuple[int, ...]]


@dataclass(frozen=True)
class Damaged:
    """Gold, the damaged prediction, and the findings expected: label, gold cells, rows, predicted cells, rows."""

    gold: Table
    pred: Table | None
    expected: tuple[
        tuple[str, tuple[tuple[int, int], ...], tuple[int, ...], tuple[tuple[int, int], ...], tuple[int, ...]], ...
    ]
    source: str | None = None
    others: tuple[Table, ...] = ()


def source_of(*tables: Rows) -> str:
    return "\n".join(" ".join(row) for rows in tables for row in rows)


def _cell(gold: Rows, pred: Rows, label: str, row: int, col: int, **more: object) -> Damaged:
    place = (row + 1, col)
    more.setdefault("source", source_of(gold))
    return Damaged(table(gold), table(pred), ((label, (place,), (), (place,), ()),), **more)  # type: ignore[arg-type]


def _set(rows: Rows, row: int, col: int, text: str) -> Rows:
    found = [list(line) for line in rows]
    found[row][col] = text
    return found


Change = Callable[[random.Random, Rows], tuple[int, int, str]]


Damage = Callable[[random.Random], Damaged]


def in_cell(label: str, change: Change, *, source: bool = True, more_source: str = "") -> Damage:
    def damage(chance: random.Random) -> Damaged:
        gold = order(chance)
        row, col, text = change(chance, gold)
        said = source_of(gold) + more_source if source else None
        return _cell(gold, _set(gold, row, col, text), label, row, col, source=said)

    return damage


def _missing(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    return chance.randrange(len(rows)), chance.randrange(CODE, NOTE), chance.choice(("", " "))


def _spurious(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    return chance.randrange(0, len(rows), 2), NOTE, chance.choice((*NOTES, "4", "???"))


def _formatting(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    """Other ways to write a value; the last one is the same text in a table without a type, too."""
    row = chance.randrange(len(rows))
    price, (year, month, day) = rows[row][PRICE], rows[row][SHIPPED].split("-")
    return row, *chance.choice(  # type: ignore[return-value]
        (
            (PRICE, price.replace(",", "")),
            (PRICE, f"$ {price}"),
            (SHIPPED, f"{day}.{month}.{year}"),
            (QUANTITY, f" {rows[row][QUANTITY]} "),
        )
    )


def _sign(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row, col = chance.randrange(len(rows)), chance.choice((QUANTITY, PRICE))
    return row, col, chance.choice(("-{}", "({})", "{}-", "−{}")).format(rows[row][col])


def _magnitude(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row = chance.randrange(len(rows))
    cents = int(rows[row][PRICE].replace(",", "").replace(".", ""))
    power = chance.choice((1, 2, 3, 6))
    return row, PRICE, chance.choice((f"{cents * 10**power / 100:,.2f}", f"{cents / 100 / 10**power:.9f}"))


def _truncated(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row, col, cut = chance.randrange(len(rows)), chance.choice((CODE, ARTICLE)), chance.randrange(1, 4)
    text = rows[row][col]
    return row, col, (text[cut:] if chance.random() < 0.5 else text[:-cut]).strip()


def _overrun(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row, col = chance.randrange(len(rows)), chance.choice((CODE, ARTICLE, UNIT))
    return row, col, chance.choice(("{} x", "* {}", "{}:", "{} per set")).format(rows[row][col])


def _confusion(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row, col = chance.randrange(len(rows)), chance.choice((CODE, ARTICLE, SHIPPED))
    text = rows[row][col]
    options = [
        text[:at] + other + text[at + 1 :]
        for at, letter in enumerate(text)
        for letters in LOOK_ALIKE
        if letter in letters
        for other in letters
        if other != letter
    ]
    options += [text.replace("rn", "m", 1)] if "rn" in text else []
    options += [text.replace("m", "rn", 1)] if "m" in text else []
    return row, col, chance.choice(options)


def _from_column(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row = chance.randrange(1, len(rows), 2)
    to, source = chance.choice(((ARTICLE, CODE), (ARTICLE, NOTE), (SHIPPED, ARTICLE), (NOTE, ARTICLE), (CODE, SHIPPED)))
    return row, to, rows[row][source]


def _from_row(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row, other = chance.sample(range(len(rows)), 2)
    return row, ARTICLE, rows[other][ARTICLE]


def _edit(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    row, col = chance.randrange(len(rows)), chance.choice((CODE, ARTICLE))
    text = rows[row][col]
    at = chance.randrange(1, len(text) - 1)
    return row, col, chance.choice((text[:at] + "#" + text[at + 1 :], text[:at] + "~" + text[at:]))


def _other(chance: random.Random, rows: Rows) -> tuple[int, int, str]:
    return chance.randrange(len(rows)), ARTICLE, chance.choice(OTHERS)


def moved_value(chance: random.Random) -> Damaged:
    gold = order(chance)
    row, col = chance.randrange(0, len(gold), 2), chance.choice((ARTICLE, SHIPPED, CODE))
    pred = _set(_set(gold, row, NOTE, gold[row][col]), row, col, "")
    places = ((row + 1, col), (row + 1, NOTE))
    return Damaged(table(gold), table(pred), (("wrong_column_same_row", places, (), places, ()),), source_of(gold))


def missed_row(chance: random.Random) -> Damaged:
    gold = order(chance)
    row = chance.randrange(len(gold))
    pred = gold[:row] + gold[row + 1 :]
    return Damaged(table(gold), table(pred), (("missed_row", (), (row + 1,), (), ()),), source_of(gold))


def _one_more(label: str, *, known: bool, source: bool = True) -> Damage:
    def damage(chance: random.Random) -> Damaged:
        (new,), gold = order(chance, 1), order(chance)
        new = [new[0], chance.choice(OTHERS), *new[2:]]
        at = chance.randrange(len(gold) + 1)
        said = source_of(gold, [new]) if known else source_of(gold)
        pred = [*gold[:at], new, *gold[at:]]
        return Damaged(table(gold), table(pred), ((label, (), (), (), (at + 1,)),), said if source else None)

    return damage


def duplicated_row(chance: random.Random) -> Damaged:
    gold = order(chance)
    row = chance.randrange(len(gold))
    pred = [*gold[: row + 1], gold[row], *gold[row + 1 :]]
    return Damaged(table(gold), table(pred), (("duplicated_row", (), (), (), (row + 2,)),), source_of(gold))


def merged_rows(chance: random.Random) -> Damaged:
    gold, many = order(chance), chance.choice((2, 2, 3))
    row = chance.randrange(len(gold) - many + 1)
    joined = [" ".join(filter(None, texts)) for texts in zip(*gold[row : row + many], strict=True)]
    pred = [*gold[:row], joined, *gold[row + many :]]
    rows = tuple(range(row + 1, row + 1 + many))
    return Damaged(table(gold), table(pred), (("merged_rows", (), rows, (), (row + 1,)),), source_of(gold))


def split_row(chance: random.Random) -> Damaged:
    gold = order(chance)
    row = chance.randrange(len(gold))
    first, rest = gold[row][ARTICLE].split(" ", 1)
    pieces = [[*gold[row]], [""] * len(HEAD)]
    pieces[0][ARTICLE], pieces[1][ARTICLE] = first, rest
    if chance.random() < 0.5:
        pieces[1][NOTE], pieces[0][NOTE] = pieces[0][NOTE], ""
    pred = [*gold[:row], *pieces, *gold[row + 1 :]]
    return Damaged(table(gold), table(pred), (("split_row", (), (row + 1,), (), (row + 1, row + 2)),), source_of(gold))


def row_shift(chance: random.Random) -> Damaged:
    gold = order(chance)
    row, by, width = chance.randrange(len(gold)), chance.choice((-2, -1, 1, 2)), len(HEAD)
    moved = [gold[row][col - by] if 0 <= col - by < width else "" for col in range(width)]
    pred = [*gold[:row], moved, *gold[row + 1 :]]
    return Damaged(table(gold), table(pred), (("row_shift", (), (row + 1,), (), (row + 1,)),), source_of(gold))


def header_as_row(chance: random.Random) -> Damaged:
    gold = order(chance)
    at = chance.randrange(1, len(gold))
    pred = [*gold[:at], HEAD, *gold[at:]]
    return Damaged(table(gold), table(pred), (("header_as_row", (), (), (), (at + 1,)),), source_of(gold, [HEAD]))


def header_mismatch(chance: random.Random) -> Damaged:
    gold, col = order(chance), chance.randrange(len(HEAD))
    head = [*HEAD[:col], chance.choice(("Ref", "Pr1ce", "?")), *HEAD[col + 1 :]]
    return Damaged(
        table(gold), table(gold, head), (("header_mismatch", ((0, col),), (), ((0, col),), ()),), source_of(gold)
    )


def _in_columns(gold: Rows, *cols: int) -> tuple[tuple[int, int], ...]:
    return tuple((row + 1, col) for row in range(len(gold)) for col in cols)


def swapped_columns(chance: random.Random) -> Damaged:
    gold = order(chance)
    one, other = sorted(chance.sample((CODE, ARTICLE, QUANTITY, PRICE, SHIPPED), 2))
    pred = [list(row) for row in gold]
    for row in pred:
        row[one], row[other] = row[other], row[one]
    places = _in_columns(gold, one, other)
    return Damaged(table(gold), table(pred), (("swapped_columns", places, (), places, ()),), source_of(gold))


def shifted_column(chance: random.Random) -> Damaged:
    """The article is lost and what stands right of it, up to the price, moves to the left."""
    gold = [[*row[:UNIT], f"{row[CODE]}/{at}", *row[QUANTITY:]] for at, row in enumerate(order(chance))]
    pred = [[row[CODE], row[UNIT], row[QUANTITY], row[PRICE], "", *row[SHIPPED:]] for row in gold]
    lost, moved = _in_columns(gold, ARTICLE), _in_columns(gold, UNIT, QUANTITY, PRICE)
    return Damaged(
        table(gold),
        table(pred),
        (("shifted_column", moved, (), moved, ()), ("missing_value", lost, (), _in_columns(gold, PRICE), ())),
        source_of(gold),
    )


def wrong_table(chance: random.Random) -> Damaged:
    gold, other = order(chance), order(chance)
    other = [[text.replace("BF", "ZZ") for text in row] for row in other]
    every = (("wrong_table", (), tuple(range(len(gold) + 1)), (), tuple(range(len(other) + 1))),)
    return Damaged(table(gold), table(other), every, source_of(gold, other), (table(order(chance)), table(other)))


def wrong_page(chance: random.Random) -> Damaged:
    found = wrong_table(chance)

    def on(page: int, value: Table) -> Table:
        cells = tuple(replace(cell, box=Box(page, 0, 0, 1, 1)) for cell in value.cells)
        return replace(value, cells=cells)

    ((_, *places),) = found.expected
    return replace(
        found,
        gold=on(1, found.gold),
        others=tuple(on(2, other) for other in found.others),
        expected=(("wrong_page", *places),),  # type: ignore[arg-type]
    )


def missed_table(chance: random.Random) -> Damaged:
    gold = order(chance)
    return Damaged(table(gold), None, (("missed_table", (), tuple(range(len(gold) + 1)), (), ()),))


def wrong_span(chance: random.Random) -> Damaged:
    rows = order(chance)
    row = chance.randrange(1, len(rows) + 1)
    pred = table(rows)
    kept = tuple(cell for cell in pred.cells if (cell.row, cell.col) not in ((row, ARTICLE), (row, UNIT)))
    gold = Table(pred.n_rows, pred.n_cols, (*kept, Cell(row, ARTICLE, rows[row - 1][ARTICLE], col_span=2)))
    places = ((row, ARTICLE), (row, UNIT))
    return Damaged(gold, pred, (("wrong_span", places, (), places, ()),))


DAMAGES: dict[str, Damage] = {
    "missed_table": missed_table,
    "wrong_page": wrong_page,
    "wrong_table": wrong_table,
    "header_mismatch": header_mismatch,
    "header_as_row": header_as_row,
    "swapped_columns": swapped_columns,
    "shifted_column": shifted_column,
    "row_shift": row_shift,
    "merged_rows": merged_rows,
    "split_row": split_row,
    "duplicated_row": duplicated_row,
    "hallucinated_row": _one_more("hallucinated_row", known=False),
    "extra_row": _one_more("extra_row", known=True),
    "extra row without source text": _one_more("unsupported_unknown", known=False, source=False),
    "missed_row": missed_row,
    "wrong_span": wrong_span,
    "missing_value": in_cell("missing_value", _missing),
    "spurious_value": in_cell("spurious_value", _spurious),
    "formatting_only": in_cell("formatting_only", _formatting),
    "sign_error": in_cell("sign_error", _sign),
    "magnitude": in_cell("magnitude", _magnitude),
    "truncated": in_cell("truncated", _truncated),
    "overrun": in_cell("overrun", _overrun),
    "ocr_confusion": in_cell("ocr_confusion", _confusion),
    "wrong_column_same_row": in_cell("wrong_column_same_row", _from_column),
    "value moved to an empty column": moved_value,
    "wrong_row_same_column": in_cell("wrong_row_same_column", _from_row),
    "ocr_edit": in_cell("ocr_edit", _edit),
    "hallucinated": in_cell("hallucinated", _other),
    "wrong_value": in_cell("wrong_value", _other, more_source=" ".join(("", *OTHERS))),
    "wrong value without source text": in_cell("unsupported_unknown", _other, source=False),
}

CHANGES: dict[str, Change] = {
    "missing_value": _missing,
    "sign_error": _sign,
    "magnitude": _magnitude,
    "truncated": _truncated,
    "overrun": _overrun,
    "ocr_confusion": _confusion,
    "ocr_edit": _edit,
    "hallucinated": _other,
}


def three_at_once(chance: random.Random, *, apart: bool) -> Damaged:
    """Two cells and one row damaged; ``apart``: each in a row of its own, else wherever they fall."""
    gold = order(chance, 12)
    pred = [list(row) for row in gold]
    cells = chance.sample(range(12), 2) if apart else [chance.randrange(12) for _ in range(2)]
    label = chance.choice(("missed_row", "duplicated_row", "row_shift", "merged_rows", "split_row"))
    # A merged row takes the next one with it.
    last = 11 if label == "merged_rows" else 12
    row = chance.choice([at for at in range(last) if not apart or not {at, at + 1} & set(cells)])
    place_of = {at: at + 1 for at in range(12)}
    expected_row: Found
    if label == "missed_row":
        expected_row = (label, (), (row + 1,), (), ())
        place_of |= {at: at for at in range(row + 1, 12)}
    elif label == "merged_rows":
        expected_row = (label, (), (row + 1, row + 2), (), (row + 1,))
        place_of |= {at: at for at in range(row + 1, 12)}
    elif label == "row_shift":
        expected_row = (label, (), (row + 1,), (), (row + 1,))
    else:
        gold_rows = (row + 1,) if label == "split_row" else ()
        pred_rows = (row + 1, row + 2) if label == "split_row" else (row + 2,)
        expected_row = (label, (), gold_rows, (), pred_rows)
        place_of |= {at: at + 2 for at in range(row + 1, 12)}
    expected = [expected_row]
    for at, (name, change) in zip(cells, chance.sample(sorted(CHANGES.items()), 2), strict=True):
        _, col, text = change(chance, [pred[at]])
        pred[at][col] = text
        expected.append((name, ((at + 1, col),), (), ((place_of[at], col),), ()))
    match label:
        case "missed_row":
            del pred[row]
        case "duplicated_row":
            pred.insert(row, list(pred[row]))
        case "row_shift":
            pred[row] = ["", *pred[row][:-1]]
        case "merged_rows":
            pred[row : row + 2] = [[" ".join(filter(None, texts)) for texts in zip(*pred[row : row + 2], strict=True)]]
        case _:
            first, _, rest = pred[row][ARTICLE].partition(" ")
            pred[row][ARTICLE] = first
            pred.insert(row + 1, ["", rest, "", "", "", "", ""])
    return Damaged(table(gold), table(pred), tuple(expected), source_of(gold))
