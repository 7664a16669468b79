"""The service over a game of the tests' own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.settings import Settings
from splendor_api.wire import json_text
from tests.http.nim import NIM

Post = Callable[..., TestResponse]

LARGEST_PROBLEM = 16 * 1024


@pytest.fixture(scope="session")
def nim(settings: Settings) -> FlaskClient:
    """Return a client of a service that knows nothing but Nim."""
    return create_app(settings, {"nim": NIM}).test_client()


@pytest.fixture(scope="session")
def call(nim: FlaskClient) -> Post:
    """Return a function that makes a call of Nim: its name, its body, headers."""

    def post(name: str, body: object, **others: Any) -> TestResponse:
        return nim.post(
            f"/v1/games/nim/{name}",
            data=json_text.write(body),
            content_type="application/json",
            **others,
        )

    return post


@pytest.fixture
def state(call: Post) -> dict[str, Any]:
    """Return a fresh state of Nim for two."""
    answered: dict[str, Any] = call("deal", {"seats": 2, "seed": "abc"}).get_json()
    dealt: dict[str, Any] = answered["state"]
    return dealt


def problem_of(response: TestResponse, status: int, code: str) -> dict[str, Any]:
    """Return the problem in an answer, which must be one in every respect (RFC 9457)."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    assert len(response.data) <= LARGEST_PROBLEM
    document = json_text.read(response.data)
    assert isinstance(document, dict)
    assert document["status"] == status
    assert document["code"] == code
    assert document["type"] == f"/problems/{code}"
    assert document["instance"] == f"urn:request:{response.headers['X-Request-Id']}"
    assert isinstance(document["title"], str)
    assert isinstance(document["detail"], str)
    assert b"Traceback" not in response.data
    return document
