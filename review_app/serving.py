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

from store.home import Home, find_home

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


def free_port(wanted: int | None = None) -> int:
    """The port wanted, or the first one from FIRST_PORT on that nobody listens on.

    Raises OSError, in words for a person, where it is taken, or all are.
    """
    if wanted is not None:
        if not _is_free(wanted):
            raise OSError(f"port {wanted} is taken or not allowed; leave out --port to get a free one")
        return wanted
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        if _is_free(port):
            return port
    raise OSError(f"no free port from {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1}; name one with --port")


def _is_free(port: int) -> bool:
    with socket.socket() as attempt:
        # Without this a port would look taken for a minute after a server on it ended.
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((ADDRESS, port))
        except OSError:
            return False
        return True


def serve_forever(home: Home, *, port: int | None, open_browser: bool, person: str | None) -> int:
    """Run the server until it is interrupted or told to end; returns its exit status.

    Raises OSError as ``free_port`` does.
    """
    port = free_port(port)
    environment = {**os.environ, "PROOFGRID_HOME": str(home.folder), "PROOFGRID_SERVED_BY": str(os.getpid())}
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
        f"--server.address={ADDRESS}",
    ]
    # Streamlit reads .streamlit/config.toml of the folder it is started in.
    server = subprocess.Popen(command, cwd=here, env=environment)
    # What is told to this process is meant for the server, which would otherwise go on alone.
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    url = f"http://{ADDRESS}:{port}"
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
