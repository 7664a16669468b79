"""What the documentation says about Redis is enough, and is all there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from redis import Redis
from redis.exceptions import NoPermissionError

from splendor_api.app import create_app
from splendor_api.sessions.connection import SCHEMES
from splendor_api.settings import Secret, Settings
from tests.contract.validation import WatchedClient
from tests.docs.pages import read

PATIENCE = 10.0  # seconds
PAGE = "docs/redis.md"
RULE = re.compile(r"^\| (?:keys and channels|commands|one by one) \| `(.+)` \|$", re.MULTILINE)


@pytest.fixture
def limited_url(admin_url: str) -> Iterator[str]:
    """Return the URL of the store for a user who may do what the page lists."""
    rules = [word for rule in RULE.findall(read(PAGE)) for word in rule.replace("\\", "").split()]
    assert len(rules) > 8
    with Redis.from_url(admin_url) as admin:
        admin.execute_command("ACL", "SETUSER", "limited", "on", ">secret", *rules)
        yield admin_url.replace("://", "://limited:secret@")
        admin.execute_command("ACL", "DELUSER", "limited")


@pytest.fixture
def limited(limited_url: str, settings: Settings) -> FlaskClient:
    """Return a client of a service that is such a user."""
    service = create_app(replace(settings, redis_url=Secret(limited_url)))
    service.test_client_class = WatchedClient
    return service.test_client()


def test_the_user_of_the_page_may_do_all_that_is_needed(limited: FlaskClient) -> None:
    assert limited.get("/readyz").get_json()["store"]["appendfsync"] == "always"
    created = limited.post("/v1/sessions", json={"game": "splendor", "seats": 2}).get_json()
    session, host = f"/v1/sessions/{created['id']}", _bearer(created["host_token"])
    ann = _bearer(created["seat_tokens"][0])
    claim = limited.post(f"{session}/seats/1/join-link", headers=host).get_json()["claim"]
    assert limited.post(f"{session}/join", json={"claim": claim}).status_code == 200
    ticket = limited.post(f"{session}/stream-tickets", headers=ann).get_json()["ticket"]
    version = limited.get(session).get_json()["version"]
    acting = {**ann, "If-Match": version, "Idempotency-Key": "a-key"}
    assert limited.post(f"{session}/actions", json=_RESIGN, headers=acting).status_code == 200
    last = {"Last-Event-ID": created["version"]}
    stream = limited.get(f"{session}/events?ticket={ticket}", headers=last)
    assert "event: closed" in stream.text
    assert limited.delete(session, headers=host).status_code == 204


def test_the_user_of_the_page_hears_of_what_happens(limited_url: str) -> None:
    with Redis.from_url(limited_url) as user, user.pubsub() as heard:
        heard.subscribe("splendor-api:{id}:feed")
        told = heard.get_message(timeout=PATIENCE)
        assert told is not None
        assert told["type"] == "subscribe"


def test_the_user_of_the_page_may_do_nothing_else(limited_url: str) -> None:
    with Redis.from_url(limited_url) as user:
        for command in (("GET", "other"), ("FLUSHALL",), ("CONFIG", "SET", "save", "")):
            with pytest.raises(NoPermissionError):
                user.execute_command(*command)


def test_every_scheme_is_on_the_page() -> None:
    named = set(re.findall(r"\b((?:rediss?|unix)(?:\+[a-z]+)?)(?:://|`)", read(PAGE)))
    assert named == set(SCHEMES)


_RESIGN = {"action": {"type": "resign"}}


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
