"""The commands on runs of extractors: which there are, and how two of them compare."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from review_app.exits import EXIT_CHECK_FAILED
from review_app.opening import expect_known, home_option, json_option, opened
from review_app.whole_file import replacing
from review_app.wording import count


@click.command()
@click.argument("a", type=int)
@click.argument("b", type=int)
@home_option
@click.option("--single", is_flag=True, help="Only these two runs, without their repeats.")
@click.option(
    "--fail-on-regression",
    is_flag=True,
    help="Exit with status 1 where B is worse beyond chance, or too little was compared to tell.",
)
@click.option(
    "--markdown", type=click.Path(dir_okay=False, path_type=Path), help="File to write a summary for a pull request to."
)
@click.option(
    "--html", type=click.Path(dir_okay=False, path_type=Path), help="File to write the whole comparison to; it prints."
)
@json_option
def compare(
    a: int,
    b: int,
    home: Path | None,
    single: bool,
    fail_on_regression: bool,
    markdown: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Compare run B with run A over the accepted documents that both were asked for.

    A and B are numbers of runs, as "proofgrid runs" lists them; the repeats of a run are averaged. Documents that a
    run failed at count as missed. Differences are paired by document: a 95 % interval by resampling documents, and a
    p-value by swapping A and B. A regression is a lower cell F1 with p < 0.05, or a field that got worse with an
    adjusted p (Holm) < 0.05.

    Example: proofgrid compare 1 4 --fail-on-regression --markdown summary.md
    """
    from review_app import compare_page, compare_report, compare_tables
    from store.paired_runs import flipped_cells, kept_pair
    from store.run_series import series_of

    if a == b:
        raise click.UsageError(f"run {a} is compared with itself, expected two runs; proofgrid runs lists them")
    with opened(home) as (db, _), db.read() as reader:
        sides = [series_of(reader, run) for run in (a, b)]
        if single or sides[0].runs == sides[1].runs:  # two repeats of one series are compared with each other
            sides = [series.only(run) for series, run in zip(sides, (a, b), strict=True)]
        found, _ = kept_pair(db, reader, *sides)
        if markdown:
            with replacing(markdown) as file:
                file.write(compare_report.markdown(found).encode())
        if html:
            named = (found.documents[pair.name] for pair in compare_tables.differing(found))
            first, other = found.a.runs[0], found.b.runs[0]
            cells = ((one.name, cell) for one in named for cell in flipped_cells(db, reader, one.id, first, other))
            with replacing(html) as file:
                file.write(compare_page.html(found, cells).encode())
    if as_json:
        click.echo(json.dumps(compare_report.to_json(found), ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(compare_report.lines(found)))
    nothing = () if found.corpora.documents else ("nothing was compared",)
    failed = found.corpora.regressions or nothing or tuple(filter(None, [found.corpora.undecidable]))
    if fail_on_regression and failed:
        click.echo("\n".join(failed), err=True)
        sys.exit(EXIT_CHECK_FAILED)


@click.command()
@home_option
@click.option("--project", default=None, help="Only this project; by default all.")
@json_option
def runs(home: Path | None, project: str | None, as_json: bool) -> None:
    """List the runs of extractors with their scores on the documents that all of them were asked for, best first.

    Example: proofgrid runs --project invoices
    """
    from review_app import compare_report
    from store.documents import projects
    from store.leaderboard import kept_leaderboard

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        names = [project] if project else projects(reader)
        boards = {name: kept_leaderboard(db, reader, project=name)[0] for name in names}
    if as_json:
        found = {name: board.to_json() for name, board in boards.items()}
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    for name, board in boards.items():
        if not board.standings:
            click.echo(f"{name}: nothing has been extracted yet")
            continue
        click.echo(f"{name}: {count(board.documents, 'accepted document')} in common")
        click.echo("\n".join(compare_report.standings(board)))
