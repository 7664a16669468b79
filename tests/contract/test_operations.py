"""The paths of the document are the routes of the service, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from splendor_api.http.headers import IMMUTABLE
from splendor_api.http.operations import Operation
from splendor_api.http.parameters import BEARER, HAS_LEFT, IF_MATCH, IF_NONE_MATCH
from splendor_api.http.table import OPERATIONS
from splendor_api.settings import Settings
from tests.contract.validation import contract

DOCUMENT = contract().data

NAMED = {
    "game": "splendor",
    "code": "not_found",
    "session": "s" * 22,
    "seat": 0,
    "file": "play.js",
    "language": "sq",
}
"""Something for each name in a path."""


def _documented() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield method.upper(), path, operation


DOCUMENTED = {(method, path): operation for method, path, operation in _documented()}


def _expected_statuses(operation: Operation) -> set[int]:
    """Return the statuses that follow from how an operation reads, and from what it refuses."""
    name, takes = operation.operation_id, operation.takes
    statuses = {_success(operation), 500} | (set() if operation.is_file else {406})
    if operation.keeps is not None or IF_NONE_MATCH in takes:
        statuses |= {304}
    if "{" in operation.path:
        statuses |= {404}
    if operation.reads is not None:
        statuses |= {400, 413, 415}
    if name in {
        "apply",
        "check",
        "list_legal_actions",
        "replay",
        "observe",
        "suggest",
        "picture",
        "explain",
    }:
        statuses |= {403, 422}
    if name == "audit":
        statuses |= {422}
    if name in {"get_readiness", "suggest"}:
        statuses |= {503}
    return statuses | (_expected_of_session(operation) if operation.is_private else set())


def _expected_of_session(operation: Operation) -> set[int]:
    """Return what an operation may be answered with that meets the store."""
    name, takes = operation.operation_id, operation.takes
    statuses = {400, 429, 503}
    if "{session}" in operation.path:
        statuses |= {403, 410}
    if name == "create_session":
        statuses |= {403}
    if BEARER in takes:
        statuses |= {401}
    if IF_MATCH in takes or name == "get_history":
        statuses |= {412}
    if name == "stream_events":
        statuses |= {204}
    if operation.method != "GET" and name not in {"delete_session", "create_stream_ticket"}:
        statuses |= {409}
    if name in {"create_session", "act", "undo", "resign_seat"}:
        statuses |= {422}
    return statuses | ({428} if name == "act" else set())


def _success(operation: Operation) -> int:
    return {"create_session": 201, "delete_session": 204}.get(operation.operation_id, 200)


def test_the_document_names_the_operations_of_the_service() -> None:
    served = {(each.method, each.path): each.operation_id for each in OPERATIONS}
    assert served == {place: each["operationId"] for place, each in DOCUMENTED.items()}


def test_the_routes_are_the_operations(app: Flask) -> None:
    routed = {
        (method, rule.rule.replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in {"HEAD", "OPTIONS"}
    }
    assert routed == set(DOCUMENTED)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.operation_id)
def test_an_operation_is_documented_as_it_works(operation: Operation) -> None:
    documented = DOCUMENTED[operation.method, operation.path]
    assert set(documented["responses"]) == set(map(str, _expected_statuses(operation)))
    assert ("requestBody" in documented) == (operation.reads is not None)
    success = documented["responses"][str(_success(operation))]
    if "content" in success:
        content = success["content"]
        assert tuple(content) == tuple(offer.partition(";")[0] for offer in operation.offers)
    names = {reference["$ref"].rpartition("/")[2] for reference in _references(documented)}
    knows = operation.keeps is not None or IF_NONE_MATCH in operation.takes
    assert ("IfNoneMatch" in names) == knows
    said = {(each["in"], each["name"]) for each in map(contract().resolve, _references(documented))}
    unsaid = (BEARER, HAS_LEFT)
    taken = {(each.place, each.field) for each in operation.takes if each not in unsaid}
    taken |= {("header", "Accept-Language")} if operation.speaks else set()
    assert said - {("header", "If-None-Match")} == taken - {("header", "If-None-Match")}
    caching = success["headers"]["Cache-Control"]["$ref"]
    plain = "Private" if operation.is_private else "NoStore"
    expected = {None: plain, IMMUTABLE: "Immutable"}.get(operation.keeps, "Revalidate")
    assert caching.endswith(f"/{expected}")
    assert (operation.guard is not None) == bool(documented.get("security"))


def _references(operation: dict[str, Any]) -> list[dict[str, str]]:
    return [each for each in operation.get("parameters", ()) if "$ref" in each]


def test_the_sizes_in_the_description_are_the_settings() -> None:
    said = DOCUMENT["info"]["description"]
    sizes = {
        "64 KiB": Settings().max_body_bytes,
        "1 MiB": Settings().max_replay_bytes,
        "4 MiB": Settings().max_batch_bytes,
    }
    for text, size in sizes.items():
        number, unit = text.split()
        assert size == int(number) * {"KiB": 1 << 10, "MiB": 1 << 20}[unit]
        assert text in said.replace("\n", " ")


@pytest.mark.parametrize("path", DOCUMENT["paths"])
def test_a_path_takes_no_other_method(client: FlaskClient, path: str) -> None:
    place = path.format(**NAMED)
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        if method.lower() not in DOCUMENT["paths"][path]:
            assert client.open(place, method=method).status_code == 405
    assert client.options(place).status_code == 204


def test_a_game_that_is_not_there_is_not_found(client: FlaskClient) -> None:
    for method, path in DOCUMENTED:
        if "{game}" in path:
            place = path.format(game="tarot", code="too_few_colors")
            assert client.open(place, method=method).status_code == 404
