"""The commands on webhooks (docs/webhooks.md)."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from review_app.exits import EXIT_CHECK_FAILED
from review_app.opening import acting, expect_known, home_option, json_option, opened

if TYPE_CHECKING:
    from store.webhooks import Event, Webhook


@click.group()
def webhooks() -> None:
    """Addresses that are told, signed, of accepted tables and of releases (docs/webhooks.md).

    Example: proofgrid webhooks add https://example.org/proofgrid --on accept
    """


@webhooks.command()
@click.argument("url")
@home_option
@click.option("--project", default=None, help="Only of this project; by default of all.")
@click.option(
    "--on", "events", multiple=True, type=click.Choice(["accept", "reopen", "release"]), help="Of what; by default all."
)
@json_option
def add(url: str, home: Path | None, project: str | None, events: tuple[Event, ...], as_json: bool) -> None:
    """Tell URL from now on, and print the secret that signs what is sent: it is shown this once.

    Example: proofgrid webhooks add https://example.org/proofgrid --on accept --on release
    """
    from store.webhooks import EVENTS, add_webhook

    with opened(home) as (db, _):
        with db.read() as reader:
            expect_known(reader, project=project)
        made, secret = add_webhook(db, url, events=events or EVENTS, project=project, by=acting(db))
    if as_json:
        click.echo(json.dumps({**asdict(made), "secret": secret}, ensure_ascii=False, indent=1))
        return
    click.echo(secret)
    click.echo(f"{_line(made)}. The secret is not shown again.", err=True)


@webhooks.command(name="list")
@home_option
@json_option
def list_(home: Path | None, as_json: bool) -> None:
    """List the addresses that are told, with what waits and what was given up.

    Example: proofgrid webhooks list
    """
    from store.webhooks import webhooks as told

    with opened(home) as (db, _), db.read() as reader:
        found = told(reader)
    if as_json:
        click.echo(json.dumps({"webhooks": [asdict(each) for each in found]}, ensure_ascii=False, indent=1))
        return
    click.echo("\n".join(map(_line, found)) if found else "Nobody is told; proofgrid webhooks add begins it.")


@webhooks.command()
@click.argument("webhook", type=int)
@home_option
def remove(webhook: int, home: Path | None) -> None:
    """Tell the address with the number WEBHOOK no more.

    Example: proofgrid webhooks remove 2
    """
    from store.webhooks import remove_webhook

    with opened(home) as (db, _):
        click.echo(f"{remove_webhook(db, webhook, by=acting(db)).url} is told no more")


@webhooks.command()
@home_option
def deliver(home: Path | None) -> None:
    """Send what is due now; a running server does it by itself. Exit status 1 where something did not arrive.

    Example: proofgrid webhooks deliver
    """
    from store.webhook_sending import deliver as send

    with opened(home) as (db, _):
        arrived, failed = send(db)
    click.echo(f"{arrived} arrived, {failed} did not" + ("; they are tried again later" if failed else ""))
    if failed:
        sys.exit(EXIT_CHECK_FAILED)


def _line(each: Webhook) -> str:
    of = f" of project {each.project}" if each.project else ""
    rest = f"{each.waiting} waiting, {each.failed} given up"
    return f"webhook {each.id}: {each.url} on {', '.join(each.events)}{of}, {rest}" + (
        f" (last: {each.last_error})" if each.last_error else ""
    )
