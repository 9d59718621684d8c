"""Conditions of SQL on a gold table ``g``: what it began as, and whether it hides its first extraction."""

from __future__ import annotations

_DRAWN = "exists (select 1 from blind where blind.gold = g.id)"
_NEVER_ACCEPTED = "not exists (select 1 from verdict where verdict.gold = g.id and verdict.verdict = 'accept')"

HIDES_FIRST = f"({_DRAWN} and {_NEVER_ACCEPTED})"
BASE_OF = f"case when {_DRAWN} then 'blank' else g.base end"
