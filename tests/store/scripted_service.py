"""A service over HTTP for tests, run as a process of its own: it plays a script of answers and logs what was asked.

PUT /script takes a list of answers, GET /log gives the requests so far. An answer has ``status``, ``headers``,
``body`` (text, or JSON), ``chat`` (the text of a chat completion), ``delay_s``, and ``cut``: after so many bytes
of the body the connection is closed. ``{origin}`` stands for the address of the service.
"""

from __future__ import annotations

import base64
import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: list[dict[str, Any]]
    log: list[dict[str, Any]]
    turn = threading.Lock()

    def do_PUT(self) -> None:
        type(self).script, type(self).log = json.loads(self._body()), []
        self._send(200, {}, b"")

    def do_GET(self) -> None:
        if self.path == "/log":
            self._send(200, {}, json.dumps(self.log).encode())
        else:
            self._play()

    def do_POST(self) -> None:
        self._play()

    def log_message(self, *_: object) -> None:
        pass

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def _play(self) -> None:
        raw = self._body()
        with self.turn:
            said = {name.lower(): value for name, value in self.headers.items()}
            self.log.append(
                {"method": self.command, "path": self.path, "headers": said, "body": base64.b64encode(raw).decode()}
            )
            answer = self.script.pop(0) if self.script else {"status": 500, "body": "the script has ended"}
        time.sleep(answer.get("delay_s", 0))
        body = answer.get("body", "")
        if "chat" in answer:
            message = {"role": "assistant", "content": answer["chat"]}
            choice = {"index": 0, "message": message, "finish_reason": answer.get("finish", "stop")}
            body = {"id": "c1", "object": "chat.completion", "model": "parrot", "choices": [choice]}
        text = body if isinstance(body, str) else json.dumps(body)
        origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        headers = {name: value.replace("{origin}", origin) for name, value in answer.get("headers", {}).items()}
        self._send(answer.get("status", 200), headers, text.replace("{origin}", origin).encode(), answer.get("cut"))

    def _send(self, status: int, headers: dict[str, str], body: bytes, cut: int | None = None) -> None:
        head = f"HTTP/1.1 {status} said\r\nContent-Length: {len(body)}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        # In one piece: two small writes wait for each other.
        self.wfile.write(head.encode() + b"\r\n" + (body if cut is None else body[:cut]))
        self.wfile.flush()
        if cut is not None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    Service.script, Service.log = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    # Ends with the tests, however they end.
    threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
    server.serve_forever()
