"""A real service for whatever the documentation shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from splendor_api.settings import Settings
from tests.faults.service import serving


@pytest.fixture(scope="session")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a service with every default but port, folder and number of workers."""
    usual = Settings()
    folder = tmp_path_factory.mktemp("service")
    with serving(
        folder, WEB_CONCURRENCY="1", THREADS=str(usual.threads), LOG_LEVEL=usual.log_level
    ) as service:
        yield service.url
