"""Flask without what nobody here uses: what is left out is refused, not passed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Response
from werkzeug.test import Client, EnvironBuilder

from splendor_api.http.application import Application


@pytest.fixture
def app() -> Application:
    """Return an application with one view, of one path."""
    made = Application("splendor_api")

    def here(environ: dict[str, Any], name: str) -> Response:
        return Response(f"{name} {environ['PATH_INFO']}")

    made.add_view("/here/<name>", "here", here, "GET")
    return made


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "elsewhere.example", "not a host"])
def test_a_path_is_found_whatever_host_is_named(app: Application, host: str) -> None:
    answer = app.test_client().get("/here/you", headers={"Host": host})
    assert (answer.status_code, answer.text) == (200, "you /here/you")
    assert app.test_client().get("/there", headers={"Host": host}).status_code == 404


def test_an_address_without_a_path_is_the_root_and_no_redirect() -> None:
    made = Application("splendor_api")
    made.add_view("/", "root", lambda environ: Response(environ["PATH_INFO"]), "GET")
    for method, status in (("GET", 200), ("HEAD", 200), ("POST", 405), ("OPTIONS", 405)):
        environ = EnvironBuilder(method=method).get_environ() | {"PATH_INFO": ""}
        answer = Client(made).open(environ)
        assert answer.status_code == status
        assert "Location" not in answer.headers


def test_nobody_has_a_session(app: Application) -> None:
    answer = app.test_client().get("/here/you", headers={"Cookie": "session=x"})
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "hook", ["before_request", "after_request", "teardown_request", "teardown_appcontext"]
)
def test_a_hook_that_would_not_run_is_refused(app: Application, hook: str) -> None:
    add: Callable[[Callable[..., Any]], Any] = getattr(app, hook)
    with pytest.raises(TypeError, match="no hooks"):
        add(lambda *_: None)


def test_outside_a_request_there_is_no_address_to_match(app: Application) -> None:
    assert app.create_url_adapter(None) is None
