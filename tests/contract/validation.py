"""Holds what goes over the wire against `openapi.yaml`: every answer, and every request taken.

`WatchedClient` is Flask's test client with that check built in; the fixture `client` is one. What
the document does not name fails: a path, a status, a media type, a member, a header not there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.contract import document
from splendor_api.wire import json_text
from tests.contract.schemas import Schemas

JSON = "application/json"
PROBLEM = "application/problem+json"
DEEPEST = 64  # levels of an answer: the document itself is the deepest

ANYWHERE = frozenset({400, 408, 431, 503})
"""Statuses that any request may meet, as the document's description says."""


class ContractError(AssertionError):
    """The service and its document do not agree."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer, as far as the document speaks of them."""

    method: str
    path: str
    media_type: str
    body: bytes
    status: int
    headers: dict[str, str]
    """Of the answer; names in lower case."""
    answer: bytes

    def __str__(self) -> str:
        return f"{self.method} {self.path} → {self.status}"


@dataclass(frozen=True, slots=True)
class _Path:
    """A path of the document, and what its names may be."""

    pattern: re.Pattern[str]
    template: str
    item: dict[str, Any]


class Contract:
    """The document, ready for use."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.schemas = Schemas(data)
        self._paths = [_path(template, item) for template, item in data["paths"].items()]

    def resolve(self, node: dict[str, Any]) -> dict[str, Any]:
        """Return what `node` refers to, or itself."""
        while "$ref" in node:
            steps = node["$ref"].removeprefix("#/").split("/")
            node = self.data
            for step in steps:
                node = node[step]
        return node

    def of_game(self, schema: dict[str, Any], game: str) -> dict[str, Any]:
        """Return of a schema that has a choice for each game that of `game`, else itself."""
        choices = self.resolve(schema).get("anyOf", ())
        name = schema.get("$ref", "").rpartition("/")[2]
        of_game = f"/{game.capitalize()}{name}"
        return next((each for each in choices if each["$ref"].endswith(of_game)), schema)

    def hold(self, exchange: Exchange) -> None:
        """Raise `ContractError` unless the exchange is as the document says."""
        faults = self._faults(exchange)
        if faults:
            raise ContractError(f"{exchange}:\n" + "\n".join(faults))

    def _faults(self, exchange: Exchange) -> list[str]:
        path = self._path_of(exchange.path)
        if exchange.status >= 500 and exchange.status != 503:
            return ["the service has failed"]
        if exchange.method == "OPTIONS" and path is not None:
            return self._faults_of_options(exchange, path)
        operation = None if path is None else path.item.get(_documented(exchange.method))
        if path is None or operation is None:
            return self._faults_anywhere(exchange, ANYWHERE | {404 if path is None else 405})
        faults = []
        if exchange.status < 300 or exchange.status == 422:
            faults += self._faults_of_request(exchange, path, operation)
        response = operation["responses"].get(str(exchange.status))
        if response is None:
            faults += self._faults_anywhere(exchange, ANYWHERE)
        else:
            game = _game_of(exchange, path)
            faults += self._faults_of_answer(exchange, self.resolve(response), game)
        return faults

    def _path_of(self, path: str) -> _Path | None:
        found = [each for each in self._paths if each.pattern.fullmatch(path)]
        return min(found, key=lambda each: each.template.count("{")) if found else None

    def _faults_of_request(
        self, exchange: Exchange, path: _Path, operation: dict[str, Any]
    ) -> list[str]:
        """Return what is wrong with a request that was taken."""
        faults = self._faults_of_names(exchange, path, operation)
        if "requestBody" not in operation:
            return faults
        content = operation["requestBody"]["content"]
        if _essence(exchange.media_type) not in content:
            return [*faults, f"a body of {exchange.media_type} was taken"]
        sent = json_text.read(exchange.body)
        schema = self.of_game(content[JSON]["schema"], _game_of(exchange, path))
        if not self.schemas.accept(schema, sent):
            faults.append(f"a body against the schema was taken: {sent!r}"[:2000])
        return faults

    def _faults_of_names(
        self, exchange: Exchange, path: _Path, operation: dict[str, Any]
    ) -> list[str]:
        """Return the names in the path that the document does not know."""
        match = path.pattern.fullmatch(exchange.path)
        assert match is not None
        declared = [*path.item.get("parameters", ()), *operation.get("parameters", ())]
        parameters = {each["name"]: each for each in map(self.resolve, declared)}
        return [
            f"{name}: {value!r} is not documented"
            for name, value in match.groupdict().items()
            if not self._is_text_of(parameters[name]["schema"], value)
        ]

    def _faults_of_answer(
        self, exchange: Exchange, response: dict[str, Any], game: str = ""
    ) -> list[str]:
        """Return what is wrong with an answer whose status is documented."""
        faults = self._faults_of_headers(exchange, response.get("headers", {}))
        content = response.get("content")
        media_type = exchange.headers.get("content-type", "")
        if content is None:
            return [*faults, *_faults_of_nothing(exchange)]
        described = content.get(_essence(media_type))
        if described is None:
            return [*faults, f"the media type {media_type!r} is not documented"]
        if exchange.method == "HEAD":
            return faults
        return [*faults, *self._faults_of_body(exchange, self.of_game(described["schema"], game))]

    def _faults_of_body(self, exchange: Exchange, schema: dict[str, Any]) -> list[str]:
        media_type = _essence(exchange.headers["content-type"])
        if media_type not in (JSON, PROBLEM):
            return [] if exchange.answer.decode() else ["the body is empty"]
        answered = json_text.read(exchange.answer, max_depth=DEEPEST)
        if _essence(exchange.headers["content-type"]) == PROBLEM:
            return [
                *self.schemas.faults(schema, answered),
                *_faults_of_problem(exchange, answered),
            ]
        return self.schemas.faults(schema, answered)

    def _faults_of_headers(self, exchange: Exchange, headers: dict[str, Any]) -> list[str]:
        faults = []
        for name, reference in headers.items():
            value, header = exchange.headers.get(name.lower()), self.resolve(reference)
            if value is None:
                faults += [f"the header {name} is missing"] if header["required"] else []
            elif not self._is_text_of(header["schema"], value):
                faults.append(f"the header {name} is not as documented: {value!r}")
        return faults

    def _is_text_of(self, schema: dict[str, Any], text: str) -> bool:
        """Return whether a text in a path or header stands for what the schema accepts."""
        if re.fullmatch(r"0|[1-9][0-9]*", text) and self.schemas.accept(schema, int(text)):
            return True
        return self.schemas.accept(schema, text)

    def _faults_anywhere(self, exchange: Exchange, statuses: frozenset[int]) -> list[str]:
        """Return what is wrong with a problem that no operation needs to name."""
        if exchange.status not in statuses:
            return [f"the status {exchange.status} is not documented"]
        name = "BadRequest" if exchange.status == 400 else "Problem"
        response = {
            "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}},
            "content": {PROBLEM: {"schema": {"$ref": f"#/components/schemas/{name}"}}},
        }
        faults = self._faults_of_answer(exchange, response)
        path = self._path_of(exchange.path)
        if exchange.status == 405 and path is not None:
            faults += _faults_of_allow(exchange, path)
        return faults

    def _faults_of_options(self, exchange: Exchange, path: _Path) -> list[str]:
        if exchange.status != 204:
            return [f"OPTIONS is answered with {exchange.status}"]
        return [*_faults_of_allow(exchange, path), *_faults_of_nothing(exchange)]


class WatchedClient(FlaskClient):
    """A test client that fails where the service and the document do not agree."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        """Make a request and hold it, and its answer, against the document."""
        response = super().open(*args, **kwargs)
        contract().hold(_exchange(response))
        return response


@cache
def contract() -> Contract:
    """Return the document in the tree."""
    return Contract(document.load())


def _exchange(response: TestResponse) -> Exchange:
    request = response.request
    sent = request.environ["wsgi.input"]
    return Exchange(
        method=request.method,
        path=request.path,
        media_type=request.environ.get("CONTENT_TYPE", ""),
        body=sent.getvalue() if response.status_code in (200, 201, 422) else b"",
        status=response.status_code,
        headers={name.lower(): value for name, value in response.headers},
        answer=response.get_data(),
    )


def _path(template: str, item: dict[str, Any]) -> _Path:
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
    return _Path(re.compile(pattern), template, item)


def _game_of(exchange: Exchange, path: _Path) -> str:
    """Return the game that the address names, nothing if it names none."""
    match = path.pattern.fullmatch(exchange.path)
    assert match is not None
    return match.groupdict().get("game", "")


def _documented(method: str) -> str:
    """Return the method as the document has it: HEAD is answered as GET."""
    return "get" if method == "HEAD" else method.lower()


def _essence(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()


def _faults_of_nothing(exchange: Exchange) -> list[str]:
    faults = ["there is a body"] if exchange.answer else []
    return [*faults, "there is a media type"] if "content-type" in exchange.headers else faults


def _faults_of_problem(exchange: Exchange, problem: Any) -> list[str]:
    """Return where a problem document and its answer tell different things (RFC 9457)."""
    told = {
        "status": exchange.status,
        "type": f"/problems/{problem.get('code')}",
        "instance": f"urn:request:{exchange.headers['x-request-id']}",
    }
    return [
        f"/{name}: {problem.get(name)!r} is not {value!r}"
        for name, value in told.items()
        if problem.get(name) != value
    ]


def _faults_of_allow(exchange: Exchange, path: _Path) -> list[str]:
    methods = {method.upper() for method in path.item if method != "parameters"}
    methods |= {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())
    allow = exchange.headers.get("allow", "")
    if set(allow.split(", ")) == methods:
        return []
    return [f"Allow is {allow!r}, documented are {sorted(methods)}"]
