"""Tokens of this server: handed out with what a person opens, and checked at each request against the people of now."""

from __future__ import annotations

from collections.abc import Callable

from sqlite_utils import Database

from review_app import tokens
from review_app.settings import database, settings
from review_app.tokens import Capability, TokenError
from store import hiding
from store.audit import note_hourly
from store.people import epoch_of
from store.rights import NotAllowed, Right, expect_right

# Lists of tables are read with a token for this number, which no gold table has; images with a cookie for the other.
LISTS, IMAGES = 0, -1
NOBODY = "(not signed in)"


def issuing(person: str) -> Callable[[int], str]:
    """What makes tokens for a person, one for each gold table, signed with the secret of this home."""
    secret = tokens.secret_of(settings().home.folder)
    with database().read() as reader:
        epoch = epoch_of(reader, person) or 0
    return lambda key: tokens.issue(secret, Capability(person, key, epoch))


def issue_token(person: str, key: int) -> str:
    """A token for a person and one gold table."""
    return issuing(person)(key)


def granted(reader: Database, token: object, key: object, right: Right) -> Capability:
    """What a token allows on a gold table; raises TokenError, NotAllowed without the right, and Withheld."""
    if not isinstance(token, str) or type(key) is not int:
        raise TokenError("expected a token and the number of a gold table")
    capability = tokens.check(tokens.secret_of(settings().home.folder), token, gold=key)
    if epoch_of(reader, capability.person) != capability.epoch:
        raise TokenError(
            "You were signed out, or your role has changed. Your edits are kept in this browser; "
            "reload the page and sign in again to go on.",
            capability.person,
        )
    expect_right(reader, capability.person, right)
    if key > LISTS:
        hiding.expect_shown(reader, key, capability.person)
    return capability


def note_refused(wrong: TokenError | NotAllowed, path: str) -> None:
    """Keep in the audit log that a request was refused; of those without a good token one an hour."""
    person = wrong.person or NOBODY
    with database().read() as reader:
        note_hourly(
            database(), reader, person, "asked for", path if wrong.person else "", detail=str(wrong), refused=True
        )
