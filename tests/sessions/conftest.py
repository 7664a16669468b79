"""A store of the tests' own, on a real Redis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import Store


@pytest.fixture(scope="session")
def store(redis_url: str) -> Iterator[Store]:
    """Return a store that the service could have."""
    made = Store(opener(redis_url))
    yield made
    made.client.close()
