"""What every test may use: the service as an application, and profiles for drawn tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis

from splendor_api.app import create_app
from splendor_api.launch.embedded_redis import running
from splendor_api.settings import Secret, Settings
from tests.contract.validation import WatchedClient
from tests.deploy.rights import rights
from tests.faults.history import Verdict
from tests.strategies import profiles

profiles.register()

FIGURES = pytest.StashKey[list[str]]()

Figure = Callable[[str], None]
Tell = Callable[[str, Verdict], None]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = []


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print what tests have measured, if any has."""
    if config.stash[FIGURES]:
        terminalreporter.section("figures")
        for line in config.stash[FIGURES]:
            terminalreporter.write_line(line)


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Figure:
    """Return what takes a line to be printed at the end."""
    return request.config.stash[FIGURES].append


@pytest.fixture
def tell(figure: Figure) -> Tell:
    """Return what takes a fault, with how often it was made, and what the checker found."""

    def told(fault: str, verdict: Verdict) -> None:
        figure(
            f"{fault}: {verdict.acknowledged:,} actions acknowledged, "
            f"{verdict.lost} lost, {verdict.twice} applied twice"
        )

    return told


@pytest.fixture(scope="session")
def admin_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a Redis server of the tests' own, as the service does; return the URL for who may do all
    to it.
    """
    with running(tmp_path_factory.mktemp("store")) as redis:
        assert redis is not None, "there is no redis-server: `make install` brings one"
        yield redis.url


@pytest.fixture(scope="session")
def redis_url(admin_url: str) -> str:
    """Return the URL for a service, which may do what deploy/redis/users.acl allows."""
    with Redis.from_url(admin_url) as admin:
        admin.execute_command("ACL", "SETUSER", "service", "on", ">secret", *rights())
    return admin_url.replace("://", "://service:secret@")


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
