"""A store of the tests' own, on a real Redis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import Store


@pytest.fixture(scope="session")
def store(admin_url: str) -> Iterator[Store]:
    """Return a store that the service could have."""
    made = Store(opener(admin_url))
    yield made
    made.client.close()
