"""The service at a real address, for generated clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.contract.serving import served


@pytest.fixture(scope="session")
def address(app: Flask) -> Iterator[str]:
    """Return the address of the service as it is."""
    with served(app) as place:
        yield place
