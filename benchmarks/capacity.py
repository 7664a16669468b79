"""What one action, read and session cost, for a plan; and whether shards share the work evenly.

On one machine more shards make nothing faster, for the load, the hosts and all shards share its
processors. What a plan rests on is seen all the same: how much processor the busiest shard spends
on a step, and all of them together.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import load, play, service, sessions
from benchmarks.load import Game
from benchmarks.planning import SLOTS, Costs, Demand, Hardware, rows, spread, spread_rows
from benchmarks.rounds import FULL, Figure, Rates, Report, Size
from benchmarks.service import Service
from benchmarks.sessions import APPLY, POSITIONS, SEATS, Session
from splendor_api.wire import json_text
from tests.deploy.files import free_ports
from tests.deploy.redis_files import Server, password
from tests.faults.waiting import until

PAGE = Path(__file__).parents[1] / "docs" / "capacity.md"
MARKS = ("<!-- capacity -->\n", "<!-- end capacity -->")

SHARDS = (1, 2, 3)
SIMULATED = (3, 6, 12, 24, 48)
GAMES_PER_SHARD = 2_000
CONNECTIONS = 8
STEPS = 8  # actions of a session, so that many sessions are begun
READS = 200
SECONDS = 4.0  # of a round's, that a load lasts
STREAM = 61.0  # kibibytes, by the benchmark `streams`
LOAD = 0.4  # of a shard's processor

DEMANDS = {
    "1,000 games": Demand(1_000),
    "10,000 games": Demand(10_000),
    "10,000 games, kept for an hour": Demand(10_000, kept_days=1 / 24),
    "100,000 games, kept for an hour": Demand(100_000, kept_days=1 / 24),
    "1,000,000 games, kept for an hour": Demand(1_000_000, kept_days=1 / 24),
    "no sessions, 1,000 calls of `apply` a second": Demand(0, applies_per_second=1_000),
}
"""Of 4 seats, 15 seconds from action to action, a look with each; kept for a week, or as said."""


@dataclass(frozen=True, slots=True)
class _Driven:
    """What a load of steps cost, each in seconds of processor, and how many there were a second."""

    rate: float
    host: float
    shards: tuple[float, ...]
    appended: float

    @property
    def redis(self) -> float:
        return sum(self.shards)


def run(size: Size) -> Report:
    """Return what an action, a read and a session cost, and how shards share the work."""
    counts = SHARDS if size.seconds >= FULL.seconds else SHARDS[:2]
    driven: dict[int, list[_Driven]] = {count: [] for count in counts}
    with ExitStack() as opened:
        contenders = {}
        for count in counts:
            servers = opened.enter_context(_cluster(count))
            contenders[count] = opened.enter_context(_service(servers)), servers
        for _ in range(size.rounds):
            for count, (real, servers) in contenders.items():
                driven[count].append(_drive(real, servers, size.seconds * SECONDS))
    costs = _costs(driven[1], size)
    figures = [
        Figure(f"busiest of {count} shards, processor a step, against one", _busiest(driven, count))
        for count in counts[1:]
    ]
    figures += [
        Figure(f"{count} shards together, processor a step, against one", _together(driven, count))
        for count in counts[1:]
    ]
    figures += [
        Figure("host, an action", (1000 * costs.host_action,), "ms"),
        Figure("host, a read", (1000 * costs.host_read,), "ms"),
        Figure("host, apply", (1000 * costs.host_apply,), "ms"),
        Figure("Redis, an action", (1000 * costs.redis_action,), "ms"),
        Figure("Redis, a read", (1000 * costs.redis_read,), "ms"),
        Figure("Redis memory, a session of 60 actions", (costs.session_bytes,), "bytes"),
        Figure("appended to the file, an action", (costs.appended_bytes,), "bytes"),
    ]
    rates: Rates = {
        f"steps a second, {count} shards": [each.rate for each in some]
        for count, some in driven.items()
    }
    report = Report(
        "capacity",
        {
            "server": "gunicorn, gthread, 2 workers; Redis by deploy/redis/cluster.conf, alone",
            "load": f"{load.GENERATOR}, {CONNECTIONS} connections, sessions of {STEPS} actions",
            "processor": "time that the workers and the servers had, from the system",
        },
        tuple(figures),
        rates,
    )
    if size.seconds >= FULL.seconds:
        publish(costs)
    return report


def _busiest(driven: Mapping[int, Sequence[_Driven]], count: int) -> tuple[float, ...]:
    pairs = zip(driven[count], driven[1], strict=True)
    return tuple(max(each.shards) / one.redis for each, one in pairs)


def _together(driven: Mapping[int, Sequence[_Driven]], count: int) -> tuple[float, ...]:
    pairs = zip(driven[count], driven[1], strict=True)
    return tuple(each.redis / one.redis for each, one in pairs)


@contextmanager
def _cluster(count: int) -> Iterator[list[Server]]:
    """Run so many primaries of a cluster."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        ports = free_ports(2 * count)
        servers = []
        for place, (port, bus) in enumerate(zip(ports[::2], ports[1::2], strict=True)):
            lines = (f"cluster-port {bus}", "min-replicas-to-write 0")
            servers.append(Server("cluster", Path(folder, str(place)), port, lines))
            opened.callback(servers[-1].kill)
            first, last = place * SLOTS // count, (place + 1) * SLOTS // count - 1
            servers[-1].ask("CLUSTER", "ADDSLOTSRANGE", first, last)
            servers[-1].ask("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
            servers[0].ask("CLUSTER", "MEET", "127.0.0.1", port, bus)
        for server in servers:
            until(partial(_is_well, server))
        yield servers


def _is_well(server: Server) -> bool:
    return "cluster_state:ok" in str(server.ask("CLUSTER", "INFO"))


@contextmanager
def _service(servers: Sequence[Server]) -> Iterator[Service]:
    hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
    url = f"redis+cluster://service:{password('service')}@{hosts}"
    with service.started(service.REAL, REDIS_URL=url, WEB_CONCURRENCY=2) as real:
        yield real


def _drive(real: Service, servers: Sequence[Server], seconds: float) -> _Driven:
    """Play for so long, after a little in vain."""
    whole = sessions.game()
    short = Game(whole.creation, whole.steps[:STEPS])
    load.play(real.port, short, CONNECTIONS, seconds / 4)
    host, shards, size = real.cpu_seconds(), [*map(_cpu, servers)], sum(map(_appended, servers))
    done = load.play(real.port, short, CONNECTIONS, seconds)
    spent = zip(map(_cpu, servers), shards, strict=True)
    return _Driven(
        done.rate,
        (real.cpu_seconds() - host) / done.answers,
        tuple((after - before) / done.answers for after, before in spent),
        (sum(map(_appended, servers)) - size) / done.answers,
    )


def _cpu(server: Server) -> float:
    with server.client() as client:
        told = client.info("cpu")
    return float(told["used_cpu_user"] + told["used_cpu_sys"])


def _appended(server: Server) -> float:
    with server.client() as client:
        return float(client.info("persistence")["aof_current_size"])


def _costs(driven: Sequence[_Driven], size: Size) -> Costs:
    """Return what is planned with."""
    bodies = [*map(json_text.write, play.positions(SEATS, POSITIONS))]
    with sessions.store() as redis, sessions.kept_in(redis, WEB_CONCURRENCY=2) as real:
        host = real.cpu_seconds()
        applied = load.drive(real.port, APPLY, bodies, CONNECTIONS, size.seconds * SECONDS)
        host_apply = (real.cpu_seconds() - host) / applied.answers
        with Session(real.port) as session:
            session.observe()
            host, spent = real.cpu_seconds(), sessions.redis_cpu_seconds(redis)
            for _ in range(READS):
                session.observe()
            host_read = (real.cpu_seconds() - host) / READS
            redis_read = (sessions.redis_cpu_seconds(redis) - spent) / READS
        kept = sessions.memory_of_a_session(real, redis) * sessions.KIBIBYTE
        (worker, *_) = real.workers()
        private = service.memory(worker).private * sessions.KIBIBYTE
    return Costs(
        host_action=median(each.host for each in driven),
        host_read=host_read,
        host_apply=host_apply,
        redis_action=median(each.redis for each in driven),
        redis_read=redis_read,
        session_bytes=kept,
        appended_bytes=median(each.appended for each in driven),
        stream_bytes=STREAM * sessions.KIBIBYTE,
        worker_bytes=private,
    )


def publish(costs: Costs, page: Path = PAGE) -> None:
    """Write the tables of the page anew."""
    service_time = costs.redis_action / 2  # an action is a load and a commit
    spreads = [spread(count, GAMES_PER_SHARD * count, LOAD, service_time) for count in SIMULATED]
    block = "\n".join(
        (
            "",
            "| what | costs |",
            "| --- | ---: |",
            *(f"| {name} | {_shown(name, value)} |" for name, value in asdict(costs).items()),
            "",
            *rows(costs, DEMANDS, Hardware()),
            "",
            *spread_rows(spreads),
            "",
            "",
        )
    )
    text = page.read_text("utf-8")
    head, _, rest = text.partition(MARKS[0])
    _, _, tail = rest.partition(MARKS[1])
    page.write_text(f"{head}{MARKS[0]}{block}{MARKS[1]}{tail}", "utf-8")


def _shown(name: str, value: float) -> str:
    return f"{value:,.0f} bytes" if name.endswith("bytes") else f"{1000 * value:.2f} ms"
