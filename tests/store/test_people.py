from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from store import activity, api_keys, audit, people, releases, reviews, thresholds
from store import gold as golds
from store.audit import noted
from store.db import Db, NotFound, StoreError
from store.edits import SetText, TextChange
from store.exporting import export
from store.gold import Gold, NewEdit
from store.home import Home
from store.ingest import ingest
from store.people import Person, add_person
from store.rights import ALL_RIGHTS, RIGHTS, ROLES, NotAllowed, Role, expect_right, rights_of, terminal

EDIT = NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))


@pytest.fixture
def team(db: Db) -> Db:
    add_person(db, "ann@example.org", role="admin", by="root", name="Ann")
    for role in ROLES:
        add_person(db, f"{role}@example.org", role=role, by="Ann", name=role.capitalize())
    return db


def refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except NotAllowed:
        return True
    return False


def named(db: Db, name: str) -> Person:
    with db.read() as reader:
        return people.person(reader, name)


def log(db: Db, **asked: str) -> list[str]:
    with db.read() as reader:
        return [f"{each.person}: {each.action} {each.subject}" for each in noted(reader, reader_name="Ann", **asked)]


def test_without_people_everybody_may_do_everything_and_nothing_is_noted(db: Db, gold: Gold) -> None:
    with db.read() as reader:
        assert rights_of(reader, "whoever") == ALL_RIGHTS
        assert terminal(reader, "whoever") == "whoever"
        assert people.epoch_of(reader, "whoever") == 0
    reviews.add_verdict(db, gold.id, verdict="accept", person="whoever", id="v1", at_revision=0)
    with db.read() as reader:
        assert noted(reader, reader_name="whoever") == ()


def test_from_the_first_person_on_everybody_needs_a_role(team: Db, gold: Gold) -> None:
    with pytest.raises(NotAllowed, match="whoever is not among the people"):
        reviews.add_verdict(team, gold.id, verdict="accept", person="whoever", id="v1", at_revision=0)
    with team.read() as reader:
        assert people.epoch_of(reader, "whoever") is None


def test_the_first_person_must_be_an_admin(db: Db) -> None:
    with pytest.raises(StoreError, match="must be an admin"):
        add_person(db, "bob@example.org", role="annotator", by="root")


def test_each_role_may_what_the_one_before_it_may_and_more() -> None:
    for lower, higher in pairwise(ROLES):
        assert RIGHTS[lower] < RIGHTS[higher]
    assert RIGHTS["admin"] == ALL_RIGHTS


@pytest.mark.parametrize("role", ROLES)
def test_the_store_itself_refuses_what_a_role_may_not(team: Db, home: Home, gold: Gold, role: Role) -> None:
    name = role.capitalize()

    def exported() -> None:
        with team.read() as reader:
            list(export(team, home, reader, to="gold", person=name))

    def read_log() -> None:
        with team.read() as reader:
            noted(reader, reader_name=name)

    basis = thresholds.Basis(1, 1, 1, "")
    attempts = {
        "review": lambda: activity.add_activity(team, gold.id, [], person=name, seen=[("r", "c")]),
        "accept": lambda: reviews.add_verdict(team, gold.id, verdict="reopen", person=name, id="v", at_revision=0),
        "import": lambda: ingest(team, home, [], person=name),
        "rules": lambda: thresholds.set_threshold(
            team, project="default", table_type="", tau=0.5, basis=basis, person=name
        ),
        "export": exported,
        "people": lambda: add_person(team, "new@example.org", role="annotator", by=name),
        "audit": read_log,
    }
    allowed = {right for right, attempt in attempts.items() if not refused(attempt)}
    assert allowed == RIGHTS[role] - {"adjudicate", "check", "results"}


def test_a_release_needs_the_right_to_export(team: Db, gold: Gold) -> None:
    reviews.add_verdict(team, gold.id, verdict="accept", person="Annotator", id="v1", at_revision=0)
    with pytest.raises(NotAllowed, match="export gold and make releases; that needs the role owner or admin"):
        releases.make_release(team, project="default", name="r1", person="Reviewer")
    assert releases.make_release(team, project="default", name="r1", person="Owner").name == "r1"
    assert "Owner: made release r1" in log(team)


def test_a_removed_person_may_nothing_at_once_and_what_was_handed_out_is_of_an_earlier_epoch(
    team: Db, gold: Gold
) -> None:
    with team.read() as reader:
        before = people.epoch_of(reader, "Annotator")
    assert before is not None
    people.remove_person(team, "Annotator", by="Ann")
    with team.read() as reader:
        assert people.epoch_of(reader, "Annotator") is None
        assert rights_of(reader, "Annotator") == frozenset()
    people.add_person(team, "annotator@example.org", role="annotator", by="Ann", name="Annotator")
    with team.read() as reader:
        assert (people.epoch_of(reader, "Annotator") or 0) > before


def test_a_change_of_role_and_a_sign_out_raise_the_epoch(team: Db) -> None:
    epochs = [named(team, "Annotator").epoch]
    people.set_role(team, "Annotator", role="reviewer", by="Ann")
    epochs.append(named(team, "Annotator").epoch)
    people.sign_out(team, "Annotator")
    epochs.append(named(team, "Annotator").epoch)
    assert epochs == sorted(set(epochs))


def test_the_last_admin_can_neither_be_removed_nor_forgotten_nor_become_another(team: Db) -> None:
    people.remove_person(team, "Admin", by="Ann")
    for attempt in (
        lambda: people.remove_person(team, "Ann", by="Ann"),
        lambda: people.set_role(team, "Ann", role="owner", by="Ann"),
        lambda: people.forget(team, "Ann", by="Ann"),
    ):
        with pytest.raises(StoreError, match="last admin"):
            attempt()
    assert named(team, "Ann").role == "admin"
    assert named(team, "Ann").removed_at is None


def test_names_and_sign_ins_are_of_one_person_each_in_any_spelling(team: Db) -> None:
    with pytest.raises(StoreError, match="differs from 'Annotator' of this team only in case"):
        add_person(team, "other@example.org", role="owner", by="Ann", name="ANNOTATOR")
    with pytest.raises(StoreError, match="somebody else already"):
        add_person(team, "Annotator@Example.org", role="owner", by="Ann", name="Other")
    with pytest.raises(StoreError, match="those who own the files"):
        add_person(team, "x@example.org", role="owner", by="Ann", name="root (terminal)")
    with pytest.raises(NotFound, match="'nobody' is nobody of this team"):
        people.remove_person(team, "nobody", by="Ann")


@pytest.mark.parametrize(
    ("claims", "trust", "found"),
    [
        ({"email": "Annotator@example.ORG", "email_verified": True}, False, "Annotator"),
        ({"email": "annotator@example.org", "email_verified": False}, False, None),
        ({"email": "annotator@example.org"}, False, None),
        ({"email": "annotator@example.org"}, True, "Annotator"),
        ({"sub": "annotator@example.org"}, True, None),
        ({"sub": "248289761001", "email": "x@example.org", "email_verified": True}, False, "By subject"),
        ({"email": "248289761001", "email_verified": True}, False, None),
        ({"email": "gone@example.org", "email_verified": True}, False, None),
        ({}, True, None),
    ],
)
def test_who_signs_in_is_told_by_a_verified_email_or_by_the_subject(
    team: Db, claims: dict[str, object], trust: bool, found: str | None
) -> None:
    add_person(team, "248289761001", role="owner", by="Ann", name="By subject")
    add_person(team, "gone@example.org", role="owner", by="Ann", name="Gone")
    people.remove_person(team, "Gone", by="Ann")
    with team.read() as reader:
        person = people.signing_in(reader, claims, trust_email=trust)
    assert (person.name if person else None) == found


def test_the_terminal_may_everything_and_signs_as_such(team: Db, gold: Gold) -> None:
    with team.read() as reader:
        name = terminal(reader, "root")
        expect_right(reader, name, "people")
    assert name == "root (terminal)"
    people.set_role(team, "Annotator", role="owner", by=name)
    assert log(team)[-1] == "root (terminal): changed role of person Annotator"


def test_edits_are_noted_once_an_hour_and_verdicts_each(team: Db, gold: Gold) -> None:
    def add(id: str, old: str, after: int) -> None:
        change = SetText((TextChange(2, 1, old, str(after)),))
        golds.add_edits(team, gold.id, [NewEdit(id, change)], person="Annotator", after=after)

    add("edit-0001", "O.40", 0)
    add("edit-0002", "0", 1)
    reviews.add_verdict(team, gold.id, verdict="accept", person="Annotator", id="v1", at_revision=2)
    own = log(team, person="annotator")
    assert own == [f"Annotator: changed table {gold.id}", f"Annotator: accept table {gold.id}"]


def test_the_log_can_be_shown_from_a_day_on(team: Db) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()[:10]
    assert log(team, since=tomorrow) == []
    assert log(team, since="2026-01-01")


@pytest.mark.parametrize(
    "statement",
    [
        "update audit set person = 'x'",
        "delete from audit",
        "insert or replace into audit select * from audit",
        "delete from person",
        "update person set name = 'x' where name = 'Ann'",
        "update person set epoch = 0 where name = 'Ann'",
    ],
)
def test_the_database_itself_keeps_the_log_and_the_names(team: Db, statement: str) -> None:
    connection = sqlite3.connect(team.path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()


def test_old_lines_are_deleted_by_an_admin_alone_and_the_deletion_is_noted(team: Db) -> None:
    with team.write() as writer:
        writer.execute(
            "insert into audit (at, person, action, subject, detail, refused) values "
            "('2020-01-01T00:00:00', 'Ann', 'read', 'table 1', '', 0)"
        )
    with pytest.raises(NotAllowed):
        audit.delete_older(team, 30, by="Owner")
    before = log(team)
    assert audit.delete_older(team, 30, by="Ann") == 1
    assert log(team) == [*[line for line in before if line != "Ann: read table 1"], "Ann: deleted audit log"]


@pytest.mark.parametrize("days", [0, -1, 36_526, 99_999_999, 10**30])
def test_old_lines_are_deleted_for_days_that_a_date_can_be_counted_by(team: Db, days: int) -> None:
    with pytest.raises(StoreError, match=f"{days} days, expected 1 to 36525"):
        audit.delete_older(team, days, by="Ann")


@pytest.mark.parametrize(
    "name", ["ann", "ANN", "\uff21nn", "Ann \uff08terminal)", "Ann (Terminal)", "", "  ", "ANN@example.org"]
)
def test_a_name_that_could_be_taken_for_another_is_refused(team: Db, name: str) -> None:
    before = everybody(team)
    with pytest.raises(StoreError):
        add_person(team, "new@example.org", role="annotator", by="Ann", name=name)
    assert everybody(team) == before


def test_a_name_written_in_another_unicode_form_is_refused_with_the_known_one(team: Db) -> None:
    add_person(team, "jose@example.org", role="annotator", by="Ann", name="Jos\u00e9")
    people.remove_person(team, "Jos\u00e9", by="Ann")
    with pytest.raises(StoreError, match="differs from 'Jos\u00e9' of this team only in case or in the form"):
        add_person(team, "other@example.org", role="annotator", by="Ann", name="Jose\u0301")


def test_without_a_name_the_sign_in_signs_and_who_adds_the_first_is_at_the_terminal(db: Db) -> None:
    first = add_person(db, "ann@example.org", role="admin", by="root")
    assert (first.name, first.added_by) == ("ann@example.org", "root (terminal)")
    with db.read() as reader:
        assert terminal(reader, "root") == first.added_by


def test_forgetting_a_person_deletes_sign_in_and_times_and_keeps_the_edits(team: Db, gold: Gold) -> None:
    golds.add_edits(
        team,
        gold.id,
        [NewEdit("edit-0001", EDIT.edit, active_ms=1234)],
        person="Annotator",
        after=0,
    )
    people.forget(team, "Annotator", by="Ann")
    gone = named(team, "Annotator")
    assert (gone.sign_in, gone.removed_at is not None) == (None, True)
    with team.read() as reader:
        (edit,) = golds.history(reader, gold.id)
        assert (edit.person, edit.active_ms) == ("Annotator", 0)
        assert people.signing_in(reader, {"email": "annotator@example.org", "email_verified": True}) is None


def test_the_keys_of_who_is_removed_stay_refused_when_they_come_back(team: Db) -> None:
    _, text = api_keys.make_key(team, person="Owner", by="Ann")
    people.remove_person(team, "Owner", by="Ann")
    add_person(team, "owner@example.org", role="owner", by="Ann", name="Owner")
    with team.read() as reader, pytest.raises(api_keys.KeyRefused, match="revoked"):
        api_keys.holder(reader, text)


def everybody(db: Db) -> tuple[Person, ...]:
    with db.read() as reader:
        return people.people(reader, removed_too=True)
