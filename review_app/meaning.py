"""What a text would mean in a column of a gold table: the answer of /api/meaning."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from review_app.settings import database
from review_app.tokens import Capability
from scoring.values.locales import LARGEST_NUMBER_OF_CHARACTERS
from scoring.values.reader import Value, in_words, read
from store.documents import document
from store.gold import gold
from store.table_types import table_type


def meaning(body: Mapping[str, Any], capability: Capability) -> tuple[int, Mapping[str, Any]]:
    """The value of a text in a named column, as it is scored: ``read_as`` in words, ``flags`` what is doubtful in it.

    Both are empty for texts and ids, and in a column that the table type does not name. Raises NotFound.
    """
    name, text = str(body.get("column", "")), str(body.get("text", ""))[: LARGEST_NUMBER_OF_CHARACTERS + 1]
    with database().read() as reader:
        found = gold(reader, capability.gold)
        kind = table_type(reader, found.table_type, project=document(reader, found.document).project)
    column = next((one for one in kind.columns if one.name == name), None) if kind else None
    if column is None:
        return 200, {"read_as": "", "flags": []}
    value = read(text, column)
    return 200, {"read_as": _in_words(value), "flags": [in_words(flag, column) for flag in value.flags]}


def _in_words(value: Value) -> str:
    match value.kind:
        case "number":
            assert isinstance(value.value, Decimal)
            return f"{value.value:f} {value.unit}".strip()
        case "date" | "boolean":
            return str(value.value)
        case "null":
            return "absent"
        case _:
            return ""
