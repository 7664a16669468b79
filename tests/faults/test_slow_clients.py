"""Two hundred clients that are slow (P11): one that is not still gets its answers.

Behind a proxy that takes in whole requests most of them never reach the service, see
`tests/deploy`; here it is asked directly, where they do.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection

import httpx
import pytest

from splendor_api.sessions.attendance import STREAMS_PER_SEAT
from tests.faults.clients import Client, Table
from tests.faults.service import Service, serving
from tests.faults.slow_clients import OPENINGS, SLOW, durations, narrow, require_quick, slow_clients
from tests.faults.waiting import PATIENCE, until

STREAMS = STREAMS_PER_SEAT * 2  # of spectators that a session of two seats lets in
IMPATIENCE = 2.0  # seconds in which the control is to have got its answer


def _asking(port: int) -> Callable[[], HTTPConnection]:
    return partial(HTTPConnection, "127.0.0.1", port, timeout=10)


@pytest.fixture(scope="module")
def normal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve with the settings that the service has by itself."""
    with serving(tmp_path_factory.mktemp("normal"), THREADS="") as running:
        yield running


@pytest.mark.parametrize("kind", OPENINGS)
def test_a_good_client_is_answered(
    normal: Service, figure: Callable[[str], None], kind: str
) -> None:
    with slow_clients(partial(narrow, normal.port), kind):
        waits = durations(_asking(normal.port))
    require_quick(waits, figure, f"{SLOW} clients, {kind}")


def test_streams_leave_room_for_requests(normal: Service, figure: Callable[[str], None]) -> None:
    """A session of two seats lets eight spectators in, a worker half as many as its threads."""
    with ExitStack() as opened, Client(normal.url) as client:
        statuses: Counter[int] = Counter()
        limits = httpx.Limits(max_connections=None)
        reading = opened.enter_context(httpx.Client(base_url=normal.url, limits=limits, timeout=10))
        for _ in range(SLOW // STREAMS):
            table = Table.laid(client)
            for _ in range(STREAMS + 1):
                stream = reading.stream("GET", f"{table.path}/events")
                statuses[opened.enter_context(stream).status_code] += 1
        assert set(statuses) <= {200, 429, 503}
        assert statuses[429] > 0
        assert SLOW // 2 < statuses[200] <= SLOW
        waits = durations(_asking(normal.port))
        table.act()
    require_quick(waits, figure, f"{statuses[200]} streams")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve with few threads."""
    folder = tmp_path_factory.mktemp("small")
    with serving(folder, THREADS="8", WEB_CONCURRENCY="1") as running:
        yield running


@pytest.mark.parametrize("kind", ["slow body", "slow reader"])
def test_with_few_threads_a_good_client_gets_no_answer(small: Service, kind: str) -> None:
    """The control of the ones above: eight threads are taken by as many slow clients."""
    with slow_clients(partial(narrow, small.port), kind):
        until(lambda: not _answers(small, IMPATIENCE))
    until(lambda: _answers(small, PATIENCE))


def _answers(service: Service, patience: float) -> bool:
    try:
        return httpx.get(f"{service.url}/v1/games", timeout=patience).status_code == 200
    except httpx.TimeoutException:
        return False
