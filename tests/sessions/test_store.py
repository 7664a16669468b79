"""The scripts, each reply of each, on a real Redis."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from redis.exceptions import ConnectionError as ConnectionFailed
from redis.exceptions import ResponseError

from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import (
    LEASE_MS,
    Commit,
    Keys,
    Loaded,
    Missing,
    Reply,
    Store,
    StoreUnavailable,
    _evaluate,
    is_session_id,
)
from splendor_api.sessions.tokens import mint_id

FIELDS = {"number": "1", "commit": "first", "access_number": "0", "state": "{}"}
LIFETIME = 60_000
SCRIPTS = ("attend", "commit", "confirm", "create", "delete", "load", "rate")


@pytest.fixture
def session(store: Store) -> str:
    """Return the id of a session that is stored."""
    session_id = mint_id()
    assert store.create(session_id, "print", "1.first {}", LIFETIME, FIELDS) == "created"
    return session_id


def step(number: int = 1, commit: str = "first", new: str = "second", **others: Any) -> Commit:
    """Return a step from a version to the next."""
    made = Commit(
        number=number,
        commit=commit,
        new_commit=new,
        access_number=0,
        answer_field="",
        fingerprint="",
        entry=f"{number + 1}.{new} {{}}",
        lifetime_ms=LIFETIME,
        fields={"state": new},
    )
    return replace(made, **others)


def state_of(store: Store, session: str) -> tuple[str, str, int]:
    """Return version, state and length of the history."""
    found = store.load(session, history_from=0)
    assert isinstance(found, Loaded)
    fields = found.fields
    assert fields is not None
    version = f"{fields['number']}.{fields['commit']}"
    return version, fields["state"], len(found.history)


def test_a_commit_writes_everything(store: Store, session: str) -> None:
    reply = store.commit(session, step(answer_field="key7", fingerprint="print"))
    assert reply == Reply("committed", 2)
    assert state_of(store, session) == ("2.second", "second", 2)
    found = store.load(session, "key", 1)
    assert isinstance(found, Loaded)
    assert found.answers == {"key7": "print 2"}
    assert found.history == ("2.second {}",)


@pytest.mark.parametrize(
    ("commit", "word"),
    [
        (step(commit="other"), "stale"),
        (step(number=2), "stale"),
        (step(access_number=1), "access"),
    ],
)
def test_a_commit_that_is_too_late_writes_nothing(
    store: Store, session: str, commit: Commit, word: str
) -> None:
    before = state_of(store, session)
    assert store.commit(session, commit).word == word
    assert state_of(store, session) == before


def test_a_retry_below_us_finds_its_own_commit(store: Store, session: str) -> None:
    """P17: the answer was lost on the way, the step was not."""
    assert store.commit(session, step()) == Reply("committed", 2)
    assert store.commit(session, step()) == Reply("committed", 2)
    assert store.commit(session, step(2, "second", "third")).word == "committed"
    assert store.commit(session, step()) == Reply("committed", 2)
    assert state_of(store, session) == ("3.third", "third", 3)


def test_a_key_is_kept_before_a_version_is_compared(store: Store, session: str) -> None:
    keyed: Callable[..., Commit] = lambda **others: step(  # noqa: E731 - a name for a shape
        answer_field="field", fingerprint="print", **others
    )
    assert store.commit(session, keyed()).word == "committed"
    assert store.commit(session, keyed(new="again")) == Reply("replayed", 2)
    assert store.commit(session, keyed(new="again", access_number=7)) == Reply("replayed", 2)
    other = replace(keyed(new="again"), fingerprint="another")
    assert store.commit(session, other) == Reply("reused")
    assert state_of(store, session)[0] == "2.second"


def test_a_session_that_is_gone_is_not_written(store: Store, session: str) -> None:
    assert store.delete(session, 0, None) == "deleted"
    assert store.commit(session, step()).word == "gone"
    assert store.load(session) == Missing(expired=True)
    assert store.delete(session, 0, None) == "gone"


def test_a_session_is_deleted_at_its_version_only(store: Store, session: str) -> None:
    assert store.delete(session, 1, None) == "access"
    assert store.delete(session, 0, (1, "other")) == "stale"
    assert store.delete(session, 0, (2, "first")) == "stale"
    assert store.delete(session, 0, (1, "first")) == "deleted"


def test_an_id_is_taken_once(store: Store, session: str) -> None:
    assert store.create(session, "print", "1.x {}", LIFETIME, FIELDS) == "replayed"
    assert store.create(session, "other", "1.x {}", LIFETIME, FIELDS) == "reused"
    store.delete(session, 0, None)
    assert store.create(session, "print", "1.x {}", LIFETIME, FIELDS) == "reused"


def test_a_place_is_let_for_a_while_only(store: Store, session: str) -> None:
    places = [f"seat-0:worker:{n}" for n in range(3)]
    for place in places[:2]:
        assert store.attend(session, place, 0, 2) == ()
    assert store.attend(session, places[2], 0, 2) == tuple(places[:2])
    assert store.attend(session, places[1], 1, 2) == ()
    assert store.attend(session, places[2], LEASE_MS, 2) == ()
    assert store.attend(session, places[0], LEASE_MS, 2) == tuple(places[1:])
    store.leave(session, places[2])
    assert store.attend(session, places[0], LEASE_MS, 2) == ()


def test_t30_places_are_counted_by_audience(store: Store, session: str) -> None:
    """T30: whose name begins like another's has places of its own, too."""
    for audience in ("seat-1", "seat-10", "host", "spectator"):
        assert store.attend(session, f"{audience}:worker:1", 0, 1) == ()
        assert store.attend(session, f"{audience}:worker:2", 0, 1) == (f"{audience}:worker:1",)


def test_it_is_known_which_workers_live(store: Store) -> None:
    one, other = mint_id(), mint_id()
    store.show_life(one, LIFETIME)
    lives = store.lives([other, one, one])
    assert 0 < lives[one] <= LIFETIME
    assert lives[other] <= 0
    store.show_life(one, 1)
    assert lives.keys() == {one, other}
    assert store.lives([one])[one] <= 1


def test_a_ticket_is_taken_once(store: Store, session: str) -> None:
    store.keep_ticket(session, "ticket", "digest")
    assert store.find_ticket(session, "other") is None
    assert not store.take_ticket(session, "other")
    assert store.find_ticket(session, "ticket") == "digest"
    assert store.take_ticket(session, "ticket")
    assert not store.take_ticket(session, "ticket")
    assert store.find_ticket(session, "ticket") is None


def test_a_rate_counts_each_client_in_its_window(store: Store) -> None:
    client = mint_id()
    assert [store.count("test", client, 60_000)[0] for _ in range(3)] == [1, 2, 3]
    assert 0 < store.count("test", client, 60_000)[1] <= 60_000
    assert store.count("test", mint_id(), 60_000)[0] == 1


@pytest.mark.parametrize(
    "text", ["", "A" * 21, "A" * 23, "A" * 21 + "\n", "A" * 22 + "\n", "{" + "A" * 21, "é" * 22]
)
def test_t34_only_an_id_becomes_a_key(store: Store, text: str) -> None:
    """T34: no braces, stars or line breaks reach a key."""
    assert not is_session_id(text)
    assert store.load(text) == Missing(expired=False)
    with pytest.raises(ValueError, match="not a session id"):
        Keys.of(text)


@pytest.mark.parametrize("name", SCRIPTS)
def test_t35_scripts_are_fixed_and_draw_nothing_themselves(name: str) -> None:
    """T35: data come by ARGV; keys by KEYS; no clock where there are writes, no chance anywhere."""
    text = (files("splendor_api.sessions") / "scripts" / f"{name}.lua").read_text("utf-8")
    code = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    assert not re.search(
        r"loadstring|setmetatable|_G|random|os\.|\.\. *KEYS|'DEL'|KEYS'|SCAN", code
    )
    assert ("TIME'" in code) == (name == "load")
    assert text.startswith("-- ")
    assert all(word in text for word in ("-- KEYS:", "-- ARGV:", "-- Replies:"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_reads_before_it_writes(name: str) -> None:
    """A script has no roll-back: whatever may refuse comes before the first write."""
    text = (files("splendor_api.sessions") / "scripts" / f"{name}.lua").read_text("utf-8")
    writes = [m.start() for m in re.finditer(r"'(HSET|RPUSH|SET|UNLINK|PEXPIRE|PUBLISH)'", text)]
    reads = [m.start() for m in re.finditer(r"'(EXISTS|HGET|HMGET|LINDEX|ZSCORE|ZCARD)'", text)]
    if name in ("create", "commit", "delete"):
        assert writes
        assert max(reads) < min(writes)


def test_a_store_that_is_away_says_so() -> None:
    away = Store(opener("unix:///nowhere"))
    for ask in (away.ping, away.now_ms, away.facts, lambda: away.load(mint_id())):
        with pytest.raises(StoreUnavailable):
            ask()


def test_whatever_is_waited_for_is_a_write(admin_url: str, store: Store, session: str) -> None:
    """P8: a server that is asked to wait waits for what it wrote last, if that is anything.

    So all that is told after a wait follows a write, refusals too: who leads no more tells nothing.
    """
    once = step(answer_field="a", fingerprint="print")
    store.commit(session, once)
    waiting = Store(opener(admin_url), replicas=1)
    admin: Any = store.client
    for ask in (
        lambda: waiting.commit(session, once),
        lambda: waiting.commit(session, replace(once, new_commit="other")),
        lambda: waiting.commit(session, replace(once, fingerprint="other")),
        lambda: waiting.commit(session, step(new="other", access_number=1)),
        lambda: waiting.commit(session, step(new="other")),
        lambda: waiting.create(session, "print", "1.first {}", LIFETIME, FIELDS),
        lambda: waiting.create(session, "other", "1.first {}", LIFETIME, FIELDS),
        lambda: waiting.delete(session, 1, None),
        lambda: waiting.delete(session, 0, (1, "first")),
        lambda: waiting.confirm(session),
    ):
        before = admin.info("persistence")["rdb_changes_since_last_save"]
        with pytest.raises(StoreUnavailable, match="too few replicas"):
            ask()
        assert admin.info("persistence")["rdb_changes_since_last_save"] > before
    assert state_of(store, session)[0] == "2.second"


def test_a_tombstone_keeps_its_time(store: Store, session: str) -> None:
    """What is written to be waited for changes nothing."""
    admin: Any = store.client
    left = admin.pttl(Keys.of(session).tombstone)
    for _ in range(20):
        assert store.commit(session, step(commit="other")).word == "stale"
    assert left - 20_000 < admin.pttl(Keys.of(session).tombstone) <= left


def test_a_wait_goes_with_its_write_or_not_at_all(
    admin_url: str, store: Store, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P8: on another connection a server would wait for nothing, and say that replicas have it."""
    admin: Any = store.client

    def run_and_cut(client: Any, *arguments: Any) -> Any:
        reply = _evaluate(client, *arguments)
        admin.client_kill_filter(_id=client.client_id())
        return reply

    monkeypatch.setattr("splendor_api.sessions.store._evaluate", run_and_cut)
    with pytest.raises(StoreUnavailable) as raised:
        Store(opener(admin_url), replicas=1).commit(session, step())
    assert isinstance(raised.value.__cause__, ConnectionFailed)


def test_who_waits_at_a_replica_asks_again_who_leads(
    admin_url: str, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P8: a primary that was deposed between a write and the wait for it says so in a sentence."""
    waiting = Store(opener(admin_url), replicas=1)
    before = waiting.client

    def refuse(*_: Any) -> Any:
        raise ResponseError("WAIT cannot be used with replica instances. Please also note …")

    monkeypatch.setattr("splendor_api.sessions.store._once", refuse)
    with pytest.raises(StoreUnavailable):
        waiting.commit(session, step())
    assert waiting.client is not before
