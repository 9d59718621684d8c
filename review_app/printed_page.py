"""One HTML page to hand on: it prints, and asks for nothing else: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape

from review_app.html_table import Shown, html_table

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 32px auto; padding: 0 24px; }
body { background: Canvas; color: CanvasText; }
h1 { font-size: 26px; } h2 { font-size: 19px; margin: 36px 0 12px; } .quiet { opacity: .75; font-size: 13px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 16px; }
.figures { margin: 24px 0 12px; padding: 0; list-style: none; }
.figures b { display: block; font-size: 26px; font-weight: 600; } .figures span { display: block; font-size: 13px; }
code { font-size: 12px; overflow-wrap: anywhere; }
p.fail { color: light-dark(#a3261c, #ff9a8f); }
.pg-frame { max-height: none !important; }
@media print {
  body { margin: 0; max-width: none; font-size: 11px; } .pg-table { font-size: 10px !important; }
  tr { break-inside: avoid; } h2 { break-after: avoid; }
}
"""


def printed_page(title: str, parts: Iterable[str]) -> str:
    """The page of this title with the time of its making and these parts, which are HTML."""
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    body = "\n".join([f"<h1>{escape(title)}</h1><p class='quiet'>{escape(made)}</p>", *parts])
    head = f"<meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{escape(title)}</title>"
    return f"<!doctype html><html lang='en'><head>{head}<style>{_STYLE}</style></head><body>{body}</body></html>\n"


def part(title: str, table: tuple[Sequence[Shown], Sequence[Sequence[Shown]]], test_id: str) -> Iterator[str]:
    """A heading with a table of heads and rows; nothing where there is no row."""
    heads, rows = table
    if rows:
        yield f"<h2>{escape(title)}</h2>{html_table(heads, rows, label=title, test_id=test_id)}"
