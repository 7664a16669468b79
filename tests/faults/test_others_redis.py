"""A Redis server that others run: set otherwise (T37), and with few rights (T35)."""

from pathlib import Path

import pytest
from redis.exceptions import NoPermissionError

from tests.faults.clients import Client, Table, bearer
from tests.faults.redis_server import redis_server
from tests.faults.service import serving
from tests.faults.streams import Stream

RIGHTS = (
    "reset on >secret resetkeys resetchannels ~splendor-api:* &splendor-api:* -@all "
    "+evalsha +eval +time +ping +info +hello "
    "+exists +hget +hgetall +hmget +hset +incr +lindex +lrange +pexpire +pttl +rpush +set +get "
    "+unlink +zadd +zrange +zremrangebyscore +zscore +zrem +publish +subscribe +unsubscribe"
)


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


def test_few_rights_are_enough(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis") as redis:
        with redis.client() as direct:
            direct.execute_command("ACL", "SETUSER", "service", *RIGHTS.split())
        url = f"unix://service:secret@{redis.socket}"
        with serving(tmp_path, REDIS_URL=url, RATE_LIMIT_REQUESTS="1000") as service:
            with Client(service.url) as client:
                _use_everything(client)
            assert "NoPermission" not in service.log.read_text()
        with redis.client() as direct:
            direct.auth("secret", "service")
            for forbidden in (("KEYS", "*"), ("FLUSHALL",), ("CONFIG", "GET", "*"), ("GET", "a")):
                with pytest.raises(NoPermissionError):
                    direct.execute_command(*forbidden)


def _use_everything(client: Client) -> None:
    """Do everything that sessions can do."""
    assert client.get("/readyz")["status"] == "ready"
    sent = {"game": "splendor", "seats": 2}
    made = client.http.post("/v1/sessions", json=sent).json()
    path, host = f"/v1/sessions/{made['id']}", bearer(made["host_token"])
    table = Table(client, path, tuple(made["seat_tokens"]), made["version"])
    with Stream(client, path) as stream:
        assert stream.next().name == "snapshot"
        acted = table.act().version
        assert stream.next().id == acted
    ticket = client.http.post(f"{path}/stream-tickets", headers=bearer(table.tokens[0]))
    query = {"ticket": ticket.json()["ticket"]}
    with client.http.stream("GET", f"{path}/events", params=query) as followed:
        assert followed.status_code == 200
    rotated = client.http.post(f"{path}/seats/1/token", headers=host)
    assert rotated.status_code == 200, rotated.text
    assert table.history()
    assert client.http.delete(path, headers=host).status_code == 204
    assert client.http.get(path).status_code == 410
