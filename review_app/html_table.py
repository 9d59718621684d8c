"""Tables of results as real HTML: read by screen readers, walked by Tab, right in every script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

STYLE = """
<style>
.pg-frame { max-height: 60vh; overflow: auto; border: 1px solid var(--st-border-color, #8884); border-radius: 8px; }
.pg-table { border-collapse: collapse; width: 100%; font-size: 14px; }
.pg-table th, .pg-table td { padding: 7px 12px; text-align: start; vertical-align: top; border: none;
  border-bottom: 1px solid color-mix(in srgb, currentColor 12%, transparent); }
.pg-table tr:last-child td { border-bottom: none; }
.pg-table th { position: sticky; top: 0; font-weight: 600; white-space: nowrap; opacity: 1;
  background: color-mix(in srgb, Canvas 94%, CanvasText 6%); }
.pg-table .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pg-table .strong { font-weight: 600; white-space: nowrap; }
.pg-table .fail { color: light-dark(#a3261c, #ff9a8f); } .pg-table .pass { color: light-dark(#1c6b37, #7fd69b); }
.pg-table a { color: inherit; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
</style>
"""


@dataclass(frozen=True)
class Shown:
    """One cell: its text, where it leads, the classes it is drawn with, and the direction it is read in.

    ``more`` are further texts, which are shown when a person unfolds them.
    """

    text: str
    link: str = ""
    look: str = ""
    direction: str = "auto"
    more: tuple[str, ...] = ()


def html_table(heads: Sequence[Shown], rows: Iterable[Sequence[Shown]], *, label: str, test_id: str) -> str:
    """The table as HTML; all texts are escaped. A head's look is that of its whole column."""
    looks = [head.look for head in heads]
    head = "".join(f"<th scope='col' class='{escape(cell.look)}'>{escape(cell.text)}</th>" for cell in heads)
    body = "".join(
        f"<tr>{''.join(_cell(cell, look) for cell, look in zip(row, looks, strict=True))}</tr>" for row in rows
    )
    return (
        f"{STYLE}<div class='pg-frame' tabindex='0' role='region' aria-label='{escape(label)}' "
        f"data-testid='{escape(test_id)}'><table class='pg-table'><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(cell: Shown, look: str) -> str:
    text = escape(cell.text)
    if cell.link:
        text = f"<a href='{escape(cell.link)}' target='_self'>{text}</a>"
    if cell.more:
        folded = "<br>".join(map(escape, cell.more))
        text += f"<details><summary>{len(cell.more)} more</summary>{folded}</details>"
    return f"<td dir='{escape(cell.direction)}' class='{escape(f'{look} {cell.look}'.strip())}'>{text}</td>"
