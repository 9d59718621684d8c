"""The commands on the people of a team and on the log of what they did."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from review_app.opening import acting, home_option, json_option, opened
from review_app.wording import count

if TYPE_CHECKING:
    from store.people import Person
    from store.rights import Role

# Those of store.rights, which takes long to load.
ROLE_NAMES = ["annotator", "reviewer", "owner", "admin"]
role_option = click.option("--role", type=click.Choice(ROLE_NAMES), required=True, help="What they may do.")


@click.group()
def users() -> None:
    """The people of a team and their roles (docs/team.md). Whoever owns the files may do all this at the terminal.

    Example: proofgrid users add ann@example.org --name Ann --role admin
    """


@users.command()
@click.argument("sign_in")
@home_option
@click.option(
    "--name", default=None, help="What signs their edits, for ever. May be a pseudonym; left out, it is SIGN_IN itself."
)
@role_option
@json_option
def add(sign_in: str, home: Path | None, name: str | None, role: Role, as_json: bool) -> None:
    """Take somebody into the team, or back into it: SIGN_IN is the e-mail, or the subject, that the provider tells.

    From the first person on, who must be an admin, everybody needs a role.

    Example: proofgrid users add bob@example.org --name Bob --role annotator
    """
    from store.people import add_person

    with opened(home, create=True) as (db, _):
        added = add_person(db, sign_in, role=role, by=acting(db), name=name)
    _tell(added, as_json)
    if name is None:
        click.echo(f"No --name was given: edits will be signed {added.name!r}, for ever.", err=True)


@users.command(name="list")
@home_option
@click.option("--removed", is_flag=True, help="Those who were removed, too.")
@json_option
def list_(home: Path | None, removed: bool, as_json: bool) -> None:
    """List the people of the team with their roles.

    Example: proofgrid users list
    """
    from store.people import people

    with opened(home) as (db, _), db.read() as reader:
        found = people(reader, removed_too=removed)
    if as_json:
        click.echo(json.dumps({"people": [asdict(each) for each in found]}, ensure_ascii=False, indent=1))
        return
    for each in found:
        click.echo(_line(each))
    if not found:
        click.echo("There is no team: whoever opens the app on this machine may do everything. users add begins one.")


@users.command()
@click.argument("person")
@click.argument("role", type=click.Choice(ROLE_NAMES))
@home_option
@json_option
def role(person: str, role: Role, home: Path | None, as_json: bool) -> None:
    """Give PERSON another role, at once: open pages must be loaded anew.

    Example: proofgrid users role Bob reviewer
    """
    from store.people import set_role

    with opened(home) as (db, _):
        _tell(set_role(db, person, role=role, by=acting(db)), as_json)


@users.command()
@click.argument("person")
@home_option
@json_option
def remove(person: str, home: Path | None, as_json: bool) -> None:
    """Take PERSON out of the team, at once. What they did stays; the last admin stays, too.

    Example: proofgrid users remove Bob
    """
    from store.people import remove_person

    with opened(home) as (db, _):
        _tell(remove_person(db, person, by=acting(db)), as_json)


@users.command()
@click.argument("person")
@home_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def forget(person: str, home: Path | None, yes: bool, as_json: bool) -> None:
    """Remove PERSON and delete, for good, what they sign in with and all their times.

    Edits, verdicts, comments and the audit log stay under the name that signs them.

    Example: proofgrid users forget Bob --yes
    """
    from store import people

    with opened(home) as (db, _):
        with db.read() as reader:
            found = people.person(reader, person)
        if not yes:
            click.confirm(f"Delete sign-in and times of {found.name} for good?", abort=True, err=True)
        gone = people.forget(db, found.name, by=acting(db))
    if as_json:
        click.echo(json.dumps({"person": found.name, "stretches_deleted": gone}, ensure_ascii=False, indent=1))
        return
    click.echo(f"{found.name}: removed, sign-in and {count(gone, 'stretch', 'stretches')} of time deleted.")
    click.echo(f"Edits, verdicts, comments and the audit log stay under the name {found.name!r}.")


@click.command()
@home_option
@click.option("--person", default=None, help="Only what this person did.")
@click.option("--since", default="", help="From this day or moment on (UTC), such as 2026-12-01.")
@click.option("--older-than", type=int, default=None, help="Days; with --delete.")
@click.option("--delete", is_flag=True, help="Delete the lines that are older than --older-than days.")
@json_option
def audit(
    home: Path | None, person: str | None, since: str, older_than: int | None, delete: bool, as_json: bool
) -> None:
    """Show who read or changed which table, export, release or person, and what was refused; oldest first.

    Example: proofgrid audit --person Bob --since 2026-12-01
    """
    from datetime import datetime

    from store.audit import delete_older, noted

    if delete != (older_than is not None):
        raise click.UsageError("--older-than and --delete go together")
    if since:
        try:
            datetime.fromisoformat(since)
        except ValueError:
            raise click.UsageError(f"--since {since}: expected a day or moment such as 2026-12-01") from None
    with opened(home) as (db, _):
        if older_than is not None:
            gone = delete_older(db, older_than, by=acting(db))
            told = {"deleted": gone, "older_than_days": older_than}
            click.echo(json.dumps(told) if as_json else f"{count(gone, 'line')} older than {older_than} days deleted.")
            return
        with db.read() as reader:
            lines = noted(reader, reader_name=acting(db), person=person, since=since)
    if as_json:
        click.echo(json.dumps({"audit": [asdict(each) for each in lines]}, ensure_ascii=False, indent=1))
        return
    for each in lines:
        click.echo(each.line)
    if not lines:
        click.echo("Nothing is noted; the log begins with the first person: proofgrid users add.", err=True)


def _tell(person: Person, as_json: bool) -> None:
    click.echo(json.dumps(asdict(person), ensure_ascii=False, indent=1) if as_json else _line(person))


def _line(person: Person) -> str:
    gone = f", removed on {person.removed_at[:10]}" if person.removed_at else ""
    return f"{person.name}: {person.role}, signs in as {person.sign_in or '(forgotten)'}{gone}"
