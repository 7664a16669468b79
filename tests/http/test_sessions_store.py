"""Sessions over stores of these tests' own: away, full, slow to forget, set otherwise, shared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis import Redis
from redis.exceptions import ConnectionError as StoreError

from splendor_api.app import create_app
from splendor_api.launch.embedded_redis import EmbeddedRedis, programs, running
from splendor_api.sessions import store
from splendor_api.sessions.connection import opener
from splendor_api.sessions.keeping import FIRST_LIFETIME_MS
from splendor_api.sessions.store import TOMBSTONE_MS, Keys, Store
from splendor_api.settings import Secret, Settings
from tests.contract.validation import WatchedClient
from tests.http.conftest import problem_of
from tests.http.sitting import TAKE, Json, Sitting, asked, events_of, opened

COMMANDS = [
    "evalsha",
    "eval",
    "hget",
    "hset",
    "hmget",
    "hgetall",
    "exists",
    "lindex",
    "lrange",
    "rpush",
    "pexpire",
    "pttl",
    "set",
    "get",
    "unlink",
    "publish",
    "subscribe",
    "unsubscribe",
    "zadd",
    "zrem",
    "zrange",
    "zscore",
    "zremrangebyscore",
    "incr",
    "time",
    "ping",
    "info",
    "wait",
    "select",
    "config|get",
]
"""Every command that the service needs, for a user who may do nothing else (T35)."""

MOST_BYTES = 16 * 1024  # of Redis memory for a session of 60 actions


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """Run a server that tests may set otherwise."""
    with running(tmp_path_factory.mktemp("own")) as server:
        assert server is not None
        yield server


@pytest.fixture
def redis(own: EmbeddedRedis) -> Iterator[Any]:
    """Return a client of that server; its settings are put right again."""
    client: Any = Redis.from_url(own.url, decode_responses=True)
    yield client
    for name, value in (("maxmemory", 0), ("maxmemory-policy", "noeviction")):
        client.config_set(name, value)
    client.config_set("appendfsync", "always")
    client.close()


def served(url: str, **others: Any) -> FlaskClient:
    """Return a client of a service on a store, held against the document."""
    service = create_app(Settings(redis_url=Secret(url), **others))
    service.test_client_class = WatchedClient
    return service.test_client()


def test_a_store_that_comes_back_has_everything(tmp_path: Path) -> None:
    """503 with `Retry-After` in between, and not one answer that was given is lost."""
    server = EmbeddedRedis(tmp_path / "data", programs())
    server.start()
    client = served(server.url)
    sitting = opened(client)
    acted = sitting.acted(TAKE, Idempotency_Key="before")
    version, history = acted["version"], sitting.ask("GET", "/actions").data
    server.stop()
    for method, path, body in (
        ("GET", "", None),
        ("POST", "/actions", {"action": TAKE}),
        ("GET", "/events", None),
        ("GET", "/record", None),
    ):
        answered = sitting.ask(method, path, body, sitting.seats[1], If_Match=version)
        problem_of(answered, 503, "store_unavailable")
        assert int(answered.headers["Retry-After"]) > 0
    problem_of(asked(client, "GET", "/readyz"), 503, "store_unavailable")
    dealt = asked(client, "POST", "/v1/games/splendor/deal", {"seats": 2, "seed": "x"})
    assert dealt.status_code == 200
    again = EmbeddedRedis(tmp_path / "data", programs())
    again.start()
    try:
        back = served(again.url)
        there = Sitting(back, sitting.id, sitting.host, sitting.seats, sitting.made)
        assert there.ask("GET", "/actions").data == history
        assert there.acted({"type": "take_same", "color": "red"}, 1)["to_act"] == 0
        assert asked(back, "GET", "/readyz").get_json()["status"] == "ready"
    finally:
        again.stop()


def test_a_stream_outlives_a_store_that_is_away(own: EmbeddedRedis) -> None:
    """It says nothing meanwhile, and goes on where it was; another worker has acted."""
    away = AwayStore(opener(own.url))
    client = create_app(Settings(), store=away).test_client()
    sitting = opened(served(own.url))
    answered = asked(client, "GET", f"/v1/sessions/{sitting.id}/events")
    pieces: Any = iter(answered.response)
    assert next(pieces).startswith(b"retry")
    assert next(pieces).startswith(b"event: snapshot")
    acted = sitting.acted(TAKE)
    away.failures = 2
    ((name, version, _),) = list(events_of(next(pieces).decode()))
    assert (name, version, away.failures) == ("step", acted["version"], 0)
    answered.close()


class AwayStore(Store):
    """A store that is away for the next loads."""

    failures = 0

    def load(self, *arguments: Any, **others: Any) -> Any:
        """Load, unless it is away."""
        if self.failures:
            self.failures -= 1
            with self._availability():
                raise StoreError("away")
        return super().load(*arguments, **others)


def test_t31_a_full_store_begins_no_session_and_ends_those_it_has(
    own: EmbeddedRedis, redis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T31: new sessions are 503 from 80 % of the memory on; games that are played go on."""
    monkeypatch.setattr(store, "CHECKED_EVERY", -1.0)
    client = served(own.url)
    sitting = opened(client)
    redis.config_set("maxmemory", int(int(redis.info("memory")["used_memory"]) / 0.9))
    body = {"game": "splendor", "seats": 2}
    answered = asked(client, "POST", "/v1/sessions", body)
    problem_of(answered, 503, "store_unavailable")
    assert int(answered.headers["Retry-After"]) > 0
    assert sitting.end()["outcome"] is not None
    redis.config_set("maxmemory", 0)
    assert asked(client, "POST", "/v1/sessions", body).status_code == 201


def test_memory_that_is_full_to_the_brim_refuses_whole_commits(
    own: EmbeddedRedis, redis: Any
) -> None:
    """P6: nothing half done, nothing evicted; reads go on, and writes when there is room again."""
    client = served(own.url)
    sitting = opened(client)
    redis.config_set("maxmemory", 1)
    answered = sitting.ask(
        "POST", "/actions", {"action": TAKE}, sitting.seats[0], If_Match=sitting.version()
    )
    problem_of(answered, 503, "store_unavailable")
    assert len(sitting.ask("GET", "/actions").get_json()["steps"]) == 1
    redis.config_set("maxmemory", 0)
    assert sitting.act(TAKE).status_code == 200


@pytest.mark.parametrize("seconds", [60, 7200])
def test_a_session_lives_on_by_its_actions(own: EmbeddedRedis, redis: Any, seconds: int) -> None:
    """An hour at most until the first action (T31), then its whole time after each."""
    sitting = opened(served(own.url), lifetime_seconds=seconds)
    keys = Keys.of(sitting.id)
    first = min(FIRST_LIFETIME_MS, seconds * 1000)
    assert first - 5_000 < redis.pttl(keys.session) <= first
    sitting.acted(TAKE, Idempotency_Key="k")
    for key in (keys.session, keys.history, keys.answers):
        assert seconds * 1000 - 5_000 < redis.pttl(key) <= seconds * 1000
    stone = seconds * 1000 + TOMBSTONE_MS
    assert stone - 5_000 < redis.pttl(keys.tombstone) <= stone


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        ("maxmemory-policy", "allkeys-lru", "noeviction"),
        ("appendfsync", "everysec", "appendfsync"),
    ],
)
def test_t37_a_store_that_is_set_otherwise_is_said_to_be(
    own: EmbeddedRedis, redis: Any, name: str, value: str, word: str
) -> None:
    """T37: `/readyz` says what the promise is then."""
    client = served(own.url)
    assert asked(client, "GET", "/readyz").get_json()["store"]["warnings"] == []
    redis.config_set(name, value)
    told = asked(client, "GET", "/readyz").get_json()["store"]
    assert told[name.replace("-", "_")] == value
    assert [word in warning for warning in told["warnings"]] == [True]


def test_t35_the_service_needs_few_commands(own: EmbeddedRedis, redis: Any) -> None:
    """T35: it runs whole as a user who has its prefix and these commands, and no others."""
    rules = ["reset", "on", ">secret", "~splendor-api:*", "&splendor-api:*", "-@all"]
    redis.execute_command("ACL", "SETUSER", "service", *rules, *(f"+{each}" for each in COMMANDS))
    url = f"unix://service:secret@{own.url.removeprefix('unix://')}"
    client = create_app(
        Settings(redis_url=Secret(url), rate_limit_requests=1000, rate_limit_sessions=1000)
    ).test_client()
    sitting = opened(client, key="k" * 22)
    stream = sitting.ask("GET", "/events")
    pieces: Any = iter(stream.response)
    assert next(pieces).startswith(b"retry")
    assert next(pieces).startswith(b"event: snapshot")
    sitting.acted(TAKE, Idempotency_Key="k")
    assert next(pieces).startswith(b"event: step")
    stream.close()
    ticket = sitting.ask("POST", "/stream-tickets", token=sitting.host).get_json()["ticket"]
    sitting.undo("propose", 0)
    link = sitting.ask("POST", "/seats/1/join-link", token=sitting.host).get_json()
    assert sitting.ask("POST", "/join", {"claim": link["claim"]}).status_code == 200
    assert sitting.ask("GET", f"/events?ticket={ticket}").status_code == 200
    assert sitting.ask("DELETE", token=sitting.host).status_code == 204
    assert asked(client, "GET", "/readyz").status_code == 200
    assert not redis.execute_command("ACL", "LOG")
    redis.execute_command("ACL", "DELUSER", "service")


def test_t31_one_client_may_do_only_so_much(own: EmbeddedRedis) -> None:
    """T31: 429 with `Retry-After`, if it is switched on; each address counts for itself."""
    client = served(own.url, rate_limit_sessions=2, rate_limit_requests=3)
    body = {"game": "splendor", "seats": 2}
    here: Json = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.1"}}
    there: Json = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.2"}}
    made = [client.post("/v1/sessions", json=body, **here) for _ in range(3)]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    problem_of(made[2], 429, "too_many_requests")
    assert 0 < int(made[2].headers["Retry-After"]) <= 3600
    assert client.post("/v1/sessions", json=body, **there).status_code == 201
    path = made[0].headers["Location"]
    seen = [client.get(path, **here) for _ in range(4)]
    assert [answer.status_code for answer in seen] == [200, 200, 200, 429]
    assert 0 < int(seen[3].headers["Retry-After"]) <= 60
    assert client.get(path, **there).status_code == 200
    assert client.get("/v1/games", **here).status_code == 200


def count_of(client: FlaskClient, name: str) -> float:
    """Return a count of `/metrics`, 0 if it is not there yet."""
    lines = asked(client, "GET", "/metrics").text.splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))


def test_sessions_conflicts_and_replays_are_counted(own: EmbeddedRedis) -> None:
    client = served(own.url)
    names = (
        'splendor_sessions_total{game="splendor"}',
        'splendor_session_conflicts_total{code="stale_version"}',
        "splendor_session_replays_total",
    )
    before = [count_of(client, name) for name in names]
    sitting = opened(client)
    version = sitting.version()
    for _ in range(2):
        sitting.act(TAKE, If_Match=version, Idempotency_Key="k")
    problem_of(sitting.act(TAKE, If_Match=version), 412, "stale_version")
    after = [count_of(client, name) for name in names]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1, 1]


def test_a_session_is_small(own: EmbeddedRedis, redis: Any) -> None:
    """At most 16 KB of Redis memory for 60 actions, keys of idempotency included."""
    sitting = opened(served(own.url), 4)
    for turn in range(60):
        seat = sitting.seen()["to_act"]
        choices = [each for each in sitting.choices(seat) if each["type"] != "resign"]
        sitting.acted(choices[turn % len(choices)], seat, Idempotency_Key=f"key-number-{turn}")
    keys = [key for key in redis.keys(f"*{sitting.id}*") if "ticket" not in key]
    assert sum(redis.memory_usage(key, samples=0) for key in keys) <= MOST_BYTES
    assert len(sitting.ask("GET", "/actions").get_json()["steps"]) == 61


@pytest.mark.parametrize("replicas", [1])
def test_too_few_replicas_is_no_answer(own: EmbeddedRedis, replicas: int) -> None:
    """R4: what too few replicas have is not acknowledged."""
    client = served(own.url, session_replicas=replicas)
    answered = asked(client, "POST", "/v1/sessions", {"game": "splendor", "seats": 2})
    problem_of(answered, 503, "store_unavailable")


def test_a_server_without_replicas_is_not_believed(own: EmbeddedRedis) -> None:
    """P8: a primary that another has taken the place of has none, and what it knows is old."""
    sitting = opened(served(own.url))
    careful = served(own.url, session_replicas=1)
    problem_of(asked(careful, "GET", f"/v1/sessions/{sitting.id}"), 503, "store_unavailable")


def test_t34_every_key_has_the_tag_of_its_session(own: EmbeddedRedis, redis: Any) -> None:
    """T34, T10: keys lie on one shard; and no token is stored, only hashes."""
    redis.flushall()
    sitting = opened(served(own.url), key="k" * 22)
    sitting.acted(TAKE, Idempotency_Key="key")
    names = redis.keys("*")
    assert names
    assert all(name.startswith(f"splendor-api:{{{sitting.id}}}:") for name in names)
    stored = "".join(str(redis.hgetall(name)) for name in names if redis.type(name) == "hash")
    stored += "".join(redis.lrange(Keys.of(sitting.id).history, 0, -1))
    for secret in (sitting.host, *sitting.seats, "k" * 22):
        assert secret not in stored
