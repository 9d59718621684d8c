"""What a person is not to see now, so that what they key is their own reading of the page."""

from __future__ import annotations

from sqlite_utils import Database

from store.blind import hides_in
from store.db import StoreError, row
from store.second_keyer import KEYER

# Documents in which a person still keys a table a second time.
_KEYING = f"""select g.document from second_pass p join gold g on g.id = p.gold
where {KEYER} = :person and coalesce((select verdict from verdict v where v.gold = p.keyed
    and v.verdict in ('accept', 'reopen') order by rowid desc limit 1), '') <> 'accept'"""

_STILL_KEYED = _KEYING.replace("select g.document", "select p.keyed", 1)

_WITHHELD = f"""select g.id from first_pass g where g.document in ({_KEYING})
union select p.keyed from second_pass p where {KEYER} <> :person"""


class Withheld(StoreError):
    """A table that a person is not to see now."""


def withheld(reader: Database, person: str) -> frozenset[int]:
    """The gold tables of which a person may see nothing now.

    Those are the second keyings of others, and all first ones of a document in which the person keys a table a second
    time, until it is handed in: its checks and its neighbours would tell what stands in it.
    """
    return frozenset(key for (key,) in reader.execute(_WITHHELD, {"person": person}))


def unlisted(reader: Database, person: str) -> frozenset[int]:
    """The gold tables that stand in no list of a person: what is withheld, and second keyings that were handed in."""
    handed_in = reader.execute(f"select keyed from second_pass where keyed not in ({_STILL_KEYED})", {"person": person})
    return withheld(reader, person) | {key for (key,) in handed_in}


def expect_shown(reader: Database, key: int, person: str) -> None:
    """Raise Withheld where a person may not see a gold table now."""
    if row(reader, "select 1 from second_pass limit 1") is None or key not in withheld(reader, person):
        return
    if row(reader, "select 1 from second_pass where keyed = ?", (key,)) is not None:
        raise Withheld("This is the second keying of somebody else: nobody but them sees it until both are compared.")
    raise Withheld(
        "You key a table of this document a second time, without a look at what others read. "
        "Hand it in first; then everything is shown again."
    )


def keys_blind(reader: Database, person: str) -> int:
    """How many tables a person still has to key a second time: so long, results are closed to them."""
    return int((row(reader, f"select count(*) as n from ({_KEYING})", {"person": person}) or {"n": 0})["n"])


def expect_open(reader: Database, document: int, person: str) -> None:
    """Raise Withheld where a table of this document is keyed blind, so that no machine is to read it for a person."""
    if hides_in(reader, document):
        raise Withheld(
            "A table of this document is of the blind slice: no extractor reads a part of it until it is accepted."
        )
    if document in {key for (key,) in reader.execute(_KEYING, {"person": person})}:
        raise Withheld("You key a table of this document from the page alone; no extractor reads it for you meanwhile.")
