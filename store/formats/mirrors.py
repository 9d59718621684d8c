"""Objects in JSON records that repeat the shape of their neighbour and hold what is said of its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# Keys under which programs wrap the answer proper.
WRAPPERS = ("inference_result", "result", "answer", "extraction", "extracted_data", "data", "output", "prediction")
# Those that can be nothing else, then those that are mirrors only if they have keys of their neighbours.
_SURE = ("explainability_info", "field_metadata")
_LIKELY = ("confidence", "confidences", "confidence_scores", "_confidence", "citations")
# What holds such an object beside other things: LlamaExtract writes extraction_metadata.field_metadata beside data.
_HOLDERS = ("extraction_metadata",)


def mirrored(value: Mapping[str, Any], mirrors: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The mirrors with those found in an object, and the object without them and without ``x_confidence``."""
    data = {
        key: entry
        for key, entry in value.items()
        if not (key.endswith("_confidence") and key[: -len("_confidence")] in value)
    }
    found: list[Any] = []
    for key in _HOLDERS:
        held = data.get(key)
        if isinstance(held, Mapping) and isinstance(held.get("field_metadata"), Mapping):
            found.append(held["field_metadata"])
            del data[key]
    for key in (*_SURE, *_LIKELY):
        entry = data.get(key)
        mirror = _first(entry)
        if not isinstance(mirror, Mapping) or not (key in _SURE or mirror.keys() & _names_beside(data, key)):
            continue
        if isinstance(entry, list) and len(entry) > 1 and len(entry) not in map(_length, _wrapped(data)):
            continue
        # A list may mirror a list, and a list of one what stands beside it.
        found += [mirror, entry] if isinstance(entry, list) else [mirror]
        del data[key]
    return (*found, *mirrors), data


def _wrapped(data: Mapping[str, Any]) -> Iterator[Any]:
    return (data[wrapper] for wrapper in WRAPPERS if wrapper in data)


def _names_beside(data: Mapping[str, Any], key: str) -> set[str]:
    """The keys beside one, and those inside a wrapper beside it."""
    inside = {name for part in map(_first, _wrapped(data)) if isinstance(part, Mapping) for name in part}
    return {name for name in data if name != key} | inside


def _first(entry: Any) -> Any:
    """The first entry of a list, else the entry itself."""
    return entry[0] if isinstance(entry, list) and entry else entry


def _length(entry: Any) -> int:
    return len(entry) if isinstance(entry, list) else 0


def at(mirrors: Sequence[Any], key: str | int) -> tuple[Any, ...]:
    """The mirrors of an entry of an object or list."""
    found: list[Any] = []
    for mirror in mirrors:
        if isinstance(mirror, Mapping):
            found.append(mirror.get(key))
        elif isinstance(mirror, list) and isinstance(key, int) and key < len(mirror):
            found.append(mirror[key])
    return tuple(entry for entry in found if entry is not None)
