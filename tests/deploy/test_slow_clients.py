"""Two hundred slow clients of nginx (P11): it bears them by itself.

Here the service has eight threads, of which as many slow clients leave nothing where nothing is
between them and it: `tests/faults` has that control.
"""

import socket
import ssl
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPSConnection

import pytest

from tests.deploy.files import free_ports
from tests.deploy.proxies import Nginx, nginx
from tests.faults.service import serving
from tests.faults.slow_clients import OPENINGS, SLOW, durations, narrow, require_quick, slow_clients

ELSEWHERE = ("127.0.0.2", 0)  # nginx counts by address, and the slow ones have used theirs up


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    (nobody,) = free_ports(1)
    with (
        serving(tmp_path_factory.mktemp("service"), THREADS="8", WEB_CONCURRENCY="1") as service,
        nginx(tmp_path_factory.mktemp("proxy"), service.port, nobody) as running,
    ):
        yield running


@pytest.mark.parametrize("kind", OPENINGS)
def test_a_good_client_is_answered(proxy: Nginx, figure: Callable[[str], None], kind: str) -> None:
    trust = ssl.create_default_context(cafile=str(proxy.certificate))
    asking = partial(
        HTTPSConnection,
        "127.0.0.1",
        proxy.port,
        timeout=10,
        source_address=ELSEWHERE,
        context=trust,
    )

    def connect() -> socket.socket:
        return trust.wrap_socket(narrow(proxy.port), server_hostname="127.0.0.1")

    with slow_clients(connect, kind):
        waits = durations(asking)
    require_quick(waits, figure, f"{SLOW} clients of nginx, {kind}")
