"""Validators of the contract's schemas (JSON Schema 2020-12), stricter ones for answers."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import jsonschema_rs

from splendor_api.wire import json_text

Schema = dict[str, Any]


class Schemas:
    """The components of a document, and a validator for each schema that is asked for."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._components = {"schemas": document["components"]["schemas"]}
        self._of_answers = {"schemas": _closed(self._components["schemas"])}
        self._made: dict[tuple[bytes, bool], jsonschema_rs.Draft202012Validator] = {}

    def accept(self, schema: Schema, value: object) -> bool:
        """Tell whether `value` may be sent where the document says `schema`.

        JSON Schema takes 1.0 for an integer; look for floats beside this.
        """
        return self._validator(schema, is_answer=False).is_valid(value)

    def faults(self, schema: Schema, value: object) -> list[str]:
        """Return what is wrong with an answer of which the document says `schema`.

        Stricter than what a client may count on: a field that is not documented is wrong, and so
        are a code that is not listed, a field with a default that is left out, and a float.
        """
        errors = self._validator(schema, is_answer=True).iter_errors(value)
        listed = [
            f"{_pointer(each.instance_path)}: {each.message[:300]}"
            for error in errors
            for each in _parts(error)
        ]
        return [*listed, *(f"{pointer}: a float" for pointer in floats(value))]

    def _validator(self, schema: Schema, *, is_answer: bool) -> jsonschema_rs.Draft202012Validator:
        key = (json_text.write(schema), is_answer)
        if key not in self._made:
            components = self._of_answers if is_answer else self._components
            whole = {**(_closed(schema) if is_answer else schema), "components": components}
            self._made[key] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        return self._made[key]


def _parts(error: jsonschema_rs.ValidationError) -> Iterator[jsonschema_rs.ValidationError]:
    """Yield an error and, where nothing of a choice fits, what is wrong with each."""
    yield error
    for choice in getattr(error.kind, "context", ()):
        for each in choice:
            yield from _parts(each)


def floats(value: object, pointer: str = "") -> Iterator[str]:
    """Yield the place of every float in `value`."""
    if isinstance(value, float):
        yield pointer
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from floats(member, f"{pointer}/{name}")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from floats(item, f"{pointer}/{place}")


def _closed(schema: Any) -> Any:
    """Return a copy in which every object has the members documented, and no others."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return deepcopy(schema)
    closed = {name: _closed(member) for name, member in schema.items()}
    if closed.get("type") == "object" and "properties" in closed:
        closed.setdefault("additionalProperties", False)
        filled = [name for name, member in closed["properties"].items() if "default" in member]
        closed["required"] = [*closed.get("required", ()), *filled]
    if {"type": "string"} in closed.get("anyOf", ()):  # a list of codes, open for later ones
        closed["anyOf"].remove({"type": "string"})
    return closed


def _pointer(path: list[str | int]) -> str:
    return "".join(f"/{step}" for step in path)
