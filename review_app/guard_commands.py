"""The commands on the guards against waving through what a machine read."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from review_app.opening import acting, chosen_project, home_option, json_option, opened
from review_app.wording import count
from scoring import percent


@click.command()
@home_option
@click.option("--project", default=None, help="The project; it may be left out where there is one.")
@click.option("--share", type=float, default=None, help="Share of its tables to be keyed blind, 0 to 1; 0.05 is usual.")
@click.option(
    "--seed", type=int, default=None, help="The same seed draws the same tables; that of the last time, or 1."
)
@json_option
def blind(home: Path | None, project: str | None, share: float | None, seed: int | None, as_json: bool) -> None:
    """Have a random share of tables keyed without the first extraction; without --share, show those of now.

    Drawn are tables that nobody has begun or opened, and each table that is imported from now on. The first extraction
    of a drawn table shows nowhere until the table is accepted (docs/guards.md).

    Example: proofgrid blind --share 0.05
    """
    from store import blind as store_blind
    from store.blind import BlindRule

    with opened(home) as (db, _):
        with db.read() as reader:
            name = chosen_project(reader, project)
            last = store_blind.rule_of(reader, name)
        if share is not None:
            kept = BlindRule(share, seed if seed is not None else last.seed if last else 1)
            drawn = store_blind.set_rule(db, name, kept, person=acting(db))
            click.echo(f"{count(len(drawn), 'table')} drawn now.", err=True)
        elif seed is not None:
            raise click.UsageError("--seed goes with --share, which draws")
        with db.read() as reader:
            rule, found = store_blind.rule_of(reader, name), store_blind.slice_of(reader, name)
    if as_json:
        told = {"rule": asdict(rule) if rule else None, "tables": [asdict(one) for one in found]}
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
        return
    click.echo(f"Share {rule.share:g}, seed {rule.seed}." if rule else "No share is set: nothing is keyed blind.")
    for one in found:
        state = "to be keyed" if one.is_hidden else "accepted"
        click.echo(f"{one.document}: table {one.position + 1} of the document (number {one.gold})  {state}")


@click.command()
@home_option
@click.option("--project", default=None, help="The project; it may be left out where there is one.")
@click.option("--share", type=float, default=None, help="Share of cells that show one, 0 to 0.2; 0.03 is usual.")
@click.option("--seed", type=int, default=None, help="The same seed draws the same cells; that of the last time, or 1.")
@json_option
def guards(home: Path | None, project: str | None, share: float | None, seed: int | None, as_json: bool) -> None:
    """Show how many planted errors reviewers catch and how reviews go; with --share, plant errors in cells shown.

    A planted error is shown in the review only, and never in gold. Who changes such a cell, confirms it or accepts its
    table is told at once, and the value as read comes back (docs/guards.md). Share 0 plants no more.

    Example: proofgrid guards --share 0.03
    """
    from review_app import guard_tables
    from store import seeded
    from store.catch_rates import catch_rates
    from store.reviewer_signals import signals
    from store.rights import expect_right
    from store.seeded import SeededRule

    with opened(home) as (db, _):
        with db.read() as reader:
            name = chosen_project(reader, project)
            expect_right(reader, acting(db), "results")
            last = seeded.rule_of(reader, name)
        if share is not None:
            kept = SeededRule(share, seed if seed is not None else last.seed if last else 1)
            seeded.set_rule(db, name, kept, person=acting(db))
        elif seed is not None:
            raise click.UsageError("--seed goes with --share, which draws")
        with db.read() as reader:
            rule, found = seeded.rule_of(reader, name), catch_rates(reader, project=name)
            whole, people = signals(db, reader, project=name)
    if as_json:
        reviews = {"all": whole.to_json() if whole else None, "people": [one.to_json() for one in people]}
        told = {"rule": asdict(rule) if rule else None, **found.to_json(), "reviews": reviews}
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
        return
    click.echo(f"Share {rule.share:g}, seed {rule.seed}." if rule else "No share is set: no error is planted.")
    click.echo("\n".join(guard_tables.lines(found)))
    for one in people:
        look = f"; look here: {one.look}" if one.look else ""
        click.echo(f"{one.person}: {one.reviews} reviews, {percent(one.edited)} of the tables changed{look}")
