"""A way to a service on which much is lost: requests, answers, and the rest of streams."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from urllib.parse import urlsplit

CHUNK = 4096
PASSED = (20_000, 0, 20_000, 20_000, 500, 20_000, 20_000, None, 3_000, 20_000)
"""How many bytes of an answer come through, connection by connection; None: no request does."""


@dataclass
class Cuts:
    """The address to connect to, and what has been lost on the way so far."""

    url: str
    refused: int = 0
    unanswered: int = 0
    halved: int = 0
    numbers: Iterator[int] = field(default_factory=count)


@contextmanager
def cutting(url: str) -> Iterator[Cuts]:
    """Stand before the service at `url`."""
    parts = urlsplit(url)
    there = (str(parts.hostname), int(parts.port or 80))
    cuts = Cuts("")

    class Way(BaseRequestHandler):
        def handle(self) -> None:
            passed = PASSED[next(cuts.numbers) % len(PASSED)]
            if passed is None:
                cuts.refused += 1
                return
            with suppress(OSError), socket.create_connection(there) as service:
                Thread(target=_pass_on, args=(self.request, service), daemon=True).start()
                _answer(service, self.request, passed, cuts)

    class Server(ThreadingTCPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Way) as server:
        cuts.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield cuts
        finally:
            server.shutdown()
            thread.join()


def _pass_on(client: socket.socket, service: socket.socket) -> None:
    with suppress(OSError):
        while piece := client.recv(CHUNK):
            service.sendall(piece)


def _answer(service: socket.socket, client: socket.socket, passed: int, cuts: Cuts) -> None:
    """Pass an answer on as far as it may come through."""
    left = passed
    while piece := service.recv(CHUNK):
        client.sendall(piece[:left])
        left -= len(piece)
        if left < 0:
            cuts.halved += passed > 0
            cuts.unanswered += passed == 0
            return
