from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from review_app.cli import main


def run(home: Path, *words: str, **options: str) -> Result:
    return CliRunner().invoke(main, [*words, "--home", str(home)], **options)  # type: ignore[arg-type]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    done = run(tmp_path, "users", "add", "ann@example.org", "--name", "Ann", "--role", "admin")
    assert done.exit_code == 0, done.output
    return tmp_path


def test_the_people_of_a_team_are_added_listed_changed_and_removed(home: Path) -> None:
    assert run(home, "users", "add", "bob@example.org", "--role", "annotator").exit_code == 0
    assert run(home, "users", "role", "bob@example.org", "reviewer").output.startswith("bob@example.org: reviewer")
    assert run(home, "users", "remove", "bob@example.org").exit_code == 0
    assert run(home, "users", "list").output == "Ann: admin, signs in as ann@example.org\n"
    told = json.loads(run(home, "users", "list", "--removed", "--json").output)["people"]
    assert [(each["name"], each["role"]) for each in told] == [("Ann", "admin"), ("bob@example.org", "reviewer")]


def test_what_signs_where_no_name_is_given_is_told_and_an_empty_name_is_refused(home: Path) -> None:
    done = run(home, "users", "add", "bob@example.org", "--role", "annotator")
    assert done.stderr == "No --name was given: edits will be signed 'bob@example.org', for ever.\n"
    refused = run(home, "users", "add", "eve@example.org", "--name", "", "--role", "annotator")
    assert (refused.exit_code, "expected an e-mail (or subject) and a name" in refused.stderr) == (2, True)


def test_the_last_admin_stays_and_the_refusal_says_what_to_do(home: Path) -> None:
    refused = run(home, "users", "remove", "Ann")
    assert (refused.exit_code, refused.stderr) == (2, "Ann is the last admin: make somebody else an admin first\n")


def test_the_first_person_is_an_admin(tmp_path: Path) -> None:
    refused = run(tmp_path, "users", "add", "bob@example.org", "--role", "annotator")
    assert refused.exit_code == 2
    assert "use --role admin" in refused.stderr


def test_forgetting_asks_first_and_says_what_stays(home: Path) -> None:
    run(home, "users", "add", "bob@example.org", "--name", "A7", "--role", "annotator")
    assert run(home, "users", "forget", "A7", input="n\n").exit_code == 1
    done = run(home, "users", "forget", "A7", "--yes")
    assert "A7: removed, sign-in and 0 stretches of time deleted." in done.output
    assert "stay under the name 'A7'" in done.output
    assert "A7: annotator, signs in as (forgotten)" in run(home, "users", "list", "--removed").output


def test_the_log_names_who_acted_at_the_terminal(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFGRID_PERSON", "root")
    run(home, "users", "add", "bob@example.org", "--name", "Bob", "--role", "annotator")
    last = json.loads(run(home, "audit", "--json").output)["audit"][-1]
    assert (last["person"], last["action"], last["subject"]) == ("root (terminal)", "added", "person Bob")
    assert run(home, "audit", "--person", "nobody").output.startswith("Nothing is noted")


def test_old_lines_of_the_log_are_deleted_only_when_both_options_say_so(home: Path) -> None:
    assert run(home, "audit", "--delete").exit_code == 2
    assert run(home, "audit", "--older-than", "30").exit_code == 2
    refused = run(home, "audit", "--older-than", "99999999", "--delete")
    assert (refused.exit_code, refused.stderr) == (2, "99999999 days, expected 1 to 36525\n")
    assert run(home, "audit", "--older-than", "30", "--delete").output == "0 lines older than 30 days deleted.\n"
    assert run(home, "audit", "--since", "yesterday").exit_code == 2
