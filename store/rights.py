"""Roles and rights: what each role may do, and whether this person may do that now."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from sqlite_utils import Database

from store.db import StoreError, row

Role = Literal["annotator", "reviewer", "owner", "admin"]
Right = Literal["review", "accept", "adjudicate", "check", "results", "import", "rules", "export", "people", "audit"]

ROLES: tuple[Role, ...] = get_args(Role)
ALL_RIGHTS: frozenset[Right] = frozenset(get_args(Right))
_ANNOTATOR: frozenset[Right] = frozenset({"review", "accept"})
_REVIEWER: frozenset[Right] = _ANNOTATOR | {"adjudicate", "check", "results"}
_OWNER: frozenset[Right] = _REVIEWER | {"import", "rules", "export"}
RIGHTS: Mapping[Role, frozenset[Right]] = MappingProxyType(
    {"annotator": _ANNOTATOR, "reviewer": _REVIEWER, "owner": _OWNER, "admin": ALL_RIGHTS}
)
IN_WORDS: Mapping[Right, str] = MappingProxyType(
    {
        "review": "review tables",
        "accept": "accept and reopen tables",
        "adjudicate": "decide between two answers",
        "check": "check samples of accepted cells",
        "results": "see results",
        "import": "import and extract",
        "rules": "set table types, thresholds and sampling",
        "export": "export gold and make releases",
        "people": "manage people",
        "audit": "read the audit log",
    }
)
# What no name that signs in may end with: see terminal().
AT_TERMINAL = " (terminal)"


class NotAllowed(StoreError):
    """Something that this person may not do."""

    def __init__(self, person: str, right: Right, role: Role | None) -> None:
        if role is None:
            super().__init__(f"{person} is not among the people of this project any more, or never was; ask an admin.")
        else:
            *others, last = (each for each in ROLES if right in RIGHTS[each])
            can = f"{', '.join(others)} or {last}" if others else last
            super().__init__(f"{person} ({role}) may not {IN_WORDS[right]}; that needs the role {can}. Ask an admin.")
        self.person, self.right = person, right


def is_team(reader: Database) -> bool:
    """Whether this home has people with roles; without any, everybody who can open it may do everything."""
    return row(reader, "select 1 from person limit 1") is not None


def role_of(reader: Database, name: str) -> Role | None:
    """The role of a person of the team, or None for somebody who is not in it, or no longer."""
    found = row(reader, "select role from person where name = ? and removed_at is null", (name,))
    return found["role"] if found else None


def rights_of(reader: Database, name: str) -> frozenset[Right]:
    """What this person may do now; everything in a home without people, and at the terminal."""
    role = role_of(reader, name)
    if role is not None:
        return RIGHTS[role]
    if name.endswith(AT_TERMINAL) or not is_team(reader):
        return ALL_RIGHTS
    return frozenset()


def expect_right(reader: Database, name: str, right: Right) -> None:
    """Raise NotAllowed where this person may not do that now."""
    if right not in rights_of(reader, name):
        raise NotAllowed(name, right, role_of(reader, name))


def terminal(reader: Database, name: str) -> str:
    """The name under which somebody acts who owns the files: marked in a team, as it may do everything."""
    return terminal_name(name) if is_team(reader) else name


def terminal_name(name: str) -> str:
    """The name of somebody who owns the files, as a team sees it: also for whoever adds its first person."""
    return name.removesuffix(AT_TERMINAL) + AT_TERMINAL
