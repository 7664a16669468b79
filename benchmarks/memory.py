"""Memory of workers under preload, and how long a cold service takes to its first answer."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from benchmarks import load, null, play, service
from benchmarks.rounds import Figure, Goal, Report, Size, interleaved, ratios
from benchmarks.service import Memory
from splendor_api.wire import json_text

FEW, MANY = 1, 3  # workers, to see what one more takes
CONNECTIONS = 16
POSITIONS = 200
SEATS = 4
APPLY = "/v1/games/splendor/apply"
LISTING = "/v1/games/splendor/legal-actions"
MEBIBYTE = 1024  # kibibytes

WORKER_GOAL = Goal(70, is_most=True)
FURTHER_GOAL = Goal(35, is_most=True)
START_GOAL = Goal(1.5, is_most=True)


def run(size: Size) -> Report:
    """Return what workers hold after some load, and the time to the first answer."""
    positions = play.positions(SEATS, POSITIONS)
    bodies = [*map(json_text.write, positions)]
    states = [json_text.write({"state": each["state"]}) for each in positions]
    few, many = (_after_load(number, bodies, states, size.seconds) for number in (FEW, MANY))
    seconds = interleaved(
        {
            "service": lambda _: _first_answer(service.REAL, APPLY, bodies[0]),
            "null": lambda _: _first_answer(service.NULL, null.PATH, bodies[0]),
        },
        size.rounds,
    )
    workers = few[1:] + many[1:]
    together = [sum(each.proportional for each in processes) for processes in (few, many)]
    return Report(
        "memory",
        {
            "server": f"gunicorn, gthread, {FEW} and {MANY} workers, preloaded",
            "load before": f"apply and legal-actions, {CONNECTIONS} connections",
            "source": "/proc/<pid>/smaps_rollup; private is what ends with the process",
        },
        (
            _mebibytes("a worker, resident", [each.resident for each in workers], WORKER_GOAL),
            _mebibytes("a worker, private", [each.private for each in workers], FURTHER_GOAL),
            _mebibytes(
                "a further worker, added to the whole",
                [(together[1] - together[0]) // (MANY - FEW)],
                FURTHER_GOAL,
            ),
            _mebibytes("the parent, resident", [few[0].resident, many[0].resident]),
            Figure("cold start to the first answer", tuple(seconds["service"]), "s", START_GOAL),
            Figure(
                "cold start to the first answer, against null",
                ratios(seconds["service"], seconds["null"]),
            ),
        ),
        {f"seconds to the first answer, {name}": values for name, values in seconds.items()},
    )


def _after_load(
    workers: int, bodies: Sequence[bytes], states: Sequence[bytes], seconds: float
) -> list[Memory]:
    """Return the memory of the parent, then of each worker, once they have worked."""
    with service.started(service.REAL, WEB_CONCURRENCY=workers) as real:
        for path, sent in ((APPLY, bodies), (LISTING, states)):
            load.drive(real.port, path, sent, CONNECTIONS, seconds)
        return [service.memory(pid) for pid in (real.pid, *real.workers())]


def _first_answer(program: Sequence[str], path: str, body: bytes) -> float:
    """Return the seconds from the start of a process to its first answer."""
    began = perf_counter()
    with service.started(program, WEB_CONCURRENCY=FEW) as cold:
        load.send_once(cold.port, path, [body], 1)
        return perf_counter() - began


def _mebibytes(what: str, kibibytes: Sequence[int], goal: Goal | None = None) -> Figure:
    return Figure(what, tuple(each / MEBIBYTE for each in kibibytes), "MiB", goal)
