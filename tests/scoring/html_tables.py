"""HTML as extractors write it, good and bad, for the tests of the published metrics."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from hypothesis import strategies as st

TEXTS = st.sampled_from(["", "a", "b", "ab", "aab", "1", "1.5", "-", "−", "n/a", "a b", "x" * 9, "é", "\u3000", "𝟙"])
SPANS = st.sampled_from(["", "1", "2", "2", "3", "0", "-1", "2px", "2>", " 2 ", "1_0", "x"])


def table(*rows: Iterable[str], tag: str = "td") -> str:
    """A plain table: ``table("ab", "12")`` has two rows of two cells."""
    lines = ("".join(f"<{tag}>{escape(text)}</{tag}>" for text in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


@st.composite
def cells(draw: st.DrawFn, spans: st.SearchStrategy[str] = SPANS) -> str:
    tag = draw(st.sampled_from(["td", "td", "td", "th"]))
    written = "".join(f' {name}="{draw(spans)}"' for name in ("colspan", "rowspan") if draw(st.integers(0, 5)) == 0)
    text = escape(draw(TEXTS))
    text = draw(st.sampled_from(["{}", "{}", "{}", "<b>{}</b>", "{}<br>", "<i>{}</i>!", "<!-- c -->{}"])).format(text)
    return f"<{tag}{written}>{text}</{tag}>"


@st.composite
def tables(draw: st.DrawFn, spans: st.SearchStrategy[str] = SPANS, most: int = 4) -> str:
    """A small table, ragged, spanning and overlapping now and then."""
    lines = draw(st.lists(st.lists(cells(spans), max_size=most), max_size=most))
    rows = [f"<tr>{''.join(line)}</tr>" for line in lines]
    head = draw(st.integers(0, len(rows)))
    if draw(st.booleans()):
        return f"<table><thead>{''.join(rows[:head])}</thead><tbody>{''.join(rows[head:])}</tbody></table>"
    return f"<table>{''.join(rows)}</table>"


TAGS = [
    "<table>",
    "<tr>",
    "<td>",
    "<th>",
    "<html>",
    "<body>",
    "<tbody>",
    "<caption>",
    "<p>",
    "<br>",
    "<script>",
    "<td/>",
]
ENDS = ["</table>", "</tr>", "</td>", "</html>", "</body>", "<!--", "-->", "<?x?>", "<![CDATA[", "]]>"]
TEXT = ["&nbsp;", "&#0;", "&#xd800;", "<", "&", "text", "1", " ", "\n", "\x00", "\ud800"]
PIECES = st.sampled_from([*TAGS, *ENDS, *TEXT, "<td colspan=2>", "<td rowspan=0>"])
ANYTHING = st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=25).map("".join))
