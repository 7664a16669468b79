"""What a game that the service keeps costs: its actions against stateless ones, and its memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from http.client import HTTPConnection, HTTPResponse
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from redis import Redis

from benchmarks import load, null, play, service
from benchmarks.load import Driven, Game
from benchmarks.rounds import Figure, Goal, Rates, Report, Size, interleaved, ratios
from benchmarks.service import Service
from splendor_api.launch import embedded_redis
from splendor_api.wire import json_text

WORKERS = 2
CONNECTIONS = 16
SEATS = 4
POSITIONS = 200  # bodies of the stateless call, sent in turn
SEED = 0
ASKED = 20  # reads and actions whose round trips are counted
ACTIONS = 60  # of a session whose memory is taken
SHARE = 1.0  # of a round's seconds that a contender has
KIBIBYTE = 1024

APPLY = "/v1/games/splendor/apply"
STATELESS = "apply"
NULL = "null"
SYNCS = ("everysec", "always")
"""Ways of writing to the disk (Redis's `appendfsync`)."""

GOALS = {
    ("everysec", NULL): Goal(0.5),
    ("everysec", STATELESS): Goal(0.6),
    ("always", STATELESS): Goal(0.45),
}

MET = "an action, the session met"
UNMET = "an action after one elsewhere"
TRIP_GOALS = {
    "a read": Goal(1, is_most=True),
    MET: Goal(1, is_most=True),
    UNMET: Goal(2, is_most=True),
}
MEMORY_GOAL = Goal(16, is_most=True)


def run(size: Size) -> Report:
    """Return throughput and CPU time of actions in sessions against stateless ones, the round
    trips of each, and the memory of a session.
    """
    with (
        store() as redis,
        kept_in(redis, WEB_CONCURRENCY=WORKERS) as real,
        service.started(service.NULL, WEB_CONCURRENCY=WORKERS) as empty,
    ):
        contenders = _contenders(real, empty, redis, size)

        def cpu_seconds() -> float:
            return real.cpu_seconds() + empty.cpu_seconds() + redis_cpu_seconds(redis)

        rates, work = _measured(contenders, cpu_seconds, size.rounds)
    with (
        store() as redis,
        kept_in(redis, WEB_CONCURRENCY=1) as real,
        kept_in(redis, WEB_CONCURRENCY=1) as other,
    ):
        trips = _round_trips(real, other, redis)
        memory = memory_of_a_session(real, redis)
    figures = [
        Figure(
            f"{measure}, action, {sync}, against {other}", against, goal=GOALS.get((sync, other))
        )
        for sync in SYNCS
        for other in (NULL, STATELESS)
        for measure, against in (
            ("calls a second", ratios(rates[sync], rates[other])),
            ("calls a CPU second", ratios(work[sync], work[other])),
        )
    ]
    figures += [
        Figure(f"round trips to Redis, {what}", (each,), "trips", TRIP_GOALS[what])
        for what, each in trips.items()
    ]
    figures.append(Figure(f"Redis memory, {ACTIONS} actions", (memory,), "KiB", MEMORY_GOAL))
    return Report(
        "sessions",
        {
            "server": f"gunicorn, gthread, {WORKERS} workers; Redis on a Unix socket",
            "load": f"{load.GENERATOR}, {CONNECTIONS} connections, each with its own session, "
            "which its worker has met",
            "action": "token, If-Match, Idempotency-Key; random games of 4 from their beginning",
            "CPU time": "of the workers and of Redis",
            "memory": "MEMORY USAGE of every key, SAMPLES 0; a key for each action",
        },
        tuple(figures),
        {f"calls a second, {name}": values for name, values in rates.items()}
        | {f"calls a CPU second, {name}": values for name, values in work.items()},
    )


@contextmanager
def store() -> Iterator[Redis]:
    """Run a Redis as the service does, on a folder of its own; yield a client of it."""
    with tempfile.TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as redis:
        if redis is None:
            raise RuntimeError(embedded_redis.NO_PROGRAM)
        with Redis.from_url(redis.url, decode_responses=True) as client:
            yield client


@contextmanager
def kept_in(redis: Redis, **variables: object) -> Iterator[Service]:
    """Run a service that keeps its sessions there."""
    with service.started(service.REAL, REDIS_URL=url(redis), **variables) as real:
        yield real


def url(redis: Redis) -> str:
    """Return where a server is."""
    return f"unix://{redis.connection_pool.connection_kwargs['path']}"


@cache
def game() -> Game:
    """Return a game of random play, to be played in a session."""
    creation = {"game": "splendor", "seats": SEATS, "seed": play.dealt_from(SEED)}
    rules, wire = play.SPLENDOR.rules, play.SPLENDOR.wire
    return Game(
        json_text.write(creation),
        [
            (seat, json_text.write({"action": wire.dump_action(action)}))
            for state, action in play.played(SEATS, SEED)
            if action is not None and (seat := rules.to_act(state)) is not None
        ],
    )


def _contenders(
    real: Service, empty: Service, redis: Redis, size: Size
) -> Mapping[str, Callable[[], Driven]]:
    seconds = size.seconds * SHARE
    bodies = [*map(json_text.write, play.positions(SEATS, POSITIONS))]
    played = game()

    def acting(sync: str) -> Driven:
        redis.config_set("appendfsync", sync)
        return load.play(real.port, played, CONNECTIONS, seconds)

    return {
        NULL: partial(load.drive, empty.port, null.PATH, bodies, CONNECTIONS, seconds),
        STATELESS: partial(load.drive, real.port, APPLY, bodies, CONNECTIONS, seconds),
        **{sync: partial(acting, sync) for sync in SYNCS},
    }


def _measured(
    contenders: Mapping[str, Callable[[], Driven]], cpu_seconds: Callable[[], float], rounds: int
) -> tuple[Rates, Rates]:
    """Return the calls a second and a CPU second, after every contender has run once in vain."""
    work: Rates = {name: [] for name in contenders}

    def calls_a_second(name: str, _: int) -> float:
        before = cpu_seconds()
        driven = contenders[name]()
        work[name].append(driven.answers / (cpu_seconds() - before))
        return driven.rate

    for drive in contenders.values():
        drive()
    rates = interleaved({name: partial(calls_a_second, name) for name in contenders}, rounds)
    return rates, work


def redis_cpu_seconds(redis: Redis) -> float:
    """Return the CPU time that the server has had."""
    told: Any = redis.info("cpu")
    return float(told["used_cpu_user"] + told["used_cpu_sys"])


def _round_trips(here: Service, there: Service, redis: Redis) -> Mapping[str, float]:
    """Return how often Redis is asked, per read and per action.

    Counted are the times it read from a socket; those of this client are taken off.
    """

    def trips(do: Callable[[], None]) -> float:
        before = _reads(redis)
        for _ in range(ASKED):
            do()
        return (_reads(redis) - before - 1) / ASKED

    with Session(here.port) as session, Session(here.port, there.port) as shared:
        for _ in range(ASKED):  # so that connections and scripts are there
            session.observe()
            session.act()
            shared.act()
        return {"a read": trips(session.observe), MET: trips(session.act), UNMET: trips(shared.act)}


def _reads(redis: Redis) -> int:
    told: Any = redis.info("stats")
    return int(told["total_reads_processed"])


def memory_of_a_session(real: Service, redis: Redis) -> float:
    """Return the KiB that the keys of a session hold."""
    with Session(real.port) as session:
        for _ in range(ACTIONS):
            session.act()
    keys = [*redis.scan_iter(f"splendor-api:{{{session.id}}}:*")]
    sizes: list[Any] = [redis.memory_usage(key, samples=0) for key in keys]
    return float(sum(sizes)) / KIBIBYTE


class Session:
    """A session played action by action, over one connection or over several by turns."""

    def __init__(self, *ports: int) -> None:
        """Create it; each of the `ports` is asked by turns."""
        self._connections = [
            HTTPConnection(load.HOST, port, timeout=load.PATIENCE) for port in ports
        ]
        self._turns = cycle(self._connections)
        played = game()
        self._steps = iter(played.steps)
        created = self._told("POST", "/v1/sessions", played.creation, {})
        self.id: str = created["id"]
        self.tokens: list[str] = created["seat_tokens"]
        self.version: str = created["version"]

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._connections:
            connection.close()

    def act(self) -> None:
        """Do what comes next."""
        ((seat, body),) = islice(self._steps, 1)
        fields = load.acting(self.tokens[seat], self.version)
        told = self._told("POST", f"/v1/sessions/{self.id}/actions", body, fields)
        self.version = told["version"]

    def observe(self) -> None:
        """Look at it as the first seat."""
        fields = {"Authorization": f"Bearer {self.tokens[0]}"}
        self._told("GET", f"/v1/sessions/{self.id}", None, fields)

    def _told(self, method: str, path: str, body: bytes | None, fields: Mapping[str, str]) -> Any:
        sent = {**fields, "Content-Type": "application/json"} if body else fields
        connection = next(self._turns)
        try:
            answer = _answered(connection, method, path, body, sent)
        except ConnectionError:  # it was idle for too long
            connection.close()
            answer = _answered(connection, method, path, body, sent)
        text = answer.read()
        if answer.status not in (200, 201):
            raise load.LoadError(text[:1000].decode())
        return json_text.read(text)


def _answered(
    connection: HTTPConnection,
    method: str,
    path: str,
    body: bytes | None,
    fields: Mapping[str, str],
) -> HTTPResponse:
    connection.request(method, path, body, dict(fields))
    return connection.getresponse()
