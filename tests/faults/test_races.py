"""Many clients at one version: one wins (P2, P13), whatever the others hold in their hands."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest
from redis import Redis

from tests.faults.clients import Client, Table
from tests.faults.redis_server import redis_server
from tests.faults.service import Service, serving
from tests.faults.waiting import PATIENCE, TIMES

CLIENTS = 16
ROUNDS = 15 if TIMES == 1 else 50 * TIMES

COLORS = (["white", "blue", "green"], ["white", "blue", "red"], ["white", "blue", "black"])
ACTIONS = tuple({"type": "take_different", "colors": colors} for colors in COLORS)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Serve with four workers."""
    with serving(tmp_path_factory.mktemp("races"), WEB_CONCURRENCY="4") as running:
        yield running


class Race:
    """Sixteen clients that send at the same moment."""

    def __init__(self, url: str, pool: ThreadPoolExecutor) -> None:
        self._clients = [httpx.Client(base_url=url, timeout=PATIENCE) for _ in range(CLIENTS)]
        self._pool = pool
        self._barrier = Barrier(CLIENTS)

    def run(self, requests: list[dict[str, Any]]) -> list[httpx.Response]:
        """Send a request for each client; return the answers."""
        return list(self._pool.map(self._send, self._clients, requests))

    def _send(self, client: httpx.Client, request: dict[str, Any]) -> httpx.Response:
        fields, body = request["headers"], request["json"]
        self._barrier.wait(PATIENCE)
        return client.request(request["method"], request["path"], headers=fields, json=body)

    def close(self) -> None:
        for client in self._clients:
            client.close()


@pytest.mark.parametrize("case", ["own keys", "no keys", "one key, one body", "one key, bodies"])
def test_one_of_sixteen_wins(service: Service, figure: Any, case: str) -> None:
    seen: Counter[str] = Counter()
    with Client(service.url) as client, ThreadPoolExecutor(CLIENTS) as pool:
        race = Race(service.url, pool)
        for round_ in range(ROUNDS):
            table = Table.laid(client)
            keys = {"own keys": f"key-{round_}-", "no keys": None}.get(case, f"key-{round_}")
            bodies = 1 if case == "one key, one body" else len(ACTIONS)
            requests = [
                table.request(
                    ACTIONS[place % bodies], f"{keys}{place}" if case == "own keys" else keys
                )
                for place in range(CLIENTS)
            ]
            answers = race.run(requests)
            _require_one_winner(case, answers)
            assert len(table.history()) == 2
            seen.update(_word(answer) for answer in answers)
        race.close()
    figure(f"{ROUNDS} races of {CLIENTS}, {case}: {dict(sorted(seen.items()))}")


def _word(answer: httpx.Response) -> str:
    """Return what became of a request, in a word."""
    if answer.status_code == 200:
        return "replayed" if "Idempotency-Replayed" in answer.headers else "done"
    code: str = answer.json()["code"]
    return code


def _require_one_winner(case: str, answers: list[httpx.Response]) -> None:
    words = Counter(map(_word, answers))
    assert words.pop("done") == 1, words
    if case == "one key, one body":
        assert words == {"replayed": CLIENTS - 1}
        assert len({answer.content for answer in answers}) == 1
        return
    if case == "one key, bodies":
        assert set(words) == {"replayed", "key_reused"}
        assert words["key_reused"] >= 10
        return
    assert words == {"stale_version": CLIENTS - 1}


def test_who_looks_first_and_writes_then_has_many_winners(tmp_path: Path) -> None:
    """The control of the one above: compared outside the server, a version is no protection."""

    def race(place: int) -> bool:
        with Redis(unix_socket_path=str(redis.socket)) as client:
            barrier.wait(PATIENCE)
            is_first = client.get("version") == b"1"
            barrier.wait(PATIENCE)
            return is_first and bool(client.set("version", "2"))

    barrier = Barrier(CLIENTS)
    with redis_server(tmp_path) as redis, ThreadPoolExecutor(CLIENTS) as pool:
        with redis.client() as client:
            client.set("version", "1")
        winners = sum(pool.map(race, range(CLIENTS)))
    assert winners > 1
