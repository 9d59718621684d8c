"""The commands on keys for programs (docs/api.md)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from review_app.opening import acting, home_option, json_option, opened

if TYPE_CHECKING:
    from store.api_keys import ApiKey


@click.group()
def keys() -> None:
    """Keys by which programs use the API, each as a person and with their rights (docs/api.md).

    Example: proofgrid keys make --person ann --note "nightly import"
    """


@keys.command()
@home_option
@click.option("--person", default=None, help="As whom the program acts; by default you.")
@click.option("--note", default="", help="What the key is for, in your words.")
@click.option("--days", type=int, default=90, show_default=True, help="How long it is good.")
@json_option
def make(home: Path | None, person: str | None, note: str, days: int, as_json: bool) -> None:
    """Make a key and print it: it is shown this once, and kept nowhere.

    Example: proofgrid keys make --person ann --days 30
    """
    from review_app.settings import settings
    from store.api_keys import make_key

    with opened(home, create=True) as (db, _):
        made, text = make_key(db, person=person or settings().person, by=acting(db), note=note, days=days)
    if as_json:
        click.echo(json.dumps({**asdict(made), "key": text}, ensure_ascii=False, indent=1))
        return
    click.echo(text)
    click.echo(f"{_line(made)}. It is not shown again; requests carry it as Authorization: Bearer KEY", err=True)


@keys.command(name="list")
@home_option
@json_option
def list_(home: Path | None, as_json: bool) -> None:
    """List the keys, also those that are good no more.

    Example: proofgrid keys list
    """
    from store.api_keys import api_keys

    with opened(home) as (db, _), db.read() as reader:
        found = api_keys(reader)
    if as_json:
        click.echo(json.dumps({"keys": [asdict(each) for each in found]}, ensure_ascii=False, indent=1))
        return
    click.echo("\n".join(map(_line, found)) if found else "There is no key; proofgrid keys make gives one.")


@keys.command()
@click.argument("key", type=int)
@home_option
def revoke(key: int, home: Path | None) -> None:
    """Refuse the key with the number KEY from now on.

    Example: proofgrid keys revoke 3
    """
    from store.api_keys import revoke_key

    with opened(home) as (db, _):
        click.echo(_line(revoke_key(db, key, by=acting(db))))


def _line(key: ApiKey) -> str:
    until = f"revoked {key.revoked_at[:10]}" if key.revoked_at else f"good until {key.expires_at[:10]}"
    return f"key {key.id} of {key.person}, made {key.made_at[:10]} by {key.made_by}, {until}" + (
        f": {key.note}" if key.note else ""
    )
