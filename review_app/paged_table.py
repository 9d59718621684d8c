"""A long table on a screen: its rows in pages, with search, order, and what is shown as CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from review_app import present
from review_app.html_table import Shown, html_table
from review_app.wording import count
from scoring.table import from_rows
from store.formats import csv

ROWS_OF_A_PAGE = 100

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Listed(Generic[Entry]):
    """What a long table shows, and how: ``rows_of`` makes its heads and rows of the entries of one page.

    ``text_of`` is what a search looks at. ``orders`` names the orders beside the given one, each with a key to sort by;
    entries without a value (None) come last. ``key`` tells it from other tables of the screen, also in tests.
    """

    entries: Sequence[Entry]
    rows_of: Callable[[Sequence[Entry]], tuple[list[Shown], list[list[Shown]]]]
    text_of: Callable[[Entry], str]
    key: str
    label: str
    file_name: str
    search: str = "Search"
    order: str = "As given"
    orders: Mapping[str, Callable[[Entry], Any]] | None = None


@st.fragment
def paged_table(listed: Listed[Any], title: str = "") -> None:
    """Show the table; only it is drawn anew when a person searches, sorts or turns its pages."""
    present.person_here()  # a fragment is drawn without the page around it, which asks for the person
    heading, ordering, searching = st.columns([4, 2, 2], vertical_alignment="bottom")
    if title:
        heading.subheader(title)
    chosen = listed.order
    if listed.orders and len(listed.entries) > 1:
        chosen = ordering.selectbox("Order", [listed.order, *listed.orders], key=f"{listed.key}-order")
    wanted = searching.text_input(listed.search, placeholder="Search", key=f"{listed.key}-search")
    found = searched(listed, wanted, chosen)
    if not found:
        st.write("Nothing here holds this text." if wanted else "There is nothing to show.")
        return
    first = _first(listed, (wanted, chosen, len(found)), len(found))
    page = found[first : first + ROWS_OF_A_PAGE]
    heads, rows = listed.rows_of(page)
    st.html(html_table(heads, rows, label=listed.label, test_id=listed.key))
    _below(listed, found, first)


def searched(listed: Listed[Entry], wanted: str, order: str) -> Sequence[Entry]:
    """The entries whose text holds what is wanted, in an order of ``listed``."""
    text, found = wanted.strip().casefold(), listed.entries
    if text:
        found = [entry for entry in found if text in listed.text_of(entry).casefold()]
    value = (listed.orders or {}).get(order)
    if value is None:
        return found
    valued = [(value(entry), entry) for entry in found]
    known = sorted((pair for pair in valued if pair[0] is not None), key=lambda pair: pair[0])
    return [entry for _, entry in known] + [entry for found_value, entry in valued if found_value is None]


def as_csv(heads: Sequence[Shown], rows: Sequence[Sequence[Shown]]) -> bytes:
    """The texts as CSV, none of which a spreadsheet runs as a formula."""
    return csv.write(from_rows([[cell.text for cell in line] for line in (heads, *rows)], header_rows=1))


def _first(listed: Listed[Any], asked: tuple[str, str, int], of: int) -> int:
    """The number of the first row to show; another search or order begins at the first one."""
    name = f"{listed.key}-page"
    known_for, page = st.session_state.get(name, (asked, 0))
    page = int(page) if known_for == asked else 0
    st.session_state[name] = (asked, page)
    return min(page, (of - 1) // ROWS_OF_A_PAGE) * ROWS_OF_A_PAGE


def _below(listed: Listed[Any], found: Sequence[Any], first: int) -> None:
    words, before, after, save = st.columns([4, 1, 1, 1], vertical_alignment="center")
    last = min(first + ROWS_OF_A_PAGE, len(found))
    shown = f"{first + 1:,} to {last:,} of {len(found):,}" if len(found) > ROWS_OF_A_PAGE else f"{count(last, 'row')}"
    words.caption(shown + (f", {len(listed.entries):,} in all" if len(found) < len(listed.entries) else ""))
    if len(found) > ROWS_OF_A_PAGE:
        name, page = f"{listed.key}-page", first // ROWS_OF_A_PAGE

        def turn(by: int) -> None:
            st.session_state[name] = (st.session_state[name][0], page + by)

        before.button("Previous", key=f"{name}-before", disabled=not first, on_click=turn, args=(-1,), width="stretch")
        at_end = last == len(found)
        after.button("Next", key=f"{name}-after", disabled=at_end, on_click=turn, args=(1,), width="stretch")
    save.download_button(
        "CSV",
        lambda: as_csv(*listed.rows_of(found)),
        file_name=listed.file_name,
        mime="text/csv",
        key=f"{listed.key}-csv",
        help="All rows that the search leaves, in this order.",
        icon=":material/download:",
        on_click="ignore",
        width="stretch",
    )
