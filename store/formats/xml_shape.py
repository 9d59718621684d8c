"""Looks into XML files: parsed without entities, with errors that name the place."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from store.formats.charset import decode
from store.formats.contract import FormatError
from store.formats.json_shape import number

_HEAD = 4000


def begins_with(raw: bytes, root: str, *inner: str) -> bool:
    """Whether the text begins as an XML document of this root does, with these elements soon after."""
    try:
        text, _ = decode(raw[:_HEAD])
    except FormatError:
        return False
    at = text.find(f"<{root}")
    if not text.lstrip().startswith("<") or at < 0 or (at and "<!DOCTYPE html" in text[:at]):
        return False
    return all(f"<{element}" in text[at:] for element in inner)


def root_of(raw: bytes) -> Element:
    """The root element. Raises FormatError naming line and column where the text is no XML, or declares entities."""
    try:
        root: Element = fromstring(raw, forbid_dtd=True)
    except ParseError as wrong:
        line, column = wrong.position
        raise FormatError(f"line {line}, column {column + 1}: not XML ({wrong.msg}); the file may be cut off") from None
    except DefusedXmlException:
        raise FormatError("the XML declares a document type or entities, which no annotation needs") from None
    except (ValueError, LookupError) as wrong:
        raise FormatError(f"the XML cannot be read: {wrong}") from None
    return root


def whole(attributes: Mapping[str, str], names: tuple[str, ...], where: str, *, default: int | None = None) -> int:
    """A whole number from 0 on under the first of the names that is there. Raises FormatError for anything else."""
    for name in names:
        if name in attributes:
            try:
                found = int(attributes[name])
            except ValueError:
                found = -1
            if found < 0:
                raise FormatError(f"{where}: {name}={attributes[name][:40]!r}, expected a whole number from 0 on")
            return found
    if default is None:
        raise FormatError(f"{where}: no {names[0]}, expected a whole number from 0 on")
    return default


def sides(attributes: Mapping[str, str | None], names: tuple[str, str, str, str]) -> list[float] | None:
    """Four finite numbers, or None where one is missing or none."""
    found = [number(attributes.get(name)) for name in names]
    return [side for side in found if side is not None] if all(side is not None for side in found) else None
