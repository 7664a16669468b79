"""The way from a request to its answer: methods, media types, ids, bugs."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Barrier, Event
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.http import health
from splendor_api.http.limits import Places
from splendor_api.http.operations import Answer, Operation, Service
from splendor_api.http.shell import bind
from splendor_api.http.table import OPERATIONS
from splendor_api.settings import Settings
from splendor_api.wire.bodies import session_creation
from tests.http.conftest import Post, problem_of
from tests.http.nim import NIM

State = dict[str, Any]

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "XYZ"}

CROWD = 8
PATIENCE = 10.0  # seconds; only what is broken takes as long

NAMES = {"game": "nim", "code": "too_many", "session": "s" * 22, "seat": "0", "language": "sq"}
OTHERS = {
    "get_problem": {"code": "not_found"},
    "get_docs_file": {"file": "docs.css"},
    "get_site_file": {"file": "base.css"},
    "get_site_game": {"file": "splendor.js"},
}
"""Names in the paths of operations that are not of a game."""

POSTS = [each for each in OPERATIONS if each.method == "POST" and each.reads and not each.guard]
GETS = [each for each in OPERATIONS if each.method == "GET" and not each.is_private]


def _path(operation: Operation) -> str:
    return operation.path.format_map(NAMES | OTHERS.get(operation.operation_id, {}))


def _allowed(operation: Operation) -> str:
    """Return the methods of an operation's path, as `Allow` lists them."""
    methods = {"OPTIONS"} | {each.method for each in OPERATIONS if each.path == operation.path}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def _of(operation: Operation) -> str:
    return operation.operation_id


def test_ids_of_operations_are_names_of_their_own() -> None:
    ids = [operation.operation_id for operation in OPERATIONS]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in ids)


@pytest.mark.parametrize("operation", GETS, ids=_of)
def test_everything_to_be_read_can_be_read(nim: FlaskClient, operation: Operation) -> None:
    response = nim.get(_path(operation))
    assert response.status_code == 200
    assert response.data
    _is_guarded(response)


@pytest.mark.parametrize("operation", GETS, ids=_of)
def test_head_is_get_without_the_body(nim: FlaskClient, operation: Operation) -> None:
    response = nim.head(_path(operation))
    assert response.status_code == 200
    assert response.data == b""
    assert int(response.headers["Content-Length"]) > 0


@pytest.mark.parametrize("operation", OPERATIONS, ids=_of)
def test_options_names_the_methods(nim: FlaskClient, operation: Operation) -> None:
    response = nim.options(_path(operation))
    assert response.status_code == 204
    assert response.data == b""
    assert "Content-Length" not in response.headers
    assert response.headers["Allow"] == _allowed(operation)


@pytest.mark.parametrize("operation", OPERATIONS, ids=_of)
def test_a_wrong_method_is_answered_with_the_right_ones(
    nim: FlaskClient, operation: Operation
) -> None:
    allowed = _allowed(operation)
    for method in METHODS - set(allowed.split(", ")):
        response = nim.open(_path(operation), method=method)
        assert response.status_code == 405
        assert response.headers["Allow"] == allowed
        if method != "HEAD":
            problem_of(response, 405, "method_not_allowed")


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/v1",
        "/v1/games/",
        "//v1/games",
        "/v1//games",
        "/v1/games/nim/deal/",
        "/V1/games",
        "/v1/games/whist",
        "/v1/games/%00",
        "/v1/games/%ff",
        "/static/x",
        "/problems/nope",
        "/problems/violations/nim/nope",
        "/rules/whist",
        "/%E2%80%AE",
        "/*",
    ],
)
def test_an_unknown_address_is_not_found_whatever_the_method(nim: FlaskClient, path: str) -> None:
    problem_of(nim.get(path), 404, "not_found")


@pytest.mark.parametrize("operation", OPERATIONS, ids=_of)
def test_an_address_has_one_spelling(nim: FlaskClient, operation: Operation) -> None:
    """A server hands on whatever slashes a request begins with."""
    for slashes, method in product(("//", "///", "//x//"), (operation.method, "OPTIONS", "PUT")):
        environ = {"PATH_INFO": slashes + _path(operation).removeprefix("/")}
        answered = nim.open("/", method=method, environ_overrides=environ)
        problem_of(answered, 404, "not_found")


@pytest.mark.parametrize("operation", POSTS, ids=_of)
@pytest.mark.parametrize("query", ["detail=turns", "seat_key=x", "x", "%ff"])
def test_t13_a_query_that_would_have_no_effect_is_refused(
    nim: FlaskClient, operation: Operation, query: str
) -> None:
    answered = nim.post(f"{_path(operation)}?{query}", json={})
    assert "query" in problem_of(answered, 400, "invalid_request")["detail"]


def test_an_unknown_game_is_not_found_before_the_body_is_looked_at(nim: FlaskClient) -> None:
    problem_of(nim.post("/v1/games/whist/apply", data=b"{"), 404, "not_found")


@pytest.mark.parametrize(
    "accept", ["application/json", "*/*", "application/*", "text/html, */*;q=0.1", None]
)
def test_json_is_answered_where_it_is_acceptable(nim: FlaskClient, accept: str | None) -> None:
    response = nim.get("/v1/games", headers={} if accept is None else {"Accept": accept})
    assert response.content_type == "application/json"


@pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "image/*", "nonsense"])
@pytest.mark.parametrize("path", ["/v1/games", "/healthz", "/openapi.yaml"])
def test_what_cannot_be_accepted_is_not_sent(nim: FlaskClient, path: str, accept: str) -> None:
    problem_of(nim.get(path, headers={"Accept": accept}), 406, "not_acceptable")


def test_a_problem_is_sent_whatever_is_acceptable(call: Post) -> None:
    problem_of(call("deal", {}, headers={"Accept": "*/*;q=0.1"}), 400, "invalid_request")
    problem_of(call("deal", {}, headers={"Accept": "text/html"}), 406, "not_acceptable")


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        'application/json ; charset="utf-8"',
    ],
)
def test_json_in_utf_8_is_read(nim: FlaskClient, content_type: str) -> None:
    response = nim.post("/v1/games/nim/deal", data=b'{"seats":1}', content_type=content_type)
    assert response.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/json; charset=utf-8; charset=utf-8"},
        {"Content-Type": "application/json; profile=x"},
        {"Content-Type": "application/json,application/json"},
        {"Content-Type": "application/merge-patch+json"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": ""},
        {},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {"Content-Type": "application/json", "Content-Encoding": "identity, gzip"},
    ],
)
@pytest.mark.parametrize("operation", POSTS, ids=_of)
def test_other_bodies_are_not_read(
    nim: FlaskClient, operation: Operation, headers: dict[str, str]
) -> None:
    response = nim.post(_path(operation), data=b'{"seats":1}', headers=headers)
    problem_of(response, 415, "unsupported_media_type")


def test_the_coding_identity_is_none(nim: FlaskClient) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "Identity"}
    response = nim.post("/v1/games/nim/deal", data=b'{"seats":1}', headers=headers)
    assert response.status_code == 200


def test_a_request_id_of_the_caller_is_kept(nim: FlaskClient) -> None:
    response = nim.get("/nope", headers={"X-Request-Id": "a.B_c~1-" * 16})
    assert response.headers["X-Request-Id"] == "a.B_c~1-" * 16
    problem_of(response, 404, "not_found")


HOSTILE = ["", " ", "a b", "a\tb", "é", "a" * 129, "a" * 10_000, "<script>", "a,b", "'", "\x7f"]


@pytest.mark.parametrize("given", HOSTILE)
def test_any_other_request_id_is_replaced(nim: FlaskClient, given: str) -> None:
    response = nim.get("/healthz", headers={"X-Request-Id": given})
    assert re.fullmatch(r"[0-9a-f]{32}", response.headers["X-Request-Id"])


@pytest.mark.parametrize("bad", ["a\r\nSet-Cookie: x=y", "a\nb", "a\0b", "a\rb", *HOSTILE])
@pytest.mark.parametrize(
    "name",
    [
        "X_REQUEST_ID",
        "ACCEPT",
        "ACCEPT_LANGUAGE",
        "ORIGIN",
        "IF_NONE_MATCH",
        "CONTENT_ENCODING",
        "IF_MATCH",
        "IDEMPOTENCY_KEY",
        "LAST_EVENT_ID",
        "AUTHORIZATION",
        "UPGRADE",
        "EXPECT",
    ],
)
def test_no_header_breaks_anything_or_comes_back(nim: FlaskClient, name: str, bad: str) -> None:
    environ = {f"HTTP_{name}": bad, "CONTENT_TYPE": "application/json"}
    for method, path in (("GET", "/problems"), ("POST", "/v1/games/nim/deal")):
        response = nim.open(path, method=method, environ_overrides=environ)
        assert response.status_code < 500
        sent = [value for field in response.headers.items() for value in field]
        assert not any(re.search(r"[\r\n\0]", value) for value in sent)
        assert "Set-Cookie" not in response.headers
        if len(bad) > 8:
            assert bad not in sent


def test_a_request_without_a_host_is_not_http(nim: FlaskClient) -> None:
    status, body = _without_host(nim, "HTTP/1.1")
    assert status == "400 Bad Request"
    assert b'"invalid_request"' in body
    assert _without_host(nim, "HTTP/1.0") == ("200 OK", b'{"status":"ok"}')


def _without_host(client: FlaskClient, protocol: str) -> tuple[str, bytes]:
    """Return status and body of a request that only a WSGI server can make."""
    said: list[str] = []
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/healthz",
        "QUERY_STRING": "",
        "SERVER_NAME": "x",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": protocol,
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": io.StringIO(),
    }

    def start(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[..., None]:
        said.append(status)
        return said.clear

    body = b"".join(client.application.wsgi_app(environ, start))
    return said[0], body


@pytest.mark.parametrize("host", ["a b", "a/b", "[::1", "", "a:b:c", "é", "x" * 300])
def test_an_odd_host_is_no_failure(nim: FlaskClient, host: str) -> None:
    response = nim.get("/v1/games", environ_overrides={"HTTP_HOST": host})
    assert response.status_code in (200, 400)
    assert host == "" or len(host) > 250 or host not in str(response.headers)


def test_a_bug_is_answered_without_a_word_of_it_and_logged(
    call: Post, state: State, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "splendor_api"):
        response = call("apply", {"state": state, "action": {"type": "crash"}})
    document = problem_of(response, 500, "internal_error")
    assert "canary" not in response.text
    assert "violations" not in document
    failures = [record for record in caplog.records if record.msg == "failure"]
    assert [record.__dict__["fields"] for record in failures] == [
        {"request_id": response.headers["X-Request-Id"], "operation": "apply"}
    ]


def test_a_bug_of_the_shell_itself_is_answered_too(nim: FlaskClient) -> None:
    def unwritable(_: Service) -> Answer:
        return Answer(200, {"value": object()})

    app = create_app(Settings(), {"nim": NIM})
    service = Service({}, Settings(), str, session_creation({}, 3600), Places(1))
    bind(app, [Operation("GET", "/odd", "odd", unwritable)], service)
    problem_of(app.test_client().get("/odd"), 500, "internal_error")


def test_requests_are_logged_by_listed_fields(
    call: Post, state: State, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "splendor_api"):
        response = call("apply", {"state": state, "action": {"type": "take", "count": 9}})
    (record,) = (each for each in caplog.records if each.msg == "request")
    fields = record.__dict__["fields"]
    assert fields.pop("duration_ms") >= 0
    assert fields.pop("bytes_in") > 0
    assert fields == {
        "request_id": response.headers["X-Request-Id"],
        "method": "POST",
        "route": "/v1/games/{game}/apply",
        "operation": "apply",
        "status": 422,
        "bytes_out": len(response.data),
        "game": "nim",
        "code": "illegal_action",
    }


def test_requests_and_violations_are_counted(nim: FlaskClient, call: Post, state: State) -> None:
    line = 'splendor_violations_total{code="too_many",game="nim"} '
    before = _count(nim, line)
    call("apply", {"state": state, "action": {"type": "take", "count": 9}})
    call("check", {"state": state, "action": {"type": "take", "count": 9}})
    assert _count(nim, line) == before + 2


def _count(client: FlaskClient, line: str) -> float:
    counts = client.get("/metrics").text
    found = re.search(f"^{re.escape(line)}(.*)$", counts, re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize("path", ["/v1/games/nim/components", "/openapi.json", "/rules/nim", "/"])
def test_what_the_caller_has_is_not_sent_again(nim: FlaskClient, path: str) -> None:
    first = nim.get(path)
    tag = first.headers["ETag"]
    assert re.fullmatch(r'"[A-Za-z0-9_-]{22}"', tag)
    for given in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = nim.get(path, headers={"If-None-Match": given})
        assert again.status_code == 304
        assert again.data == b""
        assert again.headers["ETag"] == tag
        assert "Content-Type" not in again.headers
    for given in ("", '"x"', tag.strip('"'), "x" * 8_000):
        assert nim.get(path, headers={"If-None-Match": given}).status_code == 200


def test_components_are_kept_for_a_year_and_the_rest_is_asked_after(nim: FlaskClient) -> None:
    kept = nim.get("/v1/games/nim/components").headers["Cache-Control"]
    assert kept == "public, max-age=31536000, immutable"
    assert nim.get("/v1/games").headers["Cache-Control"] == "no-cache"
    assert nim.get("/healthz").headers["Cache-Control"] == "no-store"
    assert nim.get("/nope").headers["Cache-Control"] == "no-store"


def test_the_tag_of_a_page_is_not_that_of_its_data(nim: FlaskClient) -> None:
    data = nim.get("/rules/nim", headers={"Accept": "application/json"})
    page = nim.get("/rules/nim", headers={"Accept": "text/html"})
    assert data.headers["ETag"] != page.headers["ETag"]
    assert data.headers["Vary"] == page.headers["Vary"] == "Accept"


def test_what_stays_the_same_is_made_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask for it at the same moment: to make it may take long."""
    made, all_there = [], Barrier(CROWD + 1)
    read = health._json_of

    def slowly(contract: str) -> bytes:
        made.append(contract)
        Event().wait(0.2)  # in which all others have come
        return read(contract)

    monkeypatch.setattr(health, "_json_of", slowly)
    client = create_app(settings, {"nim": NIM}).test_client()

    def ask() -> int:
        all_there.wait(PATIENCE)
        return client.get("/openapi.json").status_code

    with ThreadPoolExecutor(CROWD) as pool:
        asking = [pool.submit(ask) for _ in range(CROWD)]
        all_there.wait(PATIENCE)
        assert {each.result() for each in asking} == {200}
    assert len(made) == 1


def test_a_problem_is_never_kept(nim: FlaskClient) -> None:
    for _ in range(2):
        response = nim.get("/problems/nope")
        problem_of(response, 404, "not_found")
        assert "ETag" not in response.headers


def test_a_foreign_page_may_ask_and_read(nim: FlaskClient) -> None:
    origin = {"Origin": "https://app.example"}
    response = nim.get("/v1/games", headers=origin)
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in response.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in response.headers
    preflight = nim.options(
        "/v1/games/nim/apply", headers={**origin, "Access-Control-Request-Method": "POST"}
    )
    assert preflight.headers["Access-Control-Allow-Methods"] == "OPTIONS, POST"
    assert "Content-Type" in preflight.headers["Access-Control-Allow-Headers"]
    assert int(preflight.headers["Access-Control-Max-Age"]) > 0


def test_only_listed_origins_may_ask() -> None:
    origins = ("https://app.example", "https://b.example")
    listed = create_app(Settings(cors_origins=origins), {"nim": NIM}).test_client()
    for path in ("/v1/games", "/healthz", "/nope"):
        for origin in origins:
            allowed = listed.get(path, headers={"Origin": origin})
            assert allowed.headers["Access-Control-Allow-Origin"] == origin
            assert "Origin" in allowed.headers["Vary"]
        for origin in ("https://evil.example", "null", "https://app.example.evil", ""):
            refused = listed.get(path, headers={"Origin": origin})
            assert "Access-Control-Allow-Origin" not in refused.headers
            assert "Origin" in refused.headers["Vary"]


def _is_guarded(response: TestResponse) -> None:
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Request-Id"]
    names = [name.lower() for name, _ in response.headers]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("path", ["/nope", "/v1/games/nim/apply", "/v1/games/whist"])
def test_problems_are_guarded_as_well(nim: FlaskClient, path: str) -> None:
    _is_guarded(nim.get(path))
    _is_guarded(nim.options(path))
