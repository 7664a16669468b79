"""A Redis server that others run, and have set otherwise (T37)."""

from collections.abc import Iterator

import pytest

from tests.faults.clients import Client
from tests.faults.redis_server import RedisServer, redis_server
from tests.faults.service import serving


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RedisServer, Client]]:
    """Return a Redis server that others may set, and a client of a service that uses it."""
    folder = tmp_path_factory.mktemp("others")
    with (
        redis_server(folder / "redis") as redis,
        serving(folder, REDIS_URL=redis.url, WEB_CONCURRENCY="1") as service,
        Client(service.url) as client,
    ):
        yield redis, client


@pytest.mark.parametrize(
    ("options", "warnings"),
    [
        ({}, []),
        ({"appendfsync": "everysec"}, ["appendfsync is not always"]),
        ({"appendonly": "no"}, ["appendonly is off"]),
        ({"maxmemory-policy": "allkeys-lru"}, ["maxmemory-policy is not noeviction"]),
        ({"maxmemory-policy": "volatile-ttl"}, ["maxmemory-policy is not noeviction"]),
    ],
)
def test_what_is_not_promised_is_said(
    others: tuple[RedisServer, Client], options: dict[str, str], warnings: list[str]
) -> None:
    redis, client = others
    with redis.client() as direct:
        before = {name: direct.config_get(name)[name] for name in options}
        for name, value in options.items():
            direct.config_set(name, value)
        told = client.get("/readyz")
        for name, value in before.items():
            direct.config_set(name, value)
    assert told["status"] == "ready"
    assert [warning.partition(":")[0] for warning in told["store"]["warnings"]] == warnings
