"""From a URL to a client: one server, a Sentinel's primary, or a cluster; and how long it tries."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest
from redis.exceptions import ConnectionError as Refused

from splendor_api.sessions.connection import PATIENCE, RETRIES, BriefRetry, opener
from splendor_api.sessions.store import Store, StoreUnavailable


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:1/0",
        "redis://user:secret@127.0.0.1:1",
        "rediss://127.0.0.1:1",
        "unix:///nowhere?db=1",
        "redis+sentinel://127.0.0.1:1,127.0.0.1:2/primary",
        "rediss+sentinel://user:s%40cret@127.0.0.1/primary?db=2",
        "redis+cluster://127.0.0.1:1,[::1]:2",
    ],
)
def test_a_store_that_cannot_be_reached_is_away(url: str) -> None:
    """Whatever kind it is, and within little more than a second."""
    store = Store(opener(url))
    began = monotonic()
    with pytest.raises(StoreUnavailable):
        store.ping()
    assert monotonic() - began < 4 * PATIENCE


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://127.0.0.1",
        "redis+sentinel://127.0.0.1",
        "redis+sentinel://127.0.0.1/",
        "redis+cluster://127.0.0.1/0",
        "redis+cluster://127.0.0.1?db=1",
        "redis+sentinel://127.0.0.1/primary?timeout=1",
        "redis+sentinel://127.0.0.1/primary?db=x",
        "redis+cluster://",
        "redis+cluster://127.0.0.1,",
        "redis+cluster://127.0.0.1:x",
        "redis://127.0.0.1:x",
    ],
)
def test_what_is_no_url_of_a_store_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        opener(url)


def test_a_call_is_tried_a_few_times() -> None:
    """P17: each time under the ids of the same request, so the second is known for what it is."""
    tries: list[int] = []

    def do() -> Any:
        tries.append(1)
        raise Refused

    began = monotonic()
    with pytest.raises(Refused):
        BriefRetry().call_with_retry(do, lambda _: None)
    assert len(tries) == RETRIES + 1
    assert monotonic() - began < PATIENCE


def test_a_retry_within_a_retry_is_left_to_the_outer_one() -> None:
    retry, tries = BriefRetry(), []

    def inner() -> Any:
        tries.append(1)
        raise Refused

    with pytest.raises(Refused):
        retry.call_with_retry(lambda: retry.call_with_retry(inner, lambda _: None), lambda _: None)
    assert len(tries) == RETRIES + 1


def test_a_call_that_succeeds_is_tried_no_more() -> None:
    answers = iter([Refused(), "answer"])

    def do() -> Any:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert BriefRetry().call_with_retry(do, lambda _: None) == "answer"
