from __future__ import annotations

import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from review_app import serving
from review_app.cli import main
from review_app.sign_in import EXAMPLE, FILE, SECRETS_FILE, sign_in_of, write_secrets
from store.db import StoreError
from store.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def says(home: Home, text: str) -> None:
    (home.folder / FILE).write_text(text)


def test_the_example_is_what_the_file_looks_like(home: Home) -> None:
    assert sign_in_of(home) is None
    says(home, EXAMPLE)
    found = sign_in_of(home)
    assert found is not None
    assert (found.host, found.client_id, found.trust_email) == ("tables.example.org", "proofgrid", False)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("public_address = ", "cannot be read"),
        ("", "public_address is missing"),
        (EXAMPLE.replace("client_secret", "client_sercet"), "client_secret is missing"),
        (EXAMPLE + "trust_mail = true\n", "trust_mail is unknown, expected public_address"),
        (EXAMPLE + 'trust_email = "yes"\n', "trust_email is 'yes', expected true or false"),
        (
            EXAMPLE.replace("https://tables", "http://tables"),
            "public_address is http://tables.example.org, expected https",
        ),
        (EXAMPLE.replace("https://login", "http://login"), "server_metadata_url is http://login"),
        (EXAMPLE.replace("https://tables.example.org", "tables.example.org"), "expected http(s)://host/..."),
        (EXAMPLE.replace("tables.example.org", "[::1"), "its host cannot be read"),
        (EXAMPLE.replace("tables.example.org", "tables.example.org:99999"), "a port is a number from 1 to 65535"),
        (EXAMPLE + "scope = " + "[" * 9000, "cannot be read"),
        (EXAMPLE.replace("tables.example.org", "tables.example.org/app"), "expected no path after the host"),
    ],
)
def test_a_wrong_file_is_told_with_its_key_and_what_was_expected(home: Home, wrong: str, told: str) -> None:
    says(home, wrong)
    with pytest.raises(StoreError) as refused:
        sign_in_of(home)
    assert str(refused.value).startswith(str(home.folder / FILE))
    assert told in str(refused.value)


@pytest.mark.parametrize("address", ["a" * 70, "192.0.2.1", "::1"])
def test_an_address_that_is_none_of_this_machine_is_told_and_not_that_all_ports_are_taken(address: str) -> None:
    for port in (None, 8501):
        with pytest.raises(OSError, match="this machine has no IPv4 address"):
            serving.free_port(port, address)


def test_the_one_warning_of_authlib_is_left_out_and_others_are_shown() -> None:
    program = """
from review_app.sign_in import leave_out_warning_of_authlib
leave_out_warning_of_authlib()
from authlib.integrations import starlette_client
from authlib.deprecate import deprecate
deprecate("something else", stacklevel=2)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "httpx" not in done.stderr
    assert "AuthlibDeprecationWarning: something else" in done.stderr


def test_what_streamlit_is_told_is_for_the_owner_alone_and_steady(home: Home) -> None:
    says(home, EXAMPLE.replace('"..."', '"se\\"cret\\\\"'))
    found = sign_in_of(home)
    assert found is not None
    path = write_secrets(home, found)
    assert path.name == SECRETS_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first = tomllib.loads(path.read_text())["auth"]
    assert first["redirect_uri"] == "https://tables.example.org/oauth2callback"
    assert first["client_secret"] == 'se"cret\\'
    assert len(first["cookie_secret"]) == 64
    assert tomllib.loads(write_secrets(home, found).read_text())["auth"] == first


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7"])
def test_others_are_let_in_only_where_they_are_asked_who_they_are(home: Home, address: str) -> None:
    refused = CliRunner().invoke(main, ["serve", "--home", str(home.folder), "--address", address, "--no-open"])
    assert refused.exit_code == 2
    assert f"--address {address} lets others in, and nobody is asked who they are" in refused.stderr
    assert EXAMPLE.splitlines()[0] in refused.stderr


def test_a_server_on_which_nobody_may_sign_in_says_how_to_name_the_first_admin(home: Home) -> None:
    says(home, EXAMPLE)
    refused = CliRunner().invoke(main, ["serve", "--home", str(home.folder), "--no-open"])
    assert refused.exit_code == 2
    assert "proofgrid users add YOU@EXAMPLE.ORG --name You --role admin" in refused.stderr


def test_a_file_of_sign_in_that_others_may_read_is_told_with_what_to_do(home: Home) -> None:
    says(home, EXAMPLE)
    path = home.folder / FILE
    path.chmod(0o644)
    words = ["serve", "--home", str(home.folder), "--no-open"]
    told = CliRunner().invoke(main, words).stderr
    assert f"Warning: {path} holds the client secret" in told
    assert f"(mode 644, expected 600). Run: chmod 600 {path}" in told
    path.chmod(0o600)
    assert "Warning" not in CliRunner().invoke(main, words).stderr


@pytest.mark.parametrize(
    ("public", "told"),
    [
        (
            "https://tables.example.org",
            "People open https://tables.example.org. What passes https on to this server finds it at http://127.0.0.1:",
        ),
        ("http://127.0.0.1:8501", "People open http://127.0.0.1:8501\n"),
    ],
)
def test_a_server_of_a_team_names_the_address_that_people_open(
    home: Home, public: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(home, EXAMPLE.replace("https://tables.example.org", public))
    started: list[list[str]] = []

    class Ended:
        def __init__(self, command: list[str], **_: object) -> None:
            started.append(command)

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(serving.subprocess, "Popen", Ended)
    monkeypatch.setattr(serving.signal, "signal", lambda *_: None)
    assert serving.serve_forever(home, port=None, open_browser=False, person=None, sign_in=sign_in_of(home)) == 0
    assert told in capsys.readouterr().out
    assert "--logger.hideWelcomeMessage=true" in started[0]
