"""Killed workers, a killed Redis, a killed launcher, under load (P1, P2, P3, P5).

Clients play and repeat what is not answered. Afterwards every action that was acknowledged stands
in the history exactly once. The same clients without a store that writes everything down lose
some: that shows that the check can fail.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import pytest
from redis import Redis

from tests.faults.players import Call, Client, Table, acknowledged, faults, steps_back
from tests.faults.service import SCALE, Service, running, until

CLIENTS = 4
KILLS = 6 * SCALE
LAUNCHERS = 2 * SCALE
BETWEEN = 0.3  # seconds


@contextmanager
def _playing(service: Service, shared: bool = False) -> Iterator[tuple[list[Client], list[Table]]]:
    """Let clients play, each at a table of its own or all at one, while the context lasts."""
    with ExitStack() as opened:
        clients = [opened.enter_context(Client(service.url)) for _ in range(CLIENTS)]
        yield from _played(clients, shared)


def _played(clients: list[Client], shared: bool) -> Iterator[tuple[list[Client], list[Table]]]:
    stop = Event()
    tables = [clients[0].new_table() for _ in range(1 if shared else CLIENTS)]
    failures: list[BaseException] = []

    def play(client: Client, table: Table) -> None:
        try:
            while not stop.is_set():
                client.play(table, stop)
                if not stop.is_set():
                    table = client.new_table()
                    tables.append(table)
        except BaseException as error:  # noqa: BLE001 - told to whoever waits for the thread
            failures.append(error)

    threads = [
        Thread(target=play, args=(client, tables[index % len(tables)]))
        for index, client in enumerate(clients)
    ]
    for thread in threads:
        thread.start()
    try:
        yield clients, tables
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def _found(service: Service, clients: list[Client], tables: list[Table]) -> tuple[int, list[str]]:
    """Return how many actions were acknowledged, and everything that is wrong with the history."""
    logs: list[list[Call]] = [client.log for client in clients]
    with Client(service.url) as reader:
        wrong = [
            f"{table.id}: {fault}"
            for table in tables
            for fault in faults(reader.history(table), acknowledged(logs, table.id))
        ]
    wrong += [f"a client read backwards {n} times" for c in clients if (n := steps_back(c.reads))]
    return sum(call.status == 200 for log in logs for call in log), wrong


def _kill_again_and_again(victim: Callable[[], int | None], times: int) -> int:
    """Kill what `victim` names so many times, a moment after it is there; return how often."""
    killed = 0
    while killed < times:
        Event().wait(BETWEEN)
        pid = victim()
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    return killed


def _told(what: str, killed: int, actions: int, wrong: list[str]) -> None:
    """Print the figures of a run: `pytest -s` shows them."""
    lost = sum("is lost" in each for each in wrong)
    doubled = sum("to nobody" in each or "times, under" in each for each in wrong)
    print(  # noqa: T201 - the figures are what the long run is for
        f"{what}: kills {killed}, actions acknowledged {actions}, lost {lost}, "
        f"applied twice {doubled}"
    )


@pytest.mark.parametrize("shared", [False, True], ids=["own tables", "one table"])
def test_p1_p2_killed_workers_lose_nothing_and_double_nothing(tmp_path: Path, shared: bool) -> None:
    chance = random.Random(1)
    with running(tmp_path / "data", WEB_CONCURRENCY="3") as service:
        with _playing(service, shared) as (clients, tables):
            killed = _kill_again_and_again(
                lambda: chance.choice(service.workers() or [0]) or None, KILLS
            )
        actions, wrong = _found(service, clients, tables)
    _told("workers", killed, actions, wrong)
    assert wrong == []
    assert actions > KILLS


def test_p3_a_killed_redis_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service:
        with _playing(service) as (clients, tables):
            killed = _kill_again_and_again(service.redis, KILLS)
            began = monotonic()
            until(lambda: service.redis() is not None)
            assert monotonic() - began < 2
        actions, wrong = _found(service, clients, tables)
    _told("Redis", killed, actions, wrong)
    assert wrong == []
    assert actions > KILLS
    assert sum(client.refused[503] for client in clients) > 0


def test_p3_control_without_a_log_on_disk_the_check_finds_what_is_lost(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service, Client(service.url) as client:
        table = client.new_table()
        client.play(table, Event(), most=3)
        with Redis(unix_socket_path=str(service.socket()), decode_responses=True) as redis:
            kept = {key: redis.dump(key) for key in redis.keys(f"splendor-api:{{{table.id}}}:*")}
            client.play(table, Event(), most=5)
            for key, dumped in kept.items():
                redis.restore(key, 0, dumped, replace=True)
        _, wrong = _found(service, [client], [table])
    assert sum("is lost" in each for each in wrong) == 5
    assert all("is lost" in each for each in wrong)


def test_p5_a_killed_launcher_and_a_stopped_one_keep_every_game(tmp_path: Path) -> None:
    logs: list[Call] = []
    tables: list[Table] = []
    for turn in range(LAUNCHERS):
        with running(tmp_path / "data") as service, Client(service.url) as client:
            tables.append(client.new_table())
            for table in tables:
                client.play(table, Event(), most=4)
            logs += client.log
            for table in tables:
                steps = client.history(table)
                assert list(faults(steps, acknowledged([logs], table.id))) == []
            if turn % 2:
                assert service.stop() == 0
            else:
                service.kill()
    _told("launchers", LAUNCHERS, len(logs), [])
    assert len(logs) >= 4 * LAUNCHERS
