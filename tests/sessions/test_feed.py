"""What wakes those who wait, over a real Redis."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import pytest

from splendor_api.sessions.connection import opener
from splendor_api.sessions.feed import Feed
from splendor_api.sessions.store import Keys, Store
from splendor_api.sessions.tokens import mint_id

PATIENCE = 10.0  # seconds; only a broken feed takes as long


@pytest.fixture
def own(redis_url: str) -> Store:
    """Return a store whose client may be let go of."""
    return Store(opener(redis_url))


@pytest.fixture
def feed(own: Store) -> Iterator[Feed]:
    made = Feed(own)
    yield made
    made.close()


def publish(store: Store, session: str) -> None:
    client: Any = store.client
    client.publish(Keys.of(session).channel, "2.commit")


def test_a_watch_is_woken_by_its_session_alone(store: Store, feed: Feed) -> None:
    one, other = mint_id(), mint_id()
    with feed.watch(one) as mine, feed.watch(other) as theirs:
        assert mine.wait(PATIENCE) == "", "woken once its channel is listened to"
        assert theirs.wait(PATIENCE) == ""
        publish(store, one)
        assert mine.wait(PATIENCE) == "2.commit"
        assert theirs.wait(0) is None
        assert mine.wait(0) is None


def test_who_waits_is_woken_by_another_client_too(store: Store, own: Store, feed: Feed) -> None:
    """After a failover the store has let go of its client, and another is listened through."""
    session = mint_id()
    with feed.watch(session) as watch:
        assert watch.wait(PATIENCE) == ""
        own.forget()
        assert watch.wait(PATIENCE) == "", "woken as soon as the channel is listened to again"
        publish(store, session)
        assert watch.wait(PATIENCE) == "2.commit"


def test_a_connection_that_is_closed_is_made_again(store: Store, own: Store, feed: Feed) -> None:
    session = mint_id()
    with feed.watch(session) as watch:
        assert watch.wait(PATIENCE) == ""
        for _ in range(5):
            own.client.close()
            assert watch.wait(PATIENCE) == "", "woken as soon as the channel is listened to again"
        publish(store, session)
        while (heard := watch.wait(PATIENCE)) == "":
            pass
        assert heard == "2.commit"


def test_a_closed_feed_lets_everybody_go(feed: Feed) -> None:
    with feed.watch(mint_id()) as watch, ThreadPoolExecutor(1) as pool:
        watch.wait(PATIENCE)
        waiting = pool.submit(watch.wait, PATIENCE)
        feed.close()
        assert waiting.result(PATIENCE) == ""
        assert feed.is_closed


def test_until_asks_again_when_it_is_woken(store: Store, feed: Feed) -> None:
    session, asked = mint_id(), []

    def ask() -> int:
        asked.append(1)
        if len(asked) == 3:
            publish(store, session)
        return len(asked)

    answer = feed.until(
        session, PATIENCE, ask, lambda answer: None if answer == 5 else PATIENCE / 20
    )
    assert answer == 5


def test_until_ends_with_its_time(feed: Feed) -> None:
    began = monotonic()
    assert feed.until(mint_id(), 0.2, lambda: "same", lambda _: PATIENCE) == "same"
    assert 0.2 <= monotonic() - began < PATIENCE


def test_until_answers_news_at_once(feed: Feed) -> None:
    began = monotonic()
    assert feed.until(mint_id(), PATIENCE, lambda: "news", lambda _: None) == "news"
    assert monotonic() - began < PATIENCE / 2
