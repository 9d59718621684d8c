"""Tokens of this server: handed out with what a person opens, and checked at each request."""

from __future__ import annotations

from review_app import tokens
from review_app.settings import database, settings
from review_app.tokens import Capability, TokenError
from store import hiding

# Lists of tables are read with a token for this number, which no gold table has.
LISTS = 0


def issue_token(person: str, key: int) -> str:
    """A token for a person and a gold table, signed with the secret of this home."""
    return tokens.issue(tokens.secret_of(settings().home.folder), Capability(person, key))


def granted(token: object, key: object) -> Capability:
    """What a token allows on a gold table; raises TokenError, and Withheld where the person is not to see it now."""
    if not isinstance(token, str) or type(key) is not int:
        raise TokenError("expected a token and the number of a gold table")
    capability = tokens.check(tokens.secret_of(settings().home.folder), token, gold=key)
    if key != LISTS:
        with database().read() as reader:
            hiding.expect_shown(reader, key, capability.person)
    return capability
