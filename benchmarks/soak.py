"""A load that is held: whether memory stays, every request is answered, and how long answers take.

The load is open: requests are due at their times whether or not earlier ones have been answered,
and each is measured from when it was due, so that a pause of the service is told in full. It is
half of what the service can do when the run begins. Sessions live for a minute only, so that what
is kept levels off within the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from threading import Event
from time import perf_counter

from redis import Redis

from benchmarks import load, play, service, sessions
from benchmarks.curves import percentile
from benchmarks.load import Game, Paced
from benchmarks.rounds import Curve, Figure, Goal, Report, Size
from benchmarks.service import Service
from benchmarks.sessions import APPLY, POSITIONS, SEATS
from splendor_api.wire import json_text

PLAYERS = 24  # connections that play
CALLERS = 8  # connections that call `apply`
LIFETIME = 60  # seconds that a session lives
SHARE = 0.5  # of what the service can do
PROBE = 3.0  # seconds in which that is found out
WINDOWS = 60  # of the run, for the picture
MILLISECOND = 1e-3
MEBIBYTE = 1024  # kibibytes

GROWTH_GOAL = Goal(4, is_most=True)


@dataclass(slots=True)
class _Samples:
    """What processes held, now and then."""

    workers: list[float] = field(default_factory=list)
    store: list[float] = field(default_factory=list)


def run(size: Size) -> Report:
    """Return how long answers took while a load was held, and what memory grew by.

    Raises `LoadError` if a single request is not answered with success.
    """
    seconds = size.soaked
    with (
        sessions.store() as redis,
        sessions.kept_in(redis, WEB_CONCURRENCY=2, SESSION_TTL_SECONDS=LIFETIME) as real,
    ):
        probe = min(PROBE, seconds)
        capacity = load.play(real.port, sessions.game(), PLAYERS, probe).rate
        answered, samples = _held(real, redis, SHARE * capacity, seconds)
    every = seconds / WINDOWS
    windows = _windows(answered, every)
    whole = sorted(each.seconds / MILLISECOND for each in answered)
    return Report(
        "soak",
        {
            "server": "gunicorn, gthread, 2 workers; Redis on a Unix socket, appendfsync always",
            "load": f"{SHARE * capacity:.0f} requests a second, half of what was done at first: "
            f"{PLAYERS} connections that play, {CALLERS} that call apply",
            "sessions": f"live for {LIFETIME} s",
            "requests": f"{len(answered):,} in {seconds:.0f} s, every one answered with success",
            "time": "from when a request was due, in whichever state the service was",
        },
        (
            *(
                Figure(f"time to answer, {name}", (percentile(whole, share),), "ms")
                for name, share in SHARES.items()
            ),
            Figure(
                "memory of the workers, last quarter against second",
                (_growth(samples.workers),),
                "MiB more",
                GROWTH_GOAL,
            ),
            Figure(
                "memory of Redis, last quarter against second",
                (_growth(samples.store),),
                "MiB more",
            ),
        ),
        {},
        {
            **{
                f"{name}": Curve("ms", every, tuple(percentile(each, share) for each in windows))
                for name, share in SHARES.items()
            },
            "workers": Curve("MiB", every, _thinned(samples.workers)),
            "Redis": Curve("MiB", every, _thinned(samples.store)),
        },
    )


SHARES: Mapping[str, float] = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}


def _held(
    real: Service, redis: Redis, rate: float, seconds: float
) -> tuple[Sequence[Paced], _Samples]:
    """Hold the load; return every answer, and what was held in memory meanwhile."""
    game: Game = sessions.game()
    bodies = cycle([*map(json_text.write, play.positions(SEATS, POSITIONS))])
    samples, over = _Samples(), Event()
    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(_watch, real, redis, samples, over, seconds / WINDOWS / 2)
        try:
            until = perf_counter() + seconds
            dialogues = [load.playing(game, until) for _ in range(PLAYERS)]
            dialogues += [load.calling(APPLY, bodies, until) for _ in range(CALLERS)]
            answered = load.paced(real.port, dialogues, rate)
        finally:
            over.set()
        watching.result()
    return answered, samples


def _watch(real: Service, redis: Redis, samples: _Samples, over: Event, every: float) -> None:
    """Look at what processes hold until it is over."""
    while True:
        held = sum(service.memory(worker).private for worker in real.workers())
        samples.workers.append(held / MEBIBYTE)
        samples.store.append(redis.info("memory")["used_memory"] / MEBIBYTE**2)
        if over.wait(every):
            return


def _windows(answered: Sequence[Paced], every: float) -> list[list[float]]:
    """Return the times to answer in milliseconds, in order, by when the requests were due."""
    found: list[list[float]] = [[] for _ in range(WINDOWS)]
    for each in answered:
        found[min(WINDOWS - 1, int(each.due / every))].append(each.seconds / MILLISECOND)
    return [sorted(some) or [0.0] for some in found]


def _growth(held: Sequence[float]) -> float:
    """Return how much more was held in the last quarter of the run than in the second."""
    quarter = max(1, len(held) // 4)
    second, last = held[quarter : 2 * quarter] or held[:1], held[-quarter:]
    return sum(last) / len(last) - sum(second) / len(second)


def _thinned(held: Sequence[float]) -> tuple[float, ...]:
    """Return one of the samples for each window."""
    return tuple(held[place * len(held) // WINDOWS] for place in range(WINDOWS))
