"""Tables of results in Markdown, as pull requests show them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[bool]) -> str:
    """A pipe table; ``numbers`` tells which columns stand at the right. All texts are shown as they are."""
    rule = ["---:" if number else "---" for number in numbers]
    lines = [list(map(_literal, heads)), rule, *(list(map(_literal, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _literal(text: str) -> str:
    """Without meaning in Markdown or HTML: a document or a model may have written it."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(text.split()))
