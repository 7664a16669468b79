"""The document is sound, and whole: every operation, status and problem has its example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from splendor_api import __version__
from splendor_api.contract import document
from splendor_api.games.registry import GAMES
from splendor_api.http.problems import PROBLEMS
from splendor_api.wire.faults import FAULT_CODES
from tests.contract.schemas import Schema
from tests.contract.validation import PROBLEM, contract

CONTRACT = contract()
DOCUMENT = CONTRACT.data
SCHEMAS: dict[str, Schema] = DOCUMENT["components"]["schemas"]

WITHOUT_EXAMPLE = {"method_not_allowed", "request_timeout", "headers_too_large"}
"""Problems that belong to no operation: any request may meet them."""

FILES = {"get_docs_file", "get_site_file", "get_site_game", "get_site_words"}
"""Operations that answer with files, which show nothing of the contract."""


def _operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for item in DOCUMENT["paths"].values():
        for method, operation in item.items():
            if method != "parameters":
                yield operation["operationId"], operation


OPERATIONS = dict(_operations())


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in the document below `node`."""
    if isinstance(node, dict):
        yield node
        for member in node.values():
            yield from _nodes(member)
    elif isinstance(node, list):
        for item in node:
            yield from _nodes(item)


def test_the_validator_finds_nothing() -> None:
    validate(DOCUMENT, cls=OpenAPIV31SpecValidator)


def test_the_package_holds_the_document() -> None:
    assert document.PATH.name == "openapi.yaml"
    assert document.text().endswith("\n")
    assert document.load()["info"]["version"] == __version__


def test_every_line_can_be_read() -> None:
    lines = document.text().splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    # What stands in examples is what the service says, however long a sentence is.
    head = lines[: lines.index("  examples:")]
    assert [line for line in head if len(line) > 100] == []


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_explains_itself(name: str) -> None:
    operation = OPERATIONS[name]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    assert operation["summary"]
    assert len(operation["tags"]) == 1


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_has_an_example_of_every_body(name: str) -> None:
    operation = OPERATIONS[name]
    bodies = [CONTRACT.resolve(each) for each in operation["responses"].values()]
    if "requestBody" in operation:
        bodies.append(operation["requestBody"])
    for body in bodies:
        contents = [
            content
            for media_type, content in body.get("content", {}).items()
            if media_type != "text/html" and name not in FILES
        ]
        assert all(content["examples"] for content in contents)


def test_every_example_fits_its_schema() -> None:
    seen = 0
    for operation in OPERATIONS.values():
        requests = operation.get("requestBody", {}).get("content", {}).values()
        for content in requests:
            for example in content["examples"].values():
                value = CONTRACT.resolve(example)["value"]
                assert CONTRACT.schemas.accept(content["schema"], value)
                seen += 1
        for response in operation["responses"].values():
            for content in CONTRACT.resolve(response).get("content", {}).values():
                for example in content.get("examples", {}).values():
                    value = CONTRACT.resolve(example)["value"]
                    assert CONTRACT.schemas.faults(content["schema"], value) == []
                    seen += 1
    assert seen > len(OPERATIONS)


def test_an_exchange_has_both_halves_in_the_same_operation() -> None:
    for name, operation in OPERATIONS.items():
        if "requestBody" not in operation:
            continue
        asked = set(operation["requestBody"]["content"]["application/json"]["examples"])
        answered = {
            example
            for response in operation["responses"].values()
            for content in CONTRACT.resolve(response).get("content", {}).values()
            for example in content["examples"]
        }
        assert asked <= answered, name


def test_every_example_is_shown() -> None:
    shown = {
        node["$ref"].rpartition("/")[2]
        for node in _nodes(DOCUMENT["paths"] | DOCUMENT["components"]["responses"])
        if str(node.get("$ref", "")).startswith("#/components/examples/")
    }
    assert shown == set(DOCUMENT["components"]["examples"])


def test_every_problem_of_an_operation_has_an_example() -> None:
    shown = {
        example["value"]["code"]
        for example in DOCUMENT["components"]["examples"].values()
        if isinstance(example["value"], dict) and "instance" in example["value"]
    }
    assert shown == set(PROBLEMS) - WITHOUT_EXAMPLE


def test_problems_are_documented_as_problems() -> None:
    for operation in OPERATIONS.values():
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                assert list(CONTRACT.resolve(response)["content"]) == [PROBLEM]


def test_every_schema_is_used() -> None:
    used = {
        node["$ref"].rpartition("/")[2]
        for node in _nodes(DOCUMENT)
        if str(node.get("$ref", "")).startswith("#/components/schemas/")
    }
    assert used == set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_sent_is_closed_and_what_is_answered_is_not(name: str) -> None:
    schema = SCHEMAS[name]
    if schema.get("type") == "object" and "properties" in schema:
        assert ("additionalProperties" in schema) == (name in _sent())


@pytest.mark.parametrize("name", SCHEMAS)
def test_an_object_says_what_is_in_it(name: str) -> None:
    """What names no member would pass whatever it had, documented or not."""
    schema = SCHEMAS[name]
    if schema.get("type") == "object":
        assert {"properties", "additionalProperties", "propertyNames", "oneOf"} & set(schema)


def _sent() -> set[str]:
    """Return the names of the schemas that a request can hold."""
    found: set[str] = set()
    waiting: list[Any] = [each.get("requestBody") for each in OPERATIONS.values()]
    while waiting:
        for node in _nodes(waiting.pop()):
            name = str(node.get("$ref", "")).removeprefix("#/components/schemas/")
            if name in SCHEMAS and name not in found:
                found.add(name)
                waiting.append(SCHEMAS[name])
    return found


def test_the_mapping_of_a_union_is_the_union() -> None:
    unions = [schema for schema in SCHEMAS.values() if "discriminator" in schema]
    assert len(unions) == 2 * len(GAMES) + 1
    for union in unions:
        tag, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert list(mapping.values()) == [each["$ref"] for each in union["oneOf"]]
        for word, reference in mapping.items():
            assert CONTRACT.resolve({"$ref": reference})["properties"][tag]["const"] == word


def test_the_lists_of_codes_are_the_registries() -> None:
    assert SCHEMAS["ProblemCode"]["enum"] == list(PROBLEMS)
    assert SCHEMAS["FaultCode"]["enum"] == list(FAULT_CODES)
    assert SCHEMAS["GameName"]["enum"] == list(GAMES)
