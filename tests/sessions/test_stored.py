"""What is stored of a session: format 1 as it was written once, and the way to the next."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.games.registry import GAMES
from splendor_api.sessions import stored
from splendor_api.sessions.store import Keys, Store, StoreUnavailable
from splendor_api.sessions.stored import (
    Version,
    dump_entry,
    dump_session,
    load_entry,
    load_session,
    migrated,
)
from splendor_api.wire import json_text
from tests.http.conftest import problem_of
from tests.http.sitting import TAKE, asked

OLD: Any = json_text.read((Path(__file__).parent / "format-1.json").read_bytes(), max_depth=64)
"""A session that was stored in format 1, with an open proposal and an open join link."""


@pytest.fixture
def kept(store: Store) -> str:
    """Put the old session into the store, and return its path."""
    client: Any = store.client
    keys = Keys.of(OLD["id"])
    client.delete(keys.session, keys.history, keys.answers, keys.tombstone)
    client.hset(keys.session, mapping=OLD["session"])
    client.hset(keys.answers, mapping=OLD["answers"])
    client.rpush(keys.history, *OLD["history"])
    return f"/v1/sessions/{OLD['id']}"


def later(fields: Mapping[str, str]) -> Mapping[str, str]:
    """Return the fields in a format 2 that there is not yet."""
    return {**fields, "format": "2", "note": "migrated"}


@pytest.fixture
def format_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the service have a format 2."""
    monkeypatch.setattr(stored, "FORMAT", 2)
    monkeypatch.setattr(stored, "MIGRATIONS", (later,))


def test_format_1_is_read_and_written_as_it_was() -> None:
    session = load_session(OLD["id"], OLD["session"], GAMES)
    game = GAMES[session.game]
    written = dump_session(session, game)
    kept = {name: text for name, text in OLD["session"].items() if name in written}
    assert written == kept
    assert OLD["session"].keys() - kept.keys() == {"number", "commit", "fingerprint"}


@pytest.mark.parametrize("line", OLD["history"], ids=lambda line: line.partition(" ")[0])
def test_a_history_of_format_1_is_read_and_written_as_it_was(line: str) -> None:
    assert dump_entry(load_entry(line)) == line


def test_a_session_of_format_1_goes_on(client: FlaskClient, kept: str) -> None:
    """What its seat saw then it sees now; a replayed answer is there, and it can be played."""
    seen = asked(client, "GET", kept, None, OLD["seat"])
    assert seen.get_json() == OLD["observation"]
    steps = asked(client, "GET", f"{kept}/actions", None, OLD["host"]).get_json()["steps"]
    assert [step["version"] for step in steps] == [
        line.partition(" ")[0] for line in OLD["history"]
    ]
    body = {"action": TAKE}
    again = asked(client, "POST", f"{kept}/actions", body, OLD["seat"], Idempotency_Key="first")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json()["version"] == steps[1]["version"]
    accepted = asked(client, "POST", f"{kept}/undo", {"do": "accept"}, OLD["seat"])
    assert accepted.status_code == 200
    resigned = asked(client, "POST", f"{kept}/seats/1/resign", None, OLD["host"])
    assert resigned.get_json()["outcome"]["winners"] == [0]


@pytest.mark.usefixtures("format_2")
def test_a_session_of_format_1_is_migrated_when_it_is_written(
    client: FlaskClient, kept: str, store: Store
) -> None:
    """It is read as one of the present format, and its next commit writes all of it."""
    seen = asked(client, "GET", kept, None, OLD["seat"])
    assert seen.get_json() == OLD["observation"]
    fields: Any = store.client
    assert fields.hget(Keys.of(OLD["id"]).session, "format") == "1"
    accepted = asked(client, "POST", f"{kept}/undo", {"do": "accept"}, OLD["seat"])
    assert accepted.status_code == 200
    assert fields.hget(Keys.of(OLD["id"]).session, "format") == "2"
    assert asked(client, "GET", kept, None, OLD["seat"]).status_code == 200


@pytest.mark.usefixtures("format_2")
def test_each_format_has_its_step() -> None:
    assert migrated({"format": "1"}) == {"format": "2", "note": "migrated"}
    assert migrated({"format": "2"}) == {"format": "2"}


def test_there_is_a_step_from_every_older_format() -> None:
    assert len(stored.MIGRATIONS) == stored.FORMAT - 1


def test_a_newer_session_is_for_a_newer_worker(
    client: FlaskClient, kept: str, store: Store
) -> None:
    """While a release is rolled out, or back: 503, and somebody else may answer."""
    redis: Any = store.client
    redis.hset(Keys.of(OLD["id"]).session, "format", "2")
    problem_of(asked(client, "GET", kept, None, OLD["seat"]), 503, "store_unavailable")
    with pytest.raises(StoreUnavailable):
        migrated({"format": "2"})


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.AAAAAAAAAAA", 1),
        ("17.k3v9-_k3v9Z", 17),
        ("999999999.AAAAAAAAAAA", 999_999_999),
        ("0.AAAAAAAAAAA", None),
        ("01.AAAAAAAAAAA", None),
        ("0001.AAAAAAAAAAA", None),
        ("1000000000.AAAAAAAAAAA", None),
        ("+1.AAAAAAAAAAA", None),
        ("\u0661.AAAAAAAAAAA", None),
        ("1.AAAAAAAAAA", None),
        ("1.AAAAAAAAAAAA", None),
        ("1.AAAAAAAAAA=", None),
        ("1.AAAAAAAAAA\n", None),
        ("1.AAAAAAAAAAA\n", None),
        ("1.", None),
        (".AAAAAAAAAAA", None),
        ("x.AAAAAAAAAAA", None),
        ("1", None),
    ],
)
def test_a_version_has_one_spelling(text: str, number: int | None) -> None:
    version = Version.parse(text)
    assert (None if version is None else version.number) == number
    assert version is None or str(version) == text
