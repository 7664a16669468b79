"""What every test may use: the service as an application, and profiles for drawn tests."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from splendor_api.app import create_app
from splendor_api.settings import Settings
from tests.contract.validation import WatchedClient
from tests.strategies import profiles

profiles.register()


@pytest.fixture(scope="session")
def app() -> Flask:
    """Return the service as it is; its test clients hold every answer against the document."""
    service = create_app(Settings())
    service.test_client_class = WatchedClient
    return service


@pytest.fixture(scope="session")
def client(app: Flask) -> FlaskClient:
    """Return a client of the service that fails where it and its document do not agree."""
    return app.test_client()
