"""Twenty people who review at once on one server: python -m benchmarks.reviewers"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from benchmarks import documents
from benchmarks.figures import Figure, printed
from benchmarks.server import imported, rows_of, serving
from review_app.tokens import Capability, issue, secret_of

PEOPLE, ROWS = 20, 30
THINKS_S = 3.0, 6.0
AWAY = 0.2  # of edits after which the person goes to the queue and comes back
ANSWERS_WITHIN_S = 30


@dataclass
class Reviewer:
    """One person with a browser tab: edits over the routes, screens over Streamlit's web socket."""

    number: int
    gold: int
    token: str
    url: str
    until: float
    edits: list[float] = field(default_factory=list)
    reruns: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def work(self) -> None:
        """Open the table, then think, edit, think, edit; errors are kept, not raised."""
        chance = random.Random(self.number)
        time.sleep(chance.random() * THINKS_S[1])
        try:
            address = f"{self.url.replace('http', 'ws', 1)}/_stcore/stream"
            with connect(address, subprotocols=["streamlit"], max_size=None, origin=self.url) as socket:  # type: ignore[list-item]
                self._shown(socket, "review")
                self._edit_on(socket, chance)
        except Exception as wrong:  # noqa: BLE001 - whatever it is, it is counted and shown
            self.errors.append(f"{type(wrong).__name__}: {wrong}")

    def _edit_on(self, socket: ClientConnection, chance: random.Random) -> None:
        server = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=ANSWERS_WITHIN_S)
        table = self._asked(server, "GET", f"/api/table/{self.gold}")
        texts = {(cell["row"], cell["col"]): cell["text"] for cell in table["sheet"]["cells"]}
        revision = table["revision"]
        places = [place for place in texts if place[0] > 0]
        while time.monotonic() < self.until:
            time.sleep(chance.uniform(*THINKS_S))
            row, col = chance.choice(places)
            new = f"{chance.randrange(100_000) / 100:,.2f}"
            change = {"row": row, "col": col, "old": texts[row, col], "new": new}
            edit = {
                "id": str(uuid.UUID(int=chance.getrandbits(128))),
                "edit": {"kind": "set_text", "changes": [change]},
                "undoes": None,
                "source": "typed",
                "at": datetime.now(UTC).isoformat(),
                "active_ms": 3000,
            }
            start = time.perf_counter()
            body = {"token": self.token, "gold": self.gold, "after": revision, "edits": [edit], "activity": []}
            answer = self._asked(server, "POST", "/api/edits", body)
            self.edits.append((time.perf_counter() - start) * 1000)
            revision, texts[row, col] = answer["revision"], new
            if chance.random() < AWAY:
                self.reruns += [self._shown(socket, ""), self._shown(socket, "review")]

    def _asked(self, server: http.client.HTTPConnection, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        server.request(method, path, None if body is None else json.dumps(body), headers)
        answer = server.getresponse()
        raw = answer.read()
        server.close()  # the server has closed it anyway when the next edit comes
        if answer.status != 200:
            raise ValueError(f"{path}: {answer.status} {raw[:200]!r}")
        return json.loads(raw)

    def _shown(self, socket: ClientConnection, page: str) -> float:
        """Milliseconds until Streamlit has run a screen for this person."""
        asked = BackMsg()
        asked.rerun_script.page_name = page
        asked.rerun_script.query_string = f"table={self.gold}" if page else ""
        start = time.perf_counter()
        socket.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            raw = socket.recv(ANSWERS_WITHIN_S)
            told.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
            if told.WhichOneof("type") == "delta" and told.delta.new_element.WhichOneof("type") == "exception":
                raise ValueError(f"screen {page!r}: {told.delta.new_element.exception.message}")
            if told.WhichOneof("type") == "script_finished":
                return (time.perf_counter() - start) * 1000


def main() -> int:
    """Print the figures; exit status 1 where a target is missed or anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE, help=f"how many ({PEOPLE})")
    parser.add_argument("--seconds", type=float, default=90, help="how long they work (90)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        made, home = Path(folder, "documents"), Path(folder, "home")
        documents.write(made, count=asked.people, rows=ROWS, rows_on_page=ROWS + 1)
        imported(made, home, project="reviewers")
        golds = [key for (key,) in rows_of(home, "select id from gold order by id")]
        with serving(home) as url:
            secret, until = secret_of(home), time.monotonic() + asked.seconds
            people = [
                Reviewer(number, gold, issue(secret, Capability(f"reviewer {number}", gold)), url, until)
                for number, gold in enumerate(golds)
            ]
            threads = [threading.Thread(target=person.work) for person in people]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        sent = sum(len(person.edits) for person in people)
        stored = rows_of(home, "select count(*) from edit")[0][0]
    errors = [error for person in people for error in person.errors]
    print(f"{len(people)} people, {sent} edits sent, {stored} stored, {len(errors)} errors", *errors[:5], sep="\n")
    if not sent:
        return 1
    kept = printed(
        [
            Figure("edit: sent to durable and answered", [ms for one in people for ms in one.edits], 50),
            Figure("screen: rerun of Streamlit, asked to finished", [ms for one in people for ms in one.reruns], 150),
        ]
    )
    return 0 if kept and not errors and sent == stored else 1


if __name__ == "__main__":
    sys.exit(main())
