"""The commands on work: whom tables are meant for, and how far everybody is."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from review_app.opening import acting, chosen_project, expect_known, home_option, json_option, opened
from review_app.wording import count


@click.command()
@click.argument("people", nargs=-1)
@home_option
@click.option("--project", default=None, help="Only tables of this project.")
@click.option("--table", "tables", type=int, multiple=True, help="Number of a gold table; give it again for more.")
@click.option("--document", default=None, help="The tables of the documents of this name.")
@click.option("--type", "table_type", default=None, help="The tables of this type.")
@click.option("--rule", is_flag=True, help="Let documents go to these people in turn, those to come, too.")
def assign(
    people: tuple[str, ...],
    home: Path | None,
    project: str | None,
    tables: tuple[int, ...],
    document: str | None,
    table_type: str | None,
    rule: bool,
) -> None:
    """Say whom tables are meant for: one person by hand, or several in turn by a rule; without a person, nobody.

    A rule is for a project, or with --type for one table type of it; who is named by hand counts before it.

    Example: proofgrid assign ann --document INV-2024-10583.pdf
    """
    from store import assignment
    from store.assignment import EVERY_TYPE, Rule

    if rule and (tables or document):
        raise click.UsageError("--rule is for a whole project or, with --type, for one table type of it")
    if not rule and len(people) > 1:
        raise click.UsageError(f"{count(len(people), 'person', 'people')} by hand; several take turns with --rule")
    if not rule and not (tables or document or table_type):
        raise click.UsageError("which tables? --table, --document or --type names them; --rule is for a whole project")
    with opened(home) as (db, _):
        with db.read() as reader:
            expect_known(reader, project=project)
            if rule:
                of = Rule(chosen_project(reader, project), table_type or EVERY_TYPE, people)
                keys: tuple[int, ...] = ()
            elif tables:
                keys = tables
            else:
                keys = assignment.tables_of(reader, project=project, document=document, table_type=table_type)
        if rule:
            assignment.set_rule(db, of, person=acting(db))
            click.echo(f"Documents of {of.project} go to {', '.join(people)} in turn." if people else "The rule ended.")
        else:
            name = people[0] if people else ""
            changed = assignment.assign(db, keys, name, person=acting(db))
            click.echo(f"{count(changed, 'table')} changed; {len(keys)} meant for {name or 'nobody'} now.")


@click.command()
@home_option
@click.option("--project", default=None, help="Only this project; by default all.")
@json_option
def progress(home: Path | None, project: str | None, as_json: bool) -> None:
    """Report how many tables are done, open, skipped and flagged, by person and by table type.

    Example: proofgrid progress --project invoices
    """
    from review_app import progress_table
    from store.progress import progress as counted

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        found = counted(db, reader, project=project or "")
    click.echo(json.dumps(asdict(found), ensure_ascii=False, indent=1) if as_json else progress_table.lines(found))
