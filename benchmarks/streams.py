"""Open streams of events: what they hold, what they leave to others, how fast they tell."""

from __future__ import annotations

import math
import multiprocessing
import re
import selectors
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from multiprocessing.connection import Connection
from statistics import quantiles
from time import perf_counter, sleep

from benchmarks import load, play, service, sessions
from benchmarks.rounds import FULL, Figure, Goal, Report, Size, interleaved, ratios
from benchmarks.service import Service
from benchmarks.sessions import APPLY, CONNECTIONS, POSITIONS, SEATS, Session
from splendor_api.wire import json_text

STREAMS = 500
THREADS = 1_000  # of the worker; half of them may be streams
ACTORS = 4  # who act side by side to see how much can be done
BUSY = 2.0  # of a round's seconds in which they do
HALF = 5.0  # of a round's seconds at half of that
GLANCE = 0.05  # seconds from one look at the end to the next
MEBIBYTE = 1024  # kibibytes
MILLISECOND = 1e-3

MEMORY_GOAL = Goal(30, is_most=True)
SHORT_GOAL = Goal(0.75)
DELIVERY_GOAL = Goal(10, is_most=True)

_ID = re.compile(rb"^id: (\S+)$", re.MULTILINE)


def run(size: Size) -> Report:
    """Return what streams add to a worker's memory, what short requests keep of their throughput
    beside them, and the time from an action to its event.
    """
    streams = STREAMS if size.seconds >= FULL.seconds else SEATS * 2
    bodies = [*map(json_text.write, play.positions(SEATS, POSITIONS))]
    with ExitStack() as opened:
        redis = opened.enter_context(sessions.store())
        crowded, free = (
            opened.enter_context(sessions.kept_in(redis, WEB_CONCURRENCY=1, THREADS=THREADS))
            for _ in range(2)
        )
        contenders = {
            name: partial(_short_requests, some, bodies, size.seconds)
            for name, some in (("with streams", crowded), ("without", free))
        }
        for name, short in contenders.items():
            assert short(0) > 0, name
        followed = [opened.enter_context(Session(crowded.port)) for _ in range(streams // SEATS)]
        before = _resident(crowded)
        listener = opened.enter_context(listening(crowded, followed))
        rates = interleaved(contenders, size.rounds)
        grown = _resident(crowded) - before
        count, seconds = _busy(followed, size.seconds * BUSY)
        capacity = count / seconds
        acted = _paced(followed, capacity / 2, size.seconds * HALF)
        heard = listener.heard(SEATS * (count + len(acted)))
    since_sent = _percentiles(acted, heard, lambda acted: acted.sent)
    since_answered = _percentiles(acted, heard, lambda acted: acted.answered)
    return Report(
        "streams",
        {
            "server": f"gunicorn, gthread, 1 worker of {THREADS} threads; Redis on a Unix socket",
            "streams": f"{streams}, one for each seat of {len(followed)} sessions",
            "short requests": f"apply; {load.GENERATOR}, {CONNECTIONS} connections; compared with "
            "another worker that has no streams",
            "half load": f"{capacity / 2:.0f} actions a second, each told by {SEATS} streams",
            "delivery": "from the answer to an action until a stream has told all of it, which may "
            "be before; in brackets from the moment the action is sent",
        },
        (
            Figure(f"memory for {streams} streams", (grown,), "MiB", MEMORY_GOAL),
            Figure(
                f"short requests a second, {streams} streams, against none",
                ratios(rates["with streams"], rates["without"]),
                goal=SHORT_GOAL,
            ),
            Figure("delivery at half load, median", (since_answered[49],), "ms"),
            Figure("delivery at half load, p99", (since_answered[98],), "ms", DELIVERY_GOAL),
            Figure("delivery at half load, median (with the action)", (since_sent[49],), "ms"),
            Figure("delivery at half load, p99 (with the action)", (since_sent[98],), "ms"),
        ),
        {f"short requests a second, {name}": values for name, values in rates.items()},
    )


def _short_requests(some: Service, bodies: Sequence[bytes], seconds: float, _: int) -> float:
    return load.drive(some.port, APPLY, bodies, CONNECTIONS, seconds).rate


def _resident(some: Service) -> float:
    """Return the MiB that the worker holds."""
    (worker,) = some.workers()
    return service.memory(worker).resident / MEBIBYTE


def _busy(followed: Sequence[Session], seconds: float) -> tuple[int, float]:
    """Act as often as possible while all streams tell of it; return how often, in what time."""
    began = perf_counter()

    def done(own: Sequence[Session]) -> int:
        count = 0
        for session in cycle(own):
            session.act()
            count += 1
            if perf_counter() >= began + seconds:
                break
        return count

    actors = min(ACTORS, len(followed))
    with ThreadPoolExecutor(actors) as pool:
        counts = pool.map(done, [followed[place::actors] for place in range(actors)])
        count = sum(counts)
    return count, perf_counter() - began


@dataclass(frozen=True, slots=True)
class _Acted:
    """When an action was sent, and when it was answered."""

    sent: float
    answered: float


def _paced(followed: Sequence[Session], rate: float, seconds: float) -> dict[str, _Acted]:
    """Act so many times a second; return when, by version."""
    acted: dict[str, _Acted] = {}
    began = perf_counter()
    for place, session in islice(enumerate(cycle(followed)), int(rate * seconds) + 2):
        sleep(max(0.0, began + place / rate - perf_counter()))
        at = perf_counter()
        session.act()
        acted[session.version] = _Acted(at, perf_counter())
    return acted


def _percentiles(
    acted: Mapping[str, _Acted],
    heard: Sequence[tuple[str, float]],
    since: Callable[[_Acted], float],
) -> Sequence[float]:
    """Return how many milliseconds since then each event was heard, in percentiles.

    Raises `LoadError` unless every stream of a session has heard of each action once.
    """
    delays = [
        max(0.0, at - since(acted[version])) / MILLISECOND
        for version, at in heard
        if version in acted
    ]
    if len(delays) != SEATS * len(acted):
        raise load.LoadError(f"{len(delays)} events of {len(acted)} actions")
    return quantiles(delays, n=100, method="inclusive")


class Listener:
    """Streams that are read in a process of their own, with the time of each event."""

    def __init__(self, pipe: Connection) -> None:
        """Take the other end of what the process tells through."""
        self._pipe = pipe

    def heard(self, events: int) -> list[tuple[str, float]]:
        """Return each version that a stream told, and when, once so many have; the streams end."""
        self._pipe.send(events)
        told: list[tuple[str, float]] = self._pipe.recv()
        return told


@contextmanager
def listening(some: Service, followed: Sequence[Session]) -> Iterator[Listener]:
    """Follow sessions, a stream for each seat; every one has begun when the context does."""
    near, far = multiprocessing.Pipe()
    places = [(session.id, token) for session in followed for token in session.tokens]
    process = multiprocessing.get_context("spawn").Process(
        target=_listen, args=(some.port, places, far)
    )
    process.start()
    try:
        if not near.poll(load.PATIENCE) or near.recv() != len(places):
            raise load.LoadError("not every stream began")
        yield Listener(near)
    finally:
        process.terminate()
        process.join()


@dataclass(slots=True)
class Stream:
    """An open stream, and what has come of an event that is not whole."""

    connection: socket.socket
    received: bytearray = field(default_factory=bytearray)

    def versions(self) -> list[str]:
        """Take what has come; return the ids of the events that are whole."""
        piece = self.connection.recv(load.LARGEST_READ)
        if not piece:
            raise load.LoadError(bytes(self.received).decode("latin-1"))
        self.received += piece
        whole = self.received.rfind(b"\n\n") + 1
        found = [match[1].decode() for match in _ID.finditer(self.received, 0, whole)]
        del self.received[:whole]
        return found


def begun(port: int, session: str, token: str, patience: float) -> Stream:
    """Open a stream; return it once it has told its snapshot. Raises `TimeoutError`."""
    connection = socket.create_connection((load.HOST, port), patience)
    lines = (
        f"GET /v1/sessions/{session}/events HTTP/1.1",
        f"Host: {load.HOST}",
        f"Authorization: Bearer {token}",
        "Accept: text/event-stream",
    )
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    stream = Stream(connection)
    try:
        while not stream.versions():
            pass
    except (TimeoutError, load.LoadError):
        connection.close()
        raise
    return stream


def _listen(port: int, places: Sequence[tuple[str, str]], pipe: Connection) -> None:
    """Open a stream for each session and token, one after the other; hear until there have been
    as many events as the other end says.
    """
    heard: list[tuple[str, float]] = []
    with ExitStack() as opened, selectors.DefaultSelector() as selector:
        for session, token in places:
            stream = begun(port, session, token, load.PATIENCE)
            opened.enter_context(stream.connection)
            selector.register(stream.connection, selectors.EVENT_READ, stream)
        pipe.send(len(places))
        events, until = math.inf, math.inf
        while len(heard) < events and perf_counter() < until:
            if pipe.poll():
                events, until = pipe.recv(), perf_counter() + load.PATIENCE
            for key, _ in selector.select(GLANCE):
                heard += [(version, perf_counter()) for version in key.data.versions()]
        pipe.send(heard)
