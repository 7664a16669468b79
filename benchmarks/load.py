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
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle, takewhile
from pathlib import Path
from time import perf_counter

HOST = "127.0.0.1"
SCRIPT = Path(__file__).with_name("load.lua")
GAME_SCRIPT = Path(__file__).with_name("session.lua")
LARGEST_READ = 1 << 20  # bytes
PATIENCE = 60  # seconds for one answer
SHORTEST = 1  # seconds that wrk can measure; it counts in whole ones

WRK = shutil.which("wrk")
GENERATOR = "wrk" if WRK else "raw sockets in Python"

Dialogue = Generator[bytes, bytes, None]
"""Yields requests; is sent the body of the answer to each."""

_NO_FIELDS: Mapping[str, str] = {}
_VERSION = re.compile(rb'"version":"([^"]+)"')
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class LoadError(Exception):
    """Not every request was answered with success: there is nothing to measure."""


@dataclass(frozen=True, slots=True)
class Game:
    """What is sent to play a game in a session: how it is created, then who does what."""

    creation: bytes
    steps: Sequence[tuple[int, bytes]]


@dataclass(frozen=True, slots=True)
class Driven:
    """What a load brought: answers, all of success, and the seconds they took together."""

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
        lines, manner = b"\n".join(bodies), ("-t", "1", "-s", str(SCRIPT))
        return _by_wrk(
            WRK, f"http://{HOST}:{port}{path}", lines, connections, round(seconds), manner
        )
    return by_sockets(port, path, bodies, connections, seconds)


def by_sockets(
    port: int, path: str, bodies: Sequence[bytes], connections: int, seconds: float
) -> Driven:
    """Do as `drive` does, in this process. Raises `LoadError`."""
    until = perf_counter() + seconds
    requests = cycle([_request(path, body) for body in bodies])
    sent = takewhile(lambda _: perf_counter() < until, requests)
    return _exchanged(port, [_sending(sent) for _ in range(connections)])


def send_once(port: int, path: str, bodies: Sequence[bytes], connections: int) -> Driven:
    """Send each of the bodies once. Raises `LoadError`."""
    sent = iter([_request(path, body) for body in bodies])
    return _exchanged(port, [_sending(sent) for _ in range(connections)])


def play(port: int, game: Game, connections: int, seconds: float) -> Driven:
    """Play a game in sessions for so many seconds, one after the other on each connection.

    Raises `LoadError`.
    """
    if WRK and seconds >= SHORTEST:
        lines = b"\n".join([game.creation, *(b"%d %b" % step for step in game.steps)])
        manner = ("-t", str(connections), "-s", str(GAME_SCRIPT))  # each thread knows its session
        return _by_wrk(WRK, f"http://{HOST}:{port}", lines, connections, round(seconds), manner)
    until = perf_counter() + seconds
    return _exchanged(port, [playing(game, until) for _ in range(connections)])


def _by_wrk(
    wrk: str, url: str, lines: bytes, connections: int, seconds: int, manner: Sequence[str]
) -> Driven:
    with tempfile.NamedTemporaryFile() as file:
        file.write(lines)
        file.flush()
        command = [wrk, "-c", str(connections), "-d", str(seconds), *manner]
        told = subprocess.run(
            [*command, url, "--", file.name],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
    outcome = json.loads(told.splitlines()[-1])
    if outcome["failures"] or not outcome["answers"]:
        raise LoadError(f"{url}: {outcome}")
    return Driven(outcome["answers"], outcome["microseconds"] / 1e6)


@dataclass(slots=True)
class _Line:
    """A connection, and what has come of the answer to its request under way."""

    connection: socket.socket
    dialogue: Dialogue
    received: bytearray = field(default_factory=bytearray)
    is_closing: bool = False
    """Whether the last answer said that the connection ends with it."""

    def answer(self) -> bytes | None:
        """Take what has come; return the body if that completes the answer. Raises `LoadError`."""
        piece = self.connection.recv(LARGEST_READ)
        self.received += piece
        head = self.received.find(b"\r\n\r\n")
        if not piece or (head >= 0 and not self.received.startswith(b"HTTP/1.1 20")):
            raise LoadError(bytes(self.received[:1000]).decode("latin-1"))
        length = _LENGTH.search(self.received, 0, head + 1) if head >= 0 else None
        if length is None or len(self.received) < head + 4 + int(length[1]):
            return None
        self.is_closing = b"\r\nconnection: close\r\n" in self.received[: head + 2].lower()
        body = bytes(self.received[head + 4 :])
        self.received.clear()
        return body


def _exchanged(port: int, dialogues: Sequence[Dialogue]) -> Driven:
    """Lead each dialogue to its end, on a connection of its own, all at once."""
    answers, began = 0, perf_counter()
    with ExitStack() as opened, selectors.DefaultSelector() as selector:

        def connect(dialogue: Dialogue, request: bytes) -> None:
            connection = opened.enter_context(socket.create_connection((HOST, port), PATIENCE))
            selector.register(connection, selectors.EVENT_READ, _Line(connection, dialogue))
            connection.sendall(request)

        for dialogue in dialogues:
            request = next(dialogue, None)
            if request is not None:
                connect(dialogue, request)
        while selector.get_map():
            ready = selector.select(PATIENCE)
            if not ready:
                raise LoadError("no answer in time")
            for key, _ in ready:
                body = key.data.answer()
                if body is None:
                    continue
                answers += 1
                try:
                    request = key.data.dialogue.send(body)
                except StopIteration:
                    selector.unregister(key.fileobj)
                    continue
                if not key.data.is_closing:
                    key.data.connection.sendall(request)
                    continue
                selector.unregister(key.fileobj)
                key.data.connection.close()
                connect(key.data.dialogue, request)
    return Driven(answers, perf_counter() - began)


@dataclass(frozen=True, slots=True)
class Paced:
    """A request of an even load: when it was due, in seconds from the beginning, and how long its
    answer took from then.
    """

    due: float
    seconds: float


def paced(port: int, dialogues: Sequence[Dialogue], rate: float) -> list[Paced]:
    """Lead each dialogue to its end, all at once, `rate` requests a second in all.

    A request is due at its time whatever has become of those before it; on a connection that is
    still busy then, it waits, and that counts. Raises `LoadError`.
    """
    answered: list[Paced] = []
    every, began = len(dialogues) / rate, perf_counter()
    with ExitStack() as opened, selectors.DefaultSelector() as selector:
        lanes = [_Lane(port, dialogue, opened) for dialogue in dialogues]
        for place, lane in enumerate(lanes):
            lane.due = every * place / len(lanes)
        while any(lane.request is not None for lane in lanes):
            now = perf_counter() - began
            for lane in lanes:
                if lane.request is not None and not lane.is_busy and lane.due <= now:
                    lane.send(selector)
            later = [lane.due for lane in lanes if lane.request is not None and not lane.is_busy]
            pause = min(later, default=now + PATIENCE) - (perf_counter() - began)
            for key, _ in selector.select(max(0.0, pause)):
                lane = key.data
                if lane.take(selector):
                    answered.append(Paced(lane.due, perf_counter() - began - lane.due))
                    lane.due += every
    return answered


class _Lane:
    """A connection of an even load, the request that is due next, or that it is busy with."""

    def __init__(self, port: int, dialogue: Dialogue, opened: ExitStack) -> None:
        self._port = port
        self._dialogue = dialogue
        self._opened = opened
        self._line: _Line | None = None
        self.request: bytes | None = next(dialogue, None)
        self.due = 0.0
        self.is_busy = False

    def send(self, selector: selectors.BaseSelector) -> None:
        """Send the request; on a new connection where there is none, or one that was idle."""
        if self._line is not None and self._line.is_closing:
            self._close(selector)
        if self._line is None:
            connection = socket.create_connection((HOST, self._port), PATIENCE)
            self._opened.enter_context(connection)
            self._line = _Line(connection, self._dialogue)
            selector.register(connection, selectors.EVENT_READ, self)
        assert self.request is not None
        self._line.connection.sendall(self.request)
        self.is_busy = True

    def take(self, selector: selectors.BaseSelector) -> bool:
        """Take what has come; return whether that completes the answer. Raises `LoadError`."""
        assert self._line is not None
        if not self.is_busy:  # the service has closed it, for it was idle for long
            self._close(selector)
            return False
        body = self._line.answer()
        if body is None:
            return False
        self.is_busy = False
        try:
            self.request = self._dialogue.send(body)
        except StopIteration:
            self.request = None
            self._close(selector)
        return True

    def _close(self, selector: selectors.BaseSelector) -> None:
        assert self._line is not None
        selector.unregister(self._line.connection)
        self._line.connection.close()
        self._line = None


def calling(path: str, bodies: Iterator[bytes], until: float) -> Dialogue:
    """Yield calls of the rules until the time has come, or there are no more bodies."""
    for body in bodies:
        if perf_counter() >= until:
            return
        yield _request(path, body)


def _sending(requests: Iterator[bytes]) -> Dialogue:
    """Yield requests, whatever is answered; others may take from the same ones."""
    for request in requests:  # noqa: UP028 - an iterator cannot be sent the answers
        yield request


def playing(game: Game, until: float) -> Dialogue:
    """Play game after game, each in a new session, until the time has come."""
    while perf_counter() < until:
        created = json.loads((yield _request("/v1/sessions", game.creation)))
        version = created["version"]
        for seat, body in game.steps:
            if perf_counter() >= until:
                return
            path = f"/v1/sessions/{created['id']}/actions"
            fields = acting(created["seat_tokens"][seat], version)
            version = _version_in((yield _request(path, body, fields)))


def _version_in(answer: bytes) -> str:
    """Return the version that an action made; the rest of its answer is not looked at."""
    found = _VERSION.search(answer)
    if found is None:
        raise LoadError(answer[:1000].decode())
    return found[1].decode()


def acting(token: str, version: str) -> dict[str, str]:
    """Return the header fields of an action, as a client sends it that may have to repeat it."""
    return {
        "Authorization": f"Bearer {token}",
        "If-Match": f'"{version}"',
        "Idempotency-Key": f"key-of-what-follows-{version}",
    }


def _request(path: str, body: bytes, fields: Mapping[str, str] = _NO_FIELDS) -> bytes:
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: {HOST}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in fields.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body
