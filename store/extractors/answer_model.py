"""The answer that a language model is asked for: a Pydantic model made from table types, and what an answer lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from scoring.schema import Column, TableType
from scoring.values.reader import in_words, read

# How values of a type are described to a model; each is copied as printed, so that no digit and no sign is lost.
_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "currency": "an amount of money",
    "percent": "a percentage",
    "quantity": "a quantity with its unit",
    "date": "a date",
    "boolean": "a mark for yes or no",
    "id": "an identifier",
    "text": "a text",
}


class _Strict(BaseModel):
    """Every key that was asked for, no other, and only texts: a JSON number would lose how it was printed."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=True)


def answer_model(table_types: Sequence[TableType]) -> type[BaseModel]:
    """An object with one key for each table type: an object of fields for a form, else a list of rows.

    Values are texts as printed, whatever the type of the column; the column's own rules say whether a text can
    be read as its type. A column that is not required may be null.
    """
    # Names of table types and columns may be any text; fields of a model may not, so that they are aliases.
    tables: dict[str, Any] = {}
    for number, kind in enumerate(table_types):
        columns = {f"column_{at}": _field(column) for at, column in enumerate(kind.columns)}
        row = create_model(f"Row{number}", __base__=_Strict, **columns)
        what = f"the fields of the {kind.shown}" if kind.form else f"all rows of the {kind.shown}, in order"
        tables[f"table_{number}"] = (row if kind.form else list[row], Field(alias=kind.name, description=what))  # type: ignore[valid-type]
    model: type[BaseModel] = create_model("Answer", __base__=_Strict, **tables)
    return model


def json_schema(table_types: Sequence[TableType]) -> dict[str, Any]:
    """The JSON schema of the answer: all keys required, no others allowed."""
    return answer_model(table_types).model_json_schema(by_alias=True)


def lacking(content: bytes, table_types: Sequence[TableType]) -> tuple[str, ...]:
    """Where JSON is not as it was asked for, one sentence each with the place, as in ``line_items[2].qty``."""
    try:
        answer_model(table_types).model_validate_json(content)
    except ValidationError as wrong:
        return tuple(f"{_place(error['loc'])}: {_what(error)}" for error in wrong.errors(include_url=False))
    return ()


def _field(column: Column) -> Any:
    kind = _KINDS[column.type]
    label = f"{column.label}: " if column.label else ""
    text = Annotated[str, AfterValidator(_Readable(column))]
    if column.required:
        return (text, Field(alias=column.name, description=f"{label}{kind}, as printed"))
    return (text | None, Field(alias=column.name, description=f"{label}{kind}, as printed; null if it is not printed"))


class _Readable:
    """Refuses a text that does not read as the type of its column; a null word such as "-" does."""

    def __init__(self, column: Column) -> None:
        self.column = column

    def __call__(self, text: str) -> str:
        value = read(text, self.column)
        if not value.readable:
            reasons = ", ".join(in_words(flag, self.column) for flag in value.flags)
            raise ValueError(f"{text[:60]!r} does not read as {_KINDS[self.column.type]} ({reasons})")
        if self.column.required and not text.strip():
            raise ValueError("is empty, expected a value, since the column is required")
        return text


def _place(loc: tuple[int | str, ...]) -> str:
    place = ""
    for part in loc:
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else part
    return place or "the answer"


def _what(error: Any) -> str:
    match error["type"]:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return "was not asked for"
        case "value_error":
            return str(error["ctx"]["error"])
        case "string_type":
            return f"is {_brief(error['input'])}, expected a text as printed"
        case "list_type":
            return f"is {_brief(error['input'])}, expected a list of rows"
        case "model_type" | "model_attributes_type":
            return f"is {_brief(error['input'])}, expected an object"
        case _:
            return str(error["msg"])


def _brief(value: object) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:60]} ..."
