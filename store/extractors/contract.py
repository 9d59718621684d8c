"""What every extractor is asked and returns: one document in, the bytes of one answer out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from scoring.schema import TableType
from store.db import StoreError
from store.pages import PageSize


class ExtractorError(StoreError):
    """An extractor that cannot be used at all: unknown, wrongly set up, or refused by its service. Ends the run."""


class NoAnswer(Exception):
    """A document for which the extractor gave no answer: too slow, cut off, broken down. The rest goes on.

    ``raw`` is what came before that, where anything did.
    """

    def __init__(self, reason: str, raw: bytes = b"") -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw


def _passed_over(page: int) -> None:
    """Nobody wants to know which page is being read."""


@dataclass(frozen=True)
class Job:
    """One document for an extractor, with all that its answer may depend on.

    ``file`` holds the bytes of the document and is not to be changed. ``parameters`` are those that
    ``settled`` returned. ``complaints`` say what was wrong with the attempt before this one, which is
    number ``attempt``. ``page`` is to be called with the number of each page before it is read, so
    that it can be told which one was too slow.
    """

    file: Path
    name: str
    media_type: str
    pages: Sequence[PageSize]
    parameters: Mapping[str, Any]
    table_types: Sequence[TableType] = ()
    repeat: int = 1
    attempt: int = 1
    complaints: Sequence[str] = ()
    page: Callable[[int], None] = _passed_over

    @property
    def raw(self) -> bytes:
        """The bytes of the document."""
        return self.file.read_bytes()


@dataclass(frozen=True)
class Answer:
    """The bytes of an answer as received, and the name of their format ("" = told by their content).

    ``suffix`` is that of a file with this content.
    """

    raw: bytes
    format: str = ""
    suffix: str = ".json"


@dataclass(frozen=True)
class Identity:
    """Under which name and version the runs of an extractor are kept."""

    name: str
    version: str


class Extractor(Protocol):
    """An extractor module.

    ``IN_WORKER``: it runs in a process of its own, which ends with the document or when a page takes
    longer than the parameter ``seconds_per_page``.
    """

    IN_WORKER: bool

    def settled(self, given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
        """The parameters with their defaults, as the run keeps them: all that answers depend on, and no secret.

        ``attempts`` among them tells how often a document may be tried. Raises ExtractorError for a
        parameter that is unknown, missing or wrong.
        """

    def identity(self, parameters: Mapping[str, Any]) -> Identity:
        """Name and version of what answers under these parameters."""

    def extract(self, job: Job) -> Answer:
        """The answer for one document; raises NoAnswer, or ExtractorError where no document can be answered."""

    def complaints(self, raw: bytes, job: Job) -> tuple[str, ...]:
        """What an answer that can be read lacks of what was asked for, one sentence each."""


# Parameters that count, or that last: what is less makes no sense.
_LEAST = {"attempts": 1, "tries": 1, "seconds_per_page": 0.001, "timeout_s": 0.001, "patience_s": 0.001}


def _can_be(name: str, value: float) -> bool:
    """Whether a number is finite and not below what its name allows; a seed may be any."""
    return math.isfinite(value) and (name == "seed" or value >= _LEAST.get(name, 0))


def expect_known(extractor: str, given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The given parameters over the defaults; raises ExtractorError for an unknown name or a value of another type.

    A default of None allows every value; a whole number stands for a number, too.
    """
    for name, value in given.items():
        if name not in defaults:
            raise ExtractorError(
                f"extractor {extractor} has no parameter {name!r}, expected one of: {', '.join(defaults)}"
            )
        kind = type(defaults[name])
        fits = isinstance(value, int | float) and not isinstance(value, bool) if kind is float else type(value) is kind
        fits = fits and (not isinstance(value, int | float) or _can_be(name, value))
        if defaults[name] is not None and not fits:
            raise ExtractorError(
                f"parameter {name} of extractor {extractor} is {value!r}, expected a value like {defaults[name]!r}"
            )
    return {**defaults, **given}
