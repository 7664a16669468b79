"""Which class of gunicorn's workers bears open streams, and what it costs where there are none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.client import HTTPConnection
from importlib.util import find_spec

from redis import Redis

from benchmarks import load, play, service, sessions
from benchmarks.rounds import FULL, Figure, Report, Size, interleaved, ratios
from benchmarks.service import Service
from benchmarks.sessions import APPLY, CONNECTIONS, POSITIONS, SEATS, Session
from benchmarks.streams import STREAMS, THREADS, begun
from splendor_api.wire import json_text

OWN = "gthread"
FEW_THREADS = f"{OWN} with 8 threads"
CLASSES = {OWN: THREADS, FEW_THREADS: 8, "gevent": THREADS, "sync": 1}
"""What is compared, with the threads or connections that a worker has."""

ROUNDS = 3  # at most: nothing here is close
PATIENCE = 1.0  # seconds for an answer, after which there is none
CLASSED = ("-m", "benchmarks.classed")


def run(size: Size) -> Report:
    """Return for each class the streams it holds, and the short requests it answers beside them."""
    streams = STREAMS if size.seconds >= FULL.seconds else SEATS * 4
    classes = [name for name in CLASSES if name != "gevent" or find_spec("gevent")]
    bodies = [*map(json_text.write, play.positions(SEATS, POSITIONS))]

    def short_requests(some: Service, _: int) -> float:
        if not _answers(some):
            return 0.0
        return load.drive(some.port, APPLY, bodies, CONNECTIONS, size.seconds).rate

    with ExitStack() as opened:
        redis = opened.enter_context(sessions.store())
        free = {name: opened.enter_context(_classed(name, redis)) for name in classes}
        crowded = {name: opened.enter_context(_classed(name, redis)) for name in classes}
        alive = {
            name: opened.enter_context(_followed(some, streams)) for name, some in crowded.items()
        }
        rates = interleaved(
            {name: partial(short_requests, some) for name, some in free.items()}
            | {_beside(name): partial(short_requests, some) for name, some in crowded.items()},
            min(size.rounds, ROUNDS),
        )
    return Report(
        "workers",
        {
            "server": "gunicorn, 1 worker, as the service starts it but for the class",
            "streams": f"{streams} asked for, one after the other, until one does not begin",
            "short requests": f"apply; {load.GENERATOR}, {CONNECTIONS} connections",
            "not installed": ", ".join(name for name in CLASSES if name not in classes) or "none",
        },
        (
            *(
                Figure(
                    f"short requests a second, {name}, against {OWN}",
                    ratios(rates[name], rates[OWN]),
                )
                for name in classes
                if name != OWN
            ),
            *(Figure(f"streams that begin, {name}", (alive[name],), "streams") for name in classes),
            *(
                Figure(f"short requests beside them, {name}", _percent(rates, name), "%")
                for name in classes
            ),
        ),
        {f"short requests a second, {name}": values for name, values in rates.items()},
    )


def _beside(name: str) -> str:
    return f"{name}, streams"


def _percent(rates: dict[str, list[float]], name: str) -> tuple[float, ...]:
    return tuple(100 * each for each in ratios(rates[_beside(name)], rates[name]))


@contextmanager
def _classed(name: str, redis: Redis) -> Iterator[Service]:
    """Run the service under a class."""
    program = (*CLASSED, name.partition(" ")[0])
    variables = {"WEB_CONCURRENCY": 1, "THREADS": CLASSES[name], "REDIS_URL": sessions.url(redis)}
    path = os.environ.get("PYTHONPATH", "")  # where gevent may be
    with service.started(program, PYTHONPATH=path, **variables) as some:
        yield some


@contextmanager
def _followed(some: Service, streams: int) -> Iterator[int]:
    """Follow sessions, by as many streams as begin; yield how many those are."""
    with ExitStack() as opened:
        players = []
        for _ in range(streams // SEATS):
            with Session(some.port) as player:
                players.append(player)
        count = 0
        for id_, token in ((player.id, token) for player in players for token in player.tokens):
            try:
                stream = begun(some.port, id_, token, PATIENCE)
            except (TimeoutError, load.LoadError):
                break
            opened.enter_context(stream.connection)
            count += 1
        yield count


def _answers(some: Service) -> bool:
    """Return whether there is an answer at all."""
    connection = HTTPConnection(load.HOST, some.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
