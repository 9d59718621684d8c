"""Starting the server as a process of its own, on this machine only."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path

import click

from review_app.settings import PUBLIC_ADDRESS
from review_app.sign_in import EXAMPLE, FILE, LOOPBACK, SignIn, read_by_others, sign_in_of, write_secrets
from store.db import Db, StoreError
from store.home import Home, find_home
from store.rights import is_team

FIRST_PORT, PORTS_TRIED = 8501, 100
ADDRESS = "127.0.0.1"


def sample_folders() -> list[Path]:
    """The sample documents, then more runs over them: in an installed package, or at the root of a checkout."""
    package = Path(__file__).parent
    place = package if (package / "sample_docs").is_dir() else package.parent
    return [place / "sample_docs", place / "sample_runs"]


def demo_home(folder: Path | None) -> Home:
    """The home given or named by PROOFGRID_HOME, else a folder beside the person's own data."""
    if folder is not None or os.environ.get("PROOFGRID_HOME"):
        return find_home(folder)
    own = find_home().folder
    return Home(own.with_name(own.name + "-demo"))


def free_port(wanted: int | None = None, address: str = ADDRESS) -> int:
    """The port wanted, or the first one from FIRST_PORT on that nobody listens on.

    Raises OSError, in words for a person, where it is taken, or all are, or the address is none of this machine.
    """
    if not _is_free(0, address):  # any port at all
        raise OSError(f"this machine has no IPv4 address {address!r} to listen on; name one of its own with --address")
    if wanted is not None:
        if not _is_free(wanted, address):
            raise OSError(f"port {wanted} is taken or not allowed; leave out --port to get a free one")
        return wanted
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        if _is_free(port, address):
            return port
    raise OSError(f"no free port from {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1}; name one with --port")


def _is_free(port: int, address: str) -> bool:
    with socket.socket() as attempt:
        # Without this a port would look taken for a minute after a server on it ended.
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((address, port))
        except (OSError, UnicodeError):  # the latter for a name that no host can have
            return False
        return True


def expect_safe(db: Db, home: Home, address: str) -> SignIn | None:
    """How people sign in, or None on this machine alone; raises StoreError where others could come in without."""
    sign_in = sign_in_of(home)
    if sign_in is not None and (words := read_by_others(home)):
        click.echo(words, err=True)
    with db.read() as reader:
        if sign_in is not None and not is_team(reader):
            raise StoreError(
                f"{home.folder / FILE} says how to sign in, but nobody may: name the first admin by\n"
                "proofgrid users add YOU@EXAMPLE.ORG --name You --role admin"
            )
    if sign_in is None and address not in LOOPBACK:
        raise StoreError(
            f"--address {address} lets others in, and nobody is asked who they are: {home.folder / FILE} is missing. "
            f"It looks so (docs/team.md):\n{EXAMPLE}"
        )
    return sign_in


def serve_forever(
    home: Home,
    *,
    port: int | None,
    open_browser: bool,
    person: str | None,
    address: str = ADDRESS,
    sign_in: SignIn | None = None,
) -> int:
    """Run the server until it is interrupted or told to end; returns its exit status.

    ``expect_safe`` says how people sign in. Raises OSError as ``free_port`` does.
    """
    port = free_port(port, address)
    environment = {**os.environ, "PROOFGRID_HOME": str(home.folder), "PROOFGRID_SERVED_BY": str(os.getpid())}
    environment.pop(PUBLIC_ADDRESS, None)
    if person:
        environment["PROOFGRID_PERSON"] = person
    here = Path(__file__).parent
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "asgi.py",
        f"--server.port={port}",
        f"--server.address={address}",
    ]
    url = f"http://{ADDRESS}:{port}"
    if sign_in is not None:
        url = environment[PUBLIC_ADDRESS] = sign_in.public_address
        command += [f"--secrets.files={write_secrets(home, sign_in)}", f"--browser.serverAddress={sign_in.host}"]
        # Streamlit would name the address at which it listens, by http: nobody can sign in there.
        command.append("--logger.hideWelcomeMessage=true")
        told = f"People open {url}. What passes https on to this server finds it at http://{address}:{port}"
        click.echo(told if url.startswith("https:") else f"People open {url}")
    # Streamlit reads .streamlit/config.toml of the folder it is started in.
    server = subprocess.Popen(command, cwd=here, env=environment)
    # What is told to this process is meant for the server, which would otherwise go on alone.
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    if open_browser:
        threading.Thread(target=_open_when_up, args=(url, server), daemon=True).start()
    try:
        status = server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 0
    return 0 if status == -signal.SIGTERM else status


def _open_when_up(url: str, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                break
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    if server.poll() is None:
        webbrowser.open(url)
