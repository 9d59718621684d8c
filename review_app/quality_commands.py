"""The commands on samples of accepted cells: drawing one, listing them, and what they measured."""

from __future__ import annotations

import json
from pathlib import Path

import click

from review_app.opening import acting, chosen_project, home_option, json_option, opened

project_option = click.option("--project", default=None, help="The project; it may be left out where there is one.")


@click.group()
def quality() -> None:
    """Measure the error of accepted cells: a random sample of them is checked by other people (docs/guards.md).

    Example: proofgrid quality draw --cells 200
    """


@quality.command()
@home_option
@project_option
@click.option("--cells", type=int, default=200, show_default=True, help="How many cells are drawn.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed draws the same cells.")
@json_option
def draw(home: Path | None, project: str | None, cells: int, seed: int, as_json: bool) -> None:
    """Draw a sample of the accepted cells of now, of every badge; reviewers check it on the screen Quality.

    Example: proofgrid quality draw --cells 200 --seed 7
    """
    from review_app.guard_tables import LEVEL_WORDS
    from store import quality_sample
    from store.quality_check import quality as measured

    with opened(home) as (db, _):
        with db.read() as reader:
            name = chosen_project(reader, project)
        made = quality_sample.draw(db, project=name, size=cells, seed=seed, person=acting(db))
        with db.read() as reader:
            found = measured(reader, made)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
        return
    click.echo(f"Sample {made.id}: {made.drawn:,} of {made.population:,} accepted cells.")
    for band in made.bands:
        click.echo(f"{LEVEL_WORDS[band.level]}: {band.drawn:,} of {band.population:,}")
    click.echo("Reviewers check it on the screen Quality, at the address /quality.")


@quality.command(name="list")
@home_option
@project_option
@json_option
def list_(home: Path | None, project: str | None, as_json: bool) -> None:
    """List the samples of a project with what they measured, the newest last.

    Example: proofgrid quality list
    """
    from review_app.quality_table import headline
    from store import quality_sample
    from store.quality_check import quality as measured
    from store.rights import expect_right

    with opened(home) as (db, _), db.read() as reader:
        name = chosen_project(reader, project)
        expect_right(reader, acting(db), "results")
        found = [measured(reader, each) for each in quality_sample.samples(reader, project=name)]
    if as_json:
        click.echo(json.dumps([each.to_json() for each in found], ensure_ascii=False, indent=1))
        return
    for each in found:
        click.echo(f"Sample {each.sample.id}, {each.sample.drawn_at[:10]}: {headline(each)}")
    if not found:
        click.echo("No sample was drawn yet; proofgrid quality draw draws one.")


@quality.command()
@click.argument("sample", type=int, required=False)
@home_option
@project_option
@json_option
def show(sample: int | None, home: Path | None, project: str | None, as_json: bool) -> None:
    """Show what the sample with the number SAMPLE measured, or the newest one: overall and by badge.

    Example: proofgrid quality show 2 --json
    """
    from review_app.quality_table import lines
    from store import quality_sample
    from store.db import NotFound
    from store.quality_check import quality as measured
    from store.rights import expect_right

    with opened(home) as (db, _), db.read() as reader:
        expect_right(reader, acting(db), "results")
        if sample is not None:
            one = quality_sample.sample(reader, sample)
        else:
            name = chosen_project(reader, project)
            newest = quality_sample.newest(reader, name)
            if newest is None:
                raise NotFound(f"project {name!r} has no sample yet; proofgrid quality draw draws one")
            one = newest
        found = measured(reader, one)
    click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=1) if as_json else "\n".join(lines(found)))
