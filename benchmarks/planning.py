"""How many hosts and shards a load takes, from what each thing costs; and what lies beyond a
machine of two cores, by simulation. Nothing in here measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from redis.crc import key_slot

SLOTS = 16_384
HOST_SHARE = 0.6  # of a host's processors that is planned with
SHARD_SHARE = 0.4  # of the one processor that a Redis server can use
SHARDED = 1.35  # times the processor: several servers have fewer commands to answer at once
MEMORY_SHARE = 0.7  # of a server's memory; at four fifths no session is begun
SPARE_HOSTS = 1  # so that one may be away
MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ID_LENGTH = 22


@dataclass(frozen=True, slots=True)
class Costs:
    """What one of each takes: processor in seconds, memory in bytes."""

    host_action: float
    host_read: float
    host_apply: float
    redis_action: float
    redis_read: float
    session_bytes: float
    appended_bytes: float
    stream_bytes: float
    worker_bytes: float


@dataclass(frozen=True, slots=True)
class Demand:
    """A load: games that are played at once, and what is done in each."""

    games: int
    seats: int = 4
    seconds_between_actions: float = 15.0
    reads_per_action: float = 1.0
    actions_per_game: int = 60
    kept_days: float = 7.0
    applies_per_second: float = 0.0

    @property
    def actions(self) -> float:
        """Return the actions a second."""
        return self.games / self.seconds_between_actions

    @property
    def kept(self) -> float:
        """Return the sessions that are in Redis, those that are over too."""
        begun = self.actions / self.actions_per_game
        return self.games + begun * self.kept_days * 86_400


@dataclass(frozen=True, slots=True)
class Hardware:
    """What a host and a Redis server have."""

    cores: int = 2
    workers: int = 8
    threads: int = 1_000
    redis_bytes: float = 16 * GIBIBYTE

    @property
    def streams(self) -> int:
        """Return how many streams a host holds: half of its threads."""
        return self.workers * self.threads // 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What a load takes, and what it comes from."""

    actions: float
    host_cores: float
    hosts: int
    host_bytes: float
    redis_cores: float
    redis_bytes: float
    shards: int
    servers: int
    written: float
    """Bytes a second that each shard's disk takes."""


def plan(demand: Demand, costs: Costs, hardware: Hardware) -> Plan:
    """Return what a load takes."""
    reads = demand.actions * demand.reads_per_action
    host_cores = (
        demand.actions * costs.host_action
        + reads * costs.host_read
        + demand.applies_per_second * costs.host_apply
    )
    streams = demand.games * demand.seats
    by_processor = ceil(host_cores / (hardware.cores * HOST_SHARE))
    hosts = max(by_processor, ceil(streams / hardware.streams)) + SPARE_HOSTS
    redis_cores = demand.actions * costs.redis_action + reads * costs.redis_read
    redis_bytes = demand.kept * costs.session_bytes
    least = ceil(redis_bytes / (hardware.redis_bytes * MEMORY_SHARE))
    if least > 1 or redis_cores > SHARD_SHARE:
        redis_cores *= SHARDED
    shards = max(1, least, ceil(redis_cores / SHARD_SHARE))
    return Plan(
        demand.actions,
        host_cores,
        hosts,
        hardware.workers * costs.worker_bytes + streams / hosts * costs.stream_bytes,
        redis_cores,
        redis_bytes,
        shards,
        3 if shards == 1 else 2 * max(3, shards),
        demand.actions * costs.appended_bytes / shards,
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """How evenly sessions lie on shards, and how long a command waits at the busiest."""

    shards: int
    busiest: float
    """The load of the busiest shard against the mean."""
    utilization: float
    """How much of its processor the busiest shard uses."""
    wait_p99: float
    """Seconds."""


def spread(shards: int, games: int, load: float, service: float, seed: int = 0) -> Spread:
    """Simulate sessions with random ids on so many shards, each of which is busy for `load` of the
    time on the average; a command takes `service` seconds.
    """
    chance = Random(seed)
    counts = [0] * shards
    for _ in range(games):
        session = "".join(chance.choices(ALPHABET, k=ID_LENGTH))
        counts[key_slot(session.encode()) * shards // SLOTS] += 1
    busiest = max(counts) * shards / games
    utilization = load * busiest
    return Spread(shards, busiest, utilization, _wait(utilization, service, chance))


def _wait(utilization: float, service: float, chance: Random, commands: int = 50_000) -> float:
    """Return the 99th percentile of the time that a command waits for its turn, in seconds.

    Commands come independently of each other, and each waits for those before it (Lindley).
    """
    waits, wait = [], 0.0
    for _ in range(commands):
        waits.append(wait)
        wait = max(0.0, wait + service - chance.expovariate(utilization / service))
    return sorted(waits)[int(0.99 * commands)]


def rows(costs: Costs, demands: Mapping[str, Demand], hardware: Hardware) -> Iterator[str]:
    """Yield the lines of a table of plans."""
    yield (
        "| load | actions a second | host cores | hosts | memory a host | Redis cores "
        "| Redis memory | shards | written a shard |"
    )
    yield f"| --- |{' ---: |' * 8}"
    for name, demand in demands.items():
        found = plan(demand, costs, hardware)
        cells = (
            name,
            f"{found.actions:,.0f}",
            f"{found.host_cores:,.1f}",
            f"{found.hosts:,}",
            f"{found.host_bytes / MEBIBYTE:,.0f} MiB",
            f"{found.redis_cores:,.2f}",
            f"{found.redis_bytes / GIBIBYTE:,.1f} GiB",
            f"{found.shards:,}",
            f"{found.written / MEBIBYTE:,.2f} MiB/s",
        )
        yield f"| {' | '.join(cells)} |"


def spread_rows(spreads: Sequence[Spread]) -> Iterator[str]:
    """Yield the lines of a table of simulated shards."""
    yield "| shards | busiest against the mean | its processor | p99 of the wait there |"
    yield "| ---: | ---: | ---: | ---: |"
    for each in spreads:
        yield (
            f"| {each.shards} | {each.busiest:.2f} | {each.utilization:.0%} "
            f"| {1000 * each.wait_p99:.2f} ms |"
        )
