"""Load for a service: wrk where it is installed, else a loop over raw sockets.

Both keep every connection busy with one request at a time, made ready beforehand.
"""

from __future__ import annotations

import json
import re
import selectors
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice, takewhile
from pathlib import Path
from time import perf_counter

HOST = "127.0.0.1"
SCRIPT = Path(__file__).with_name("load.lua")
LARGEST_READ = 1 << 20  # bytes
PATIENCE = 60  # seconds for one answer
SHORTEST = 1  # seconds that wrk can measure; it counts in whole ones

WRK = shutil.which("wrk")
GENERATOR = "wrk" if WRK else "raw sockets in Python"

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class LoadError(Exception):
    """Not every request was answered with 200: there is nothing to measure."""


@dataclass(frozen=True, slots=True)
class Driven:
    """What a load brought: answers, all of status 200, and the seconds they took together."""

    answers: int
    seconds: float

    @property
    def rate(self) -> float:
        """Return the answers a second."""
        return self.answers / self.seconds


def drive(
    port: int, path: str, bodies: Sequence[bytes], connections: int, seconds: float
) -> Driven:
    """Send the bodies in turn, over and over, for so many seconds. Raises `LoadError`."""
    if WRK and seconds >= SHORTEST:
        return _by_wrk(WRK, port, path, bodies, connections, round(seconds))
    return by_sockets(port, path, bodies, connections, seconds)


def by_sockets(
    port: int, path: str, bodies: Sequence[bytes], connections: int, seconds: float
) -> Driven:
    """Do as `drive` does, in this process. Raises `LoadError`."""
    until = perf_counter() + seconds
    requests = cycle([_request(path, body) for body in bodies])
    return _exchanged(port, connections, takewhile(lambda _: perf_counter() < until, requests))


def send_once(port: int, path: str, bodies: Sequence[bytes], connections: int) -> Driven:
    """Send each of the bodies once. Raises `LoadError`."""
    return _exchanged(port, connections, iter([_request(path, body) for body in bodies]))


def _by_wrk(
    wrk: str, port: int, path: str, bodies: Sequence[bytes], connections: int, seconds: int
) -> Driven:
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"\n".join(bodies))
        file.flush()
        command = [wrk, "-t", "1", "-c", str(connections), "-d", str(seconds), "-s", str(SCRIPT)]
        told = subprocess.run(
            [*command, f"http://{HOST}:{port}{path}", "--", file.name],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
    outcome = json.loads(told.splitlines()[-1])
    if outcome["failures"] or not outcome["answers"]:
        raise LoadError(f"{path}: {outcome}")
    return Driven(outcome["answers"], outcome["microseconds"] / 1e6)


@dataclass(slots=True)
class _Line:
    """A connection, and what has come of the answer to its request under way."""

    connection: socket.socket
    received: bytearray = field(default_factory=bytearray)

    def has_answer(self) -> bool:
        """Take what has come; return whether that completes the answer. Raises `LoadError`."""
        piece = self.connection.recv(LARGEST_READ)
        self.received += piece
        head = self.received.find(b"\r\n\r\n")
        if not piece or (head >= 0 and not self.received.startswith(b"HTTP/1.1 200 ")):
            raise LoadError(bytes(self.received[:1000]).decode("latin-1"))
        length = _LENGTH.search(self.received, 0, head + 1) if head >= 0 else None
        if length is None or len(self.received) < head + 4 + int(length[1]):
            return False
        self.received.clear()
        return True


def _exchanged(port: int, connections: int, requests: Iterator[bytes]) -> Driven:
    """Send the requests, each on the next connection that is free, and wait for the answers."""
    answers, began = 0, perf_counter()
    with ExitStack() as opened, selectors.DefaultSelector() as selector:
        for request in islice(requests, connections):
            connection = opened.enter_context(socket.create_connection((HOST, port), PATIENCE))
            selector.register(connection, selectors.EVENT_READ, _Line(connection))
            connection.sendall(request)
        while selector.get_map():
            ready = selector.select(PATIENCE)
            if not ready:
                raise LoadError("no answer in time")
            for key, _ in ready:
                if not key.data.has_answer():
                    continue
                answers += 1
                following = next(requests, None)
                if following is None:
                    selector.unregister(key.fileobj)
                else:
                    key.data.connection.sendall(following)
    return Driven(answers, perf_counter() - began)


def _request(path: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body
