"""Columns and their values, written short for the tests."""

from __future__ import annotations

from typing import Any

from scoring import Column, Value, read
from scoring.values.reader import differing

MASS = {"units": {"kg": 1, "g": "0.001", "t": 1000, "Kilo": "kg"}}


def column(kind: str = "number", **more: Any) -> Column:
    return Column.from_json({"name": "x", "type": kind, **more})


def value(text: str, kind: str = "number", **more: Any) -> Value:
    return read(text, column(kind, **more))


def apart(gold: str, pred: str, kind: str = "number", **more: Any) -> tuple[str, ...]:
    rule = column(kind, **more)
    there = differing(read(gold, rule), read(pred, rule), rule)
    assert there == differing(read(pred, rule), read(gold, rule), rule)
    return there
