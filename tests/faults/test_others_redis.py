"""A Redis server that others run, and have set otherwise (T37)."""

from pathlib import Path

import pytest

from tests.faults.clients import Client
from tests.faults.redis_server import redis_server
from tests.faults.service import serving


@pytest.mark.parametrize(
    ("options", "warnings"),
    [
        ((), []),
        (("--appendfsync", "everysec"), ["appendfsync is not always"]),
        (("--appendonly", "no"), ["appendonly is off"]),
        (("--maxmemory-policy", "allkeys-lru"), ["maxmemory-policy is not noeviction"]),
        (("--maxmemory-policy", "volatile-ttl"), ["maxmemory-policy is not noeviction"]),
    ],
)
def test_what_is_not_promised_is_said(
    tmp_path: Path, options: tuple[str, ...], warnings: list[str]
) -> None:
    with (
        redis_server(tmp_path / "redis", *options) as redis,
        serving(tmp_path, REDIS_URL=redis.url, WEB_CONCURRENCY="1") as service,
        Client(service.url) as client,
    ):
        told = client.get("/readyz")
    assert told["status"] == "ready"
    assert [warning.partition(":")[0] for warning in told["store"]["warnings"]] == warnings
