"""The commands on thresholds of confidence: which count, what the cells recommend, and setting one."""

from __future__ import annotations

import json
import math
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from review_app.exits import EXIT_CHECK_FAILED
from review_app.opening import acting, chosen_project, expect_known, home_option, json_option, opened

if TYPE_CHECKING:
    from sqlite_utils import Database

    from store.confidence_cells import ProjectCells
    from store.confidence_fields import Field
    from store.db import Db
    from store.thresholds import SetThreshold

project_option = click.option("--project", default=None, help="The project; it may be left out where there is one.")
run_option = click.option("--run", type=int, default=None, help="Number of the run; by default the first extractions.")
type_option = click.option("--type", "table_type", default=None, help="The table type; by default the only one.")
field_option = click.option("--field", default="", help="The field; by default all fields of the table type.")


class _Share(click.FloatRange):
    """A number in a range, which "nan" is not, though no comparison says so."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value} is no number.", param, ctx)
        return found


alpha_option = click.option(
    "--alpha", type=_Share(0, 1, True, True), default=0.02, show_default=True, help="Error to allow, 0 to 1."
)
delta_option = click.option(
    "--delta",
    type=_Share(0, 1, True, True),
    default=0.1,
    show_default=True,
    help="Chance that the promise fails, 0 to 1.",
)


@click.group()
def thresholds() -> None:
    """Thresholds of confidence: from which on cells are no doubts, field by field (docs/confidence.md).

    Example: proofgrid thresholds list
    """


@thresholds.command(name="list")
@home_option
@project_option
@run_option
@json_option
def list_(home: Path | None, project: str | None, run: int | None, as_json: bool) -> None:
    """List the fields with their threshold and what it lets pass, most errors first.

    Example: proofgrid thresholds list --project invoices
    """
    with opened(home) as (db, _), db.read() as reader:
        _, listed, project = _fields(db, reader, project, run)
        told = [_to_json(field) for field in listed]
    if as_json:
        click.echo(json.dumps({"project": project, "run": run, "fields": told}, ensure_ascii=False, indent=1))
        return
    if not told:
        click.echo(f"No table of project {project!r} has been accepted, so no cell is known to be right or wrong.")
    for field in listed:
        click.echo(_line(field))


@thresholds.command()
@home_option
@project_option
@run_option
@type_option
@field_option
@alpha_option
@delta_option
@json_option
def recommend(
    home: Path | None,
    project: str | None,
    run: int | None,
    table_type: str | None,
    field: str,
    alpha: float,
    delta: float,
    as_json: bool,
) -> None:
    """Say which threshold keeps the error among what passes below ALPHA, by half of the documents (Learn-then-Test).

    The other half tells what it lets pass. Where nothing can be promised the reason is told, and the exit status is 1.

    Example: proofgrid thresholds recommend --field price --alpha 0.02
    """
    from review_app.confidence_tables import promise, refusal, tau_shown
    from store.confidence_fields import recommendation

    with opened(home) as (db, _), db.read() as reader:
        found, listed, _ = _fields(db, reader, project, run)
        chosen = _chosen(listed, table_type, field)
        told = recommendation(db, reader, found, chosen.cells, alpha=alpha, delta=delta)
    tau = told.threshold.tau
    if as_json:
        named = {"table_type": chosen.cells.table_type, "field": chosen.cells.field}
        click.echo(json.dumps({**named, **told.to_json()}, ensure_ascii=False, indent=1))
    elif tau is None:
        click.echo(refusal(told))
    else:
        click.echo(f"{_called(chosen)}: cells may pass from {tau_shown(tau)} on")
        heads, rows = promise(told)
        for name, *cells in [heads, *rows]:
            click.echo(f"  {name.text:<22}" + "".join(f"{cell.text:>18}" for cell in cells))
    if tau is None:
        sys.exit(EXIT_CHECK_FAILED)


@thresholds.command(name="set")
@click.argument("tau", type=_Share(0, 1), required=False)
@home_option
@project_option
@run_option
@type_option
@field_option
@click.option("--recommended", is_flag=True, help="The threshold that 'recommend' tells, in place of TAU.")
@click.option("--default", "to_default", is_flag=True, help="Back to the default, in place of TAU.")
@click.option("--low", type=_Share(0, 1), default=None, help="Below this a badge is low; by default as measured.")
@alpha_option
@delta_option
@json_option
def set_(
    tau: float | None,
    home: Path | None,
    project: str | None,
    run: int | None,
    table_type: str | None,
    field: str,
    recommended: bool,
    to_default: bool,
    low: float | None,
    alpha: float,
    delta: float,
    as_json: bool,
) -> None:
    """Set the threshold of a field: badges, doubts and the queue follow it. Every decision is kept.

    Example: proofgrid thresholds set --field price --recommended --alpha 0.02
    """
    from review_app.confidence_tables import refusal, tau_shown
    from store.confidence_fields import recommendation
    from store.derived import made_anew
    from store.thresholds import set_threshold

    if (tau is not None) + recommended + to_default != 1:
        raise click.UsageError("give one of TAU (0 to 1), --recommended and --default")
    with opened(home) as (db, _):
        with db.read() as reader:
            found, listed, project = _fields(db, reader, project, run)
            chosen = _chosen(listed, table_type, field)
            told = recommendation(db, reader, found, chosen.cells, alpha=alpha, delta=delta)
        if recommended:
            tau = told.threshold.tau
            if tau is None:
                click.echo(refusal(told), err=True)
                sys.exit(EXIT_CHECK_FAILED)
        if low is None and tau is not None and told.limits.low is not None:
            low = min(told.limits.low, tau)
        kept = set_threshold(
            db,
            project=project,
            table_type=chosen.cells.table_type,
            field=chosen.cells.field,
            tau=tau,
            low=low,
            way="recommended" if recommended else "by hand",
            alpha=alpha,
            delta=delta,
            basis=chosen.cells.basis,
            person=acting(db),
        )
        with db.read() as reader, _progress() as bar:
            for done, of in made_anew(db, reader, project=project, table_type=chosen.cells.table_type):
                bar.length = of
                bar.update(done - bar.pos)
    if as_json:
        click.echo(json.dumps(_decision(kept), ensure_ascii=False, indent=1))
    else:
        to = "back to the default" if kept.tau is None else f"from {tau_shown(kept.tau)} on cells pass"
        click.echo(f"{_called(chosen)}: {to}")


def _progress() -> Any:
    return click.progressbar(
        length=1, label="Badges and queue", file=sys.stderr, hidden=not sys.stderr.isatty(), update_min_steps=10
    )


def _fields(
    db: Db, reader: Database, project: str | None, run: int | None
) -> tuple[ProjectCells, tuple[Field, ...], str]:
    """The cells and the fields of a project: the one that is named, else the only one."""
    from store.confidence_cells import project_cells
    from store.confidence_fields import fields

    expect_known(reader, project=project, run=run)
    name = chosen_project(reader, project)
    found = project_cells(db, reader, project=name, run=run)
    return found, fields(db, reader, found, project=name), name


def _chosen(listed: tuple[Field, ...], table_type: str | None, field: str) -> Field:
    from store.db import StoreError

    fitting = [each for each in listed if each.cells.field == field and table_type in (None, each.cells.table_type)]
    if len(fitting) == 1:
        return fitting[0]
    named = ", ".join(
        f"--type {shlex.quote(each.cells.table_type)}" + (f" --field {each.cells.field}" if each.cells.field else "")
        for each in listed
    )
    what = "more than one field fits" if fitting else "no accepted cells of such a field"
    raise StoreError(f"{what}; expected one of: {named or 'none, as no table is accepted yet'}")


def _called(field: Field) -> str:
    name, of = field.cells.table_type or "tables without a type", field.cells.field
    return f"{name}, {of}" if of else f"{name}, all fields"


def _line(field: Field) -> str:
    from review_app.confidence_tables import setting
    from scoring import percent

    measured, passed = field.measures, field.now.through
    auroc = measured.error_detection.auroc
    return (
        f"{_called(field)}: {setting(field)}; {percent(passed.cell_share)} of {measured.cells:,} cells pass, "
        f"{passed.cells_accepted_wrong:,} of them wrong ({measured.wrong:,} in all); "
        f"AUROC {'n/a' if auroc is None else f'{auroc:.3f}'}"
    )


def _to_json(field: Field) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "table_type": field.cells.table_type,
        "field": field.cells.field,
        "threshold": _decision(field.threshold) if field.threshold and field.is_own else None,
        "tau": field.tau,
        "stale": field.is_stale,
        "passes": asdict(field.now.through),
        "error_upper_limit": field.now.upper,
        "measures": field.measures.to_json(),
    }


def _decision(kept: SetThreshold) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(kept)
