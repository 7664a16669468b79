"""Answers are lost below the service (P17) and above it, requests come twice and late (P12)."""

import secrets
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from time import monotonic

import httpx
import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.conftest import Tell
from tests.faults.clients import Client, Table
from tests.faults.history import Deed
from tests.faults.proxy import LossyProxy, lossy_proxy
from tests.faults.redis_server import redis_server
from tests.faults.service import serving
from tests.faults.waiting import TIMES

SEED = "a seed of two and twenty characters or more"
ACTIONS = 20 * TIMES
MOST_COPIES = 5
COUNT = "return redis.call('INCR', KEYS[1])"


@pytest.fixture(scope="module")
def lossy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LossyProxy, Client]]:
    """Return a proxy between a service and its Redis server, and a client of the service."""
    folder = tmp_path_factory.mktemp("lossy")
    with (
        redis_server(folder / "redis") as redis,
        lossy_proxy(redis.socket) as proxy,
        serving(folder, REDIS_URL=proxy.url) as service,
        Client(service.url) as client,
    ):
        yield proxy, client


@pytest.mark.parametrize("losses", [1, 2])
@pytest.mark.parametrize("has_key", [True, False])
def test_a_lost_answer_of_redis_is_no_second_action(
    lossy: tuple[LossyProxy, Client], losses: int, has_key: bool
) -> None:
    proxy, client = lossy
    table = _warm(client)
    before = proxy.lost
    proxy.lose(losses)
    request = table.request(table.choose(), "some-key" if has_key else None)
    answer = client.http.request(request.pop("method"), request.pop("path"), **request)
    assert answer.status_code == 200, answer.text
    assert "Idempotency-Replayed" not in answer.headers, "the client has asked once"
    assert answer.json()["version"].startswith("3.")
    assert proxy.lost - before == losses
    table.take(answer.json())
    assert [made.version for made in table.history()][2:] == [table.version]


def test_when_no_answer_comes_the_key_finds_the_first(
    lossy: tuple[LossyProxy, Client],
) -> None:
    proxy, client = lossy
    table = _warm(client)
    before = proxy.lost
    proxy.lose(4)  # as often as the service asks
    action = table.choose()
    refused = _sent(table, table.request(action, "some-key"))
    assert (refused.status_code, proxy.lost - before) == (503, 4)
    again = _sent(table, table.request(action, "some-key"))
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (200, "true")
    assert [made.version for made in table.history()][2:] == [again.json()["version"]]


def _warm(client: Client) -> Table:
    """Return a table at which somebody has acted: from then on the server knows the script."""
    table = Table.laid(client)
    table.act()
    return table


def test_a_plain_script_is_done_twice(tmp_path: Path) -> None:
    """The control of the ones above: without an id, a request repeated below is done twice."""
    with redis_server(tmp_path) as redis, lossy_proxy(redis.socket) as proxy:
        with closing(Redis(port=proxy.port, retry=Retry(NoBackoff(), 3))) as client:
            client.ping()
            proxy.lose(1, b"INCR")
            assert client.eval(COUNT, 1, "count") == 2
        assert proxy.lost == 1


def _sent(table: Table, request: dict[str, object]) -> httpx.Response:
    """Send a request of the table once."""
    method, path = str(request["method"]), str(request["path"])
    fields, body = request["headers"], request["json"]
    assert isinstance(fields, dict)
    return table.client.http.request(method, path, headers=fields, json=body)


class Network:
    """Delivers each request one to five times, some much later, and loses most answers."""

    def __init__(self, pool: ThreadPoolExecutor, random: Random) -> None:
        self._pool, self._random = pool, random
        self._late: list[tuple[Table, dict[str, object], bytes]] = []
        self._under_way: list[Future[None]] = []
        self.copies = 0

    def act(self, table: Table) -> None:
        """Do one action of the table through this network, and log it."""
        action, key, seat = table.choose(), secrets.token_urlsafe(16), table.to_act
        assert seat is not None
        request = table.request(action, key)
        sent = Deed("act", monotonic(), None, None, seat, action | {"seat": seat}, key)
        copies = self._random.randint(1, MOST_COPIES)
        at_once = self._random.randint(1, copies)
        answers = list(self._pool.map(lambda _: _sent(table, request), range(at_once)))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1, "all are the first answer"
        assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) <= 1
        table.take(answers[0].json())
        table.log.append(
            replace(sent, answered=monotonic(), version=table.version, body=answers[0].content)
        )
        self._late += [(table, request, answers[0].content)] * (copies - at_once)
        self.copies += copies
        self._random.shuffle(self._late)
        while len(self._late) > MOST_COPIES:
            self.deliver()

    def deliver(self) -> None:
        """Deliver one of the requests that are late."""
        table, request, first = self._late.pop()
        self._under_way.append(self._pool.submit(self._deliver, table, request, first))

    def settle(self) -> None:
        """Deliver all that is late, and wait for it."""
        while self._late:
            self.deliver()
        for each in self._under_way:
            each.result()

    @staticmethod
    def _deliver(table: Table, request: dict[str, object], first: bytes) -> None:
        answer = _sent(table, request)
        assert (answer.status_code, answer.content) == (200, first)
        assert answer.headers["Idempotency-Replayed"] == "true"


def test_copies_late_and_in_any_order_change_nothing(tmp_path: Path, tell: Tell) -> None:
    with serving(tmp_path) as service, Client(service.url) as client:
        disturbed = Table.laid(client, Random(7), seed=SEED)
        with ThreadPoolExecutor(MOST_COPIES) as pool:
            network = Network(pool, Random(8))
            for _ in range(ACTIONS):
                network.act(disturbed)
            network.settle()
        verdict = disturbed.verdict()
        quiet = Table.laid(client, Random(7), seed=SEED)
        for _ in range(ACTIONS):
            quiet.act()
        states = [client.get(table.path, table.tokens[0])["state"] for table in (disturbed, quiet)]
    tell(f"{network.copies} copies of {ACTIONS} requests", verdict)
    assert verdict.is_right, verdict
    assert states[0] == states[1]


def test_who_does_it_again_under_another_key_does_it_twice(tmp_path: Path) -> None:
    """The control of the one above: it is the key that makes copies harmless."""
    with serving(tmp_path) as service, Client(service.url) as client:
        table = Table.laid(client)
        action = {"type": "take_different", "colors": ["white", "blue", "green"]}
        first = _sent(table, table.request(action, "first-key"))
        table.log.append(
            Deed("act", 1, None, None, 0, action | {"seat": 0}, "first-key")
        )  # its answer is lost
        late = _sent(table, table.request(action, "second-key"))
        assert (first.status_code, late.status_code) == (200, 412)
        table.take(first.json())
        again = _sent(table, table.request(action, "second-key"))
        assert again.status_code == 200
        verdict = table.verdict()
    assert (verdict.lost, verdict.twice) == (0, 1)
