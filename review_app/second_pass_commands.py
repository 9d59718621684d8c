"""The commands on the second pass: drawing tables that are keyed twice, where each stands, how far the two agree."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from review_app.opening import acting, chosen_project, expect_known, home_option, json_option, opened
from review_app.wording import count


@click.command("second-pass")
@home_option
@click.option("--project", default=None, help="The project; it may be left out where there is one.")
@click.option("--share", type=float, default=None, help="Share of all tables to be keyed twice, above 0 and up to 1.")
@click.option("--person", "people", multiple=True, help="Who keys them, in turn; give it again for more people.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed draws the same tables.")
@click.option("--hand-over", "handed", type=int, default=None, help="Number of a pass; --person keys it from now on.")
@json_option
def second_pass(
    home: Path | None,
    project: str | None,
    share: float | None,
    people: tuple[str, ...],
    seed: int,
    handed: int | None,
    as_json: bool,
) -> None:
    """Have a share of tables keyed a second time, blind; without --share, show where each of them stands.

    A table goes only to somebody who has not worked on its document. That person sees neither the extraction nor the
    first answer until the second one is handed in (docs/people_at_work.md).

    Example: proofgrid second-pass --share 0.1 --person bob --person carol
    """
    from store import second_pass as store_passes

    with opened(home) as (db, _):
        with db.read() as reader:
            name = chosen_project(reader, project)
        if share is not None:
            drawn = store_passes.draw(db, project=name, share=share, people=people, seed=seed, person=acting(db))
            told = f"{count(len(drawn.new), 'table')} drawn; {drawn.of} of {drawn.whole} are keyed twice now."
            click.echo(told, err=True)
            if drawn.without:
                passed = f"{count(drawn.without, 'table')} passed over: each of these people has worked on the document"
                click.echo(f"{passed}; name somebody who has not.", err=True)
        if handed is not None:
            if share is not None or len(people) != 1:
                raise click.UsageError("--hand-over goes with one --person, and without --share")
            store_passes.hand_over(db, handed, people[0], person=acting(db))
        with db.read() as reader:
            found = store_passes.passes(reader, project=name)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=1))
        return
    for one in found:
        click.echo(f"{one.id}  {one.document_name}: {one.name}  {one.person}  {one.state}")
    states = Counter(one.state for one in found)
    click.echo(", ".join(f"{number} {state}" for state, number in states.items()) or "No table is keyed twice yet.")


@click.command()
@home_option
@click.option("--project", default=None, help="Only this project; by default all.")
@json_option
def agreement(home: Path | None, project: str | None, as_json: bool) -> None:
    """Report how far two people agree who keyed the same tables, by field: F1 of cells, interval, alpha, rows.

    Example: proofgrid agreement --project invoices --json
    """
    from review_app.agreement_table import lines
    from store.adjudication import agreement_of
    from store.rights import expect_right

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        expect_right(reader, acting(db), "results")
        found = agreement_of(db, reader, project=project)
    click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=1) if as_json else "\n".join(lines(found)))
