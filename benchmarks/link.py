"""A connection that can be cut: a relay on loopback in front of a server."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

HEAD_ENDS = b"\r\n\r\n"


class Link:
    """A relay on loopback in front of a server, whose connections can be cut and let through again."""

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._is_up = True
        self._break_off_after = b""
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._is_up = False
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._open.clear()

    def restore(self) -> None:
        self._is_up = True

    def break_off(self, request: bytes) -> None:
        """Let the next request that has these words in it through, and of its answer no more than the head."""
        self._break_off_after = request

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self._is_up:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                near.close()
                continue
            self._open |= {near, far}
            broken_off = threading.Event()
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, target, broken_off), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, broken_off: threading.Event) -> None:
        with suppress(OSError):
            while some := source.recv(65536):
                if broken_off.is_set():  # this is the answer
                    target.sendall(some.partition(HEAD_ENDS)[0] + HEAD_ENDS)
                    break
                if self._break_off_after and self._break_off_after in some:
                    self._break_off_after = b""
                    broken_off.set()
                target.sendall(some)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            self._open.discard(end)
