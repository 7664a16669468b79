"""Calls over HTTP against services that do less, and a batch against single calls.

The null and what only validates run under gunicorn's own threaded worker, which the service's is
made of; what that worker gains is to be seen by the null that runs under it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice

from benchmarks import load, null, play, service, validated
from benchmarks.load import Driven
from benchmarks.rounds import FULL, Figure, Goal, Rates, Report, Size, interleaved, ratios
from benchmarks.service import Service
from splendor_api.wire import json_text

WORKERS = 2
CONNECTIONS = 16
SEATS = 4
POSITIONS = 200  # bodies that are sent in turn
ITEMS = 1_000  # of a batch
BATCHES = 8  # in a round
BATCHED = 8  # of them at once, so that every worker gets some
SHARE = 1.0  # of a round's seconds that a contender has

NULL = "null"
OWN_NULL = "null under the service's worker"
VALIDATED = "validating with pydantic"
BATCH = "batch"
CALLS = ("apply", "check", "legal-actions")
GOALS = {
    ("apply", NULL): Goal(0.8),
    ("apply", VALIDATED): Goal(1.0),
    ("legal-actions", NULL): Goal(0.6),
}
BATCH_GOAL = Goal(6.0)


@dataclass(frozen=True, slots=True)
class Contender:
    """Something that can be asked of a service; each answer is worth so many `calls`."""

    service: Service
    send: Callable[[], Driven]
    calls: int = 1


def run(size: Size) -> Report:
    """Return throughput and CPU time of every call against the null's, and of an item of a batch
    against a single call's.
    """
    items = ITEMS if size.seconds >= FULL.seconds else ITEMS // 50
    with ExitStack() as opened:
        real, empty, own, checking = (
            opened.enter_context(service.started(program, WEB_CONCURRENCY=WORKERS))
            for program in (service.REAL, service.NULL, service.OWN_NULL, service.VALIDATED)
        )
        peers = {
            NULL: (empty, null.PATH),
            OWN_NULL: (own, null.PATH),
            VALIDATED: (checking, validated.PATH),
        }
        rates, work = _measured(_contenders(real, peers, size, items), size.rounds)
    compared = [(call, NULL) for call in CALLS] + [("apply", VALIDATED), (OWN_NULL, NULL)]
    figures = [
        Figure(f"{measure}, {one}, against {other}", against, goal=GOALS.get((one, other)))
        for one, other in compared
        for measure, against in (
            ("calls a second", ratios(rates[one], rates[other])),
            ("calls a CPU second", ratios(work[one], work[other])),
        )
    ]
    single = CALLS[0]
    figures += [
        Figure(
            f"items a second, batch of {items}, against single {single}",
            ratios(rates[BATCH], rates[single]),
            goal=BATCH_GOAL,
        ),
        Figure(
            f"items a CPU second, batch of {items}, against single {single}",
            ratios(work[BATCH], work[single]),
            goal=BATCH_GOAL,
        ),
    ]
    return Report(
        "http",
        {
            "server": f"gunicorn, {WORKERS} workers, preloaded, as the service starts it",
            "peers": "Flask under gunicorn's gthread, with the same threads and limits",
            "load": f"{load.GENERATOR}, {CONNECTIONS} connections, kept alive",
            "bodies": f"{POSITIONS} positions of random games, {SEATS} seats",
            "log": f"level {service.LOG_LEVEL}, JSON, into a file; the null logs no request",
        },
        tuple(figures),
        {f"calls a second, {name}": values for name, values in rates.items()}
        | {f"calls a CPU second, {name}": values for name, values in work.items()},
    )


def _contenders(
    real: Service, peers: Mapping[str, tuple[Service, str]], size: Size, items: int
) -> Mapping[str, Contender]:
    positions = play.positions(SEATS, POSITIONS)
    bodies = {"apply": positions, "check": positions, "legal-actions": [*map(_alone, positions)]}
    seconds = size.seconds * SHARE

    def driven(some: Service, path: str, sent: Sequence[dict[str, object]]) -> Contender:
        written = [*map(json_text.write, sent)]
        return Contender(some, partial(load.drive, some.port, path, written, CONNECTIONS, seconds))

    batch = json_text.write(
        {
            "items": [
                {"game": "splendor", "call": "apply", "body": body}
                for body in islice(cycle(positions), items)
            ]
        }
    )
    return {
        **{name: driven(some, path, positions) for name, (some, path) in peers.items()},
        **{call: driven(real, f"/v1/games/splendor/{call}", bodies[call]) for call in CALLS},
        BATCH: Contender(
            real, partial(load.send_once, real.port, "/v1/batch", [batch] * BATCHES, BATCHED), items
        ),
    }


def _measured(contenders: Mapping[str, Contender], rounds: int) -> tuple[Rates, Rates]:
    """Return the calls a second and a CPU second, after every contender has run once in vain."""
    work: Rates = {name: [] for name in contenders}

    def calls_a_second(name: str, _: int) -> float:
        contender = contenders[name]
        before = contender.service.cpu_seconds()
        driven = contender.send()
        spent = contender.service.cpu_seconds() - before
        work[name].append(driven.answers * contender.calls / spent)
        return driven.rate * contender.calls

    for contender in contenders.values():
        contender.send()
    rates = interleaved({name: partial(calls_a_second, name) for name in contenders}, rounds)
    return rates, work


def _alone(body: Mapping[str, object]) -> dict[str, object]:
    return {"state": body["state"]}
