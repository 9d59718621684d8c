"""The command on leases: who works on which table now, what happened, and whether a project shares its tables."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from review_app.opening import acting, chosen_project, home_option, json_option, opened


@click.command()
@home_option
@click.option("--project", default=None, help="The project whose rule is set; may be left out where there is one.")
@click.option("--shared/--exclusive", default=None, help="Let several people work on one table, or one at a time.")
@click.option("--minutes", type=float, default=None, help="Silence after which a table is free again; 3 at first.")
@click.option("--events", "with_events", is_flag=True, help="Also what happened: taken, taken over, released, expired.")
@json_option
def leases(
    home: Path | None,
    project: str | None,
    shared: bool | None,
    minutes: float | None,
    with_events: bool,
    as_json: bool,
) -> None:
    """Show who works on which table now, or set how a project gives out its tables (docs/people_at_work.md).

    Example: proofgrid leases --project invoices --shared
    """
    from store import leases as store_leases
    from store.leases import LeaseRule

    with opened(home) as (db, _):
        if shared is not None or minutes is not None:
            with db.read() as reader:
                name = chosen_project(reader, project)
                last = store_leases.rule_of(reader, name)
            kept = LeaseRule(last.shared if shared is None else shared, last.minutes if minutes is None else minutes)
            store_leases.set_rule(db, name, kept, person=acting(db))
        with db.read() as reader:
            held = store_leases.held(reader)
            happened = store_leases.events(reader) if with_events else ()
    if as_json:
        now = [{"gold": key, **asdict(one)} for key, one in held.items()]
        click.echo(json.dumps({"held": now, "events": [asdict(one) for one in happened]}, ensure_ascii=False, indent=1))
        return
    for key, one in held.items():
        click.echo(f"table {key}: {one.person} since {one.since}")
    if not held:
        click.echo("Nobody has a table now.")
    for event in happened:
        click.echo(
            f"{event.at}  table {event.gold}: {event.event} by {event.person}"
            + f" from {event.before}" * bool(event.before)
        )
