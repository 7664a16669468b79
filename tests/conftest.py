"""What every test may use: the service as an application, and profiles for drawn tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from splendor_api.app import create_app
from splendor_api.launch.embedded_redis import running
from splendor_api.settings import Secret, Settings
from tests.contract.validation import WatchedClient
from tests.strategies import profiles

profiles.register()


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a Redis server of the tests' own, as the service does, and return its URL."""
    with running(tmp_path_factory.mktemp("store")) as redis:
        assert redis is not None, "there is no redis-server: `make install` brings one"
        yield redis.url


@pytest.fixture(scope="session")
def settings(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return settings with a store, and a folder for what the service keeps."""
    folder = tmp_path_factory.mktemp("data")
    return Settings(redis_url=Secret(redis_url), data_dir=folder)


@pytest.fixture(scope="session")
def app(settings: Settings) -> Flask:
    """Return the service as it is; its test clients hold every answer against the document."""
    service = create_app(settings)
    service.test_client_class = WatchedClient
    return service


@pytest.fixture(scope="session")
def client(app: Flask) -> FlaskClient:
    """Return a client of the service that fails where it and its document do not agree."""
    return app.test_client()
