"""What is wrong with the shape of a request: fault codes, and where they occur.

A code is a value, so that a misspelt one does not import and a missing parameter raises. What a
fault quotes from a request, its pointer included, has at most 100 characters and can always be
encoded as UTF-8, whatever the request held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from marshmallow import ValidationError
from marshmallow.exceptions import SCHEMA

LONGEST_QUOTE: Final = 100  # characters of a request that an answer repeats, the ellipsis included
LARGEST_NUMBER: Final = 2**53 - 1  # beyond it JavaScript reads another number; then it is text
ENOUGH: Final = 51  # an answer lists 50 faults; one more shows that there were more

Scalar = str | int | bool | None
Param = Scalar | tuple[Scalar, ...]

_KINDS: Final = MappingProxyType(
    {
        dict: "object",
        list: "list",
        str: "text",
        int: "integer",
        float: "number",
        bool: "boolean",
        type(None): "null",
    }
)


@dataclass(frozen=True, slots=True)
class FaultCode:
    """One kind of fault, with a name that never changes its meaning.

    `params` names what an occurrence tells besides its place. `says` is the English sentence, with
    the parameters in braces. `means` says when it occurs, for documentation.
    """

    name: str
    says: str
    means: str
    params: tuple[str, ...]

    def at(self, pointer: str = "", /, **params: Param) -> Fault:
        """Return an occurrence at `pointer`, its values cut to what an answer may quote.

        Raises `TypeError` unless exactly the parameters of the code are given, in their order.
        """
        if tuple(params) != self.params:
            raise TypeError(f"{self.name} takes {self.params}, not {tuple(params)}")
        return Fault(self, _cut_pointer(pointer), {name: _quote(params[name]) for name in params})


@dataclass(frozen=True, slots=True)
class Fault:
    """A code at a place: `pointer` is a JSON Pointer (RFC 6901) into what was read.

    Made by `FaultCode.at`, which bounds what is quoted. The pointer of an absurdly long name is
    cut, and then ends in an ellipsis.
    """

    code: FaultCode
    pointer: str
    params: Mapping[str, Param] = field(hash=False)

    def under(self, prefix: str) -> Fault:
        """Return the same fault seen from further up, with `prefix` before its pointer."""
        return Fault(self.code, _cut_pointer(prefix + self.pointer), self.params)


class InvalidRequest(Exception):  # noqa: N818 - the name of the problem it becomes
    """The body is JSON, but not of the shape it must have; `faults` says all that is wrong."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: Final = tuple(faults)
        if not self.faults:
            raise ValueError("an invalid request has at least one fault")
        super().__init__(self.faults)


REQUIRED = FaultCode(
    "required",
    says="Required here, and missing: {fields}.",
    means="A member that must be there is not; of several `fields`, one must be.",
    params=("fields",),
)
UNKNOWN_FIELD = FaultCode(
    "unknown_field",
    says="There is no field {name} here.",
    means="A member that is not part of the format. It is refused, for whoever sent it believes "
    "that it has an effect.",
    params=("name",),
)
WRONG_TYPE = FaultCode(
    "wrong_type",
    says="Expected: {expected}; found: {found}.",
    means="A value of another type. Nothing is converted: `1.0` and `true` are no integers, "
    "and null is a value only where the format says so. `unicode_text` is text without U+0000 and "
    "lone surrogates.",
    params=("expected", "found"),
)
OUT_OF_RANGE = FaultCode(
    "out_of_range",
    says="{value} is not between {low} and {high}.",
    means="An integer below the least or above the greatest value allowed.",
    params=("value", "low", "high"),
)
NOT_ONE_OF = FaultCode(
    "not_one_of",
    says="{value} is not one of: {allowed}.",
    means="A word or number that is not among those listed. Upper and lower case differ.",
    params=("value", "allowed"),
)
WRONG_LENGTH = FaultCode(
    "wrong_length",
    says="The length is {length}; it must be between {shortest} and {longest}.",
    means="A text with too few or too many Unicode characters, or a list with too few or too many "
    "items; the items of such a list are not looked at.",
    params=("length", "shortest", "longest"),
)
DUPLICATE_KEY = FaultCode(
    "duplicate_key",
    says="The name {name} occurs more than once in the same object.",
    means="Two members of one object have the same name once their escapes are decoded, so that "
    "two readers could see two requests.",
    params=("name",),
)
CONFLICTING_FIELDS = FaultCode(
    "conflicting_fields",
    says="These fields exclude each other: {fields}.",
    means="Members were given together of which only one may be there.",
    params=("fields",),
)
UNREADABLE_NOTATION = FaultCode(
    "unreadable_notation",
    says="At position {position}, expected: {expected:or}; found: {found}.",
    means="A line of text that cannot be read on from `position`, counted in characters from 0. "
    "`expected` has what could stand there: terms of the grammar, or characters in quotes; `found` "
    "is null at the end of the text.",
    params=("position", "expected", "found"),
)

FAULT_CODES: Final[Mapping[str, FaultCode]] = MappingProxyType(
    {
        code.name: code
        for code in (
            REQUIRED,
            UNKNOWN_FIELD,
            WRONG_TYPE,
            OUT_OF_RANGE,
            NOT_ONE_OF,
            WRONG_LENGTH,
            DUPLICATE_KEY,
            CONFLICTING_FIELDS,
            UNREADABLE_NOTATION,
        )
    }
)


def kind_of(value: object) -> str:
    """Return the JSON type of `value` in the words that `wrong_type` uses."""
    return _KINDS.get(type(value), "other")


def step(name: str | int) -> str:
    """Return one step of a JSON Pointer: a slash and the escaped `name` (RFC 6901, section 3)."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


def moved(faults: list[Fault], since: int, name: str | int) -> int:
    """Move all faults from index `since` on under the member `name`; return the new length.

    For readers whose parts append faults relative to themselves.
    """
    prefix = step(name)
    for index in range(since, len(faults)):
        faults[index] = faults[index].under(prefix)
    return len(faults)


def faults_of(error: ValidationError) -> tuple[Fault, ...]:
    """Return the faults that marshmallow gathered, pointers relative to what was loaded.

    The order is that of the schema; unknown members come after the known ones, in the order of
    the document. Raises `TypeError` for a message that is no fault: a field that is not strict.
    """
    messages: object = error.messages
    if error.field_name != SCHEMA or not isinstance(messages, dict):
        messages = {error.field_name: messages}
    return tuple(_gathered(messages, error.data))


def _gathered(messages: object, data: object) -> Iterator[Fault]:
    if isinstance(messages, Fault):
        yield messages
    elif isinstance(messages, list):
        for message in messages:
            yield from _gathered(message, data)
    elif isinstance(messages, dict):
        for key in _in_order(messages, data):
            for fault in _gathered(messages[key], _member(data, key)):
                yield _placed(fault, key)
    else:
        raise TypeError(f"not a fault: {messages!r}")


def _in_order(messages: Mapping[str | int, object], data: object) -> list[str | int]:
    """Return the keys as marshmallow has them, but unknown members in the document's order."""
    unknown = {key for key in messages if _is_unknown(messages[key])}
    known = [key for key in messages if key not in unknown]
    named = data if isinstance(data, dict) else sorted(unknown, key=str)
    return known + [key for key in named if key in unknown]


def _is_unknown(messages: object) -> bool:
    if isinstance(messages, list):
        return any(map(_is_unknown, messages))
    return isinstance(messages, Fault) and messages.code is UNKNOWN_FIELD and not messages.pointer


def _placed(fault: Fault, key: str | int) -> Fault:
    """Put `fault` under `key`, which is a member's name, an index, or marshmallow's own word."""
    if _is_unknown(fault):  # never said of an object itself, so the key is a name in any case
        return UNKNOWN_FIELD.at(step(key), name=str(key))
    return fault if key == SCHEMA else fault.under(step(key))


def _member(data: object, key: str | int) -> object:
    if isinstance(data, dict):
        return data.get(key)
    if isinstance(data, list) and isinstance(key, int):
        return data[key]
    return data


def _quote(value: Param) -> Param:
    return tuple(map(_quote_one, value)) if isinstance(value, tuple) else _quote_one(value)


def _quote_one(value: Scalar) -> Scalar:
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        # Python writes no more than 4,300 decimal digits; in hexadecimal it has no bound.
        return _cut(str(value) if value.bit_length() < 4_096 else hex(value))
    return value


def _cut(text: str) -> str:
    short = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"
    return short if short.isascii() else short.encode("utf-8", "replace").decode("utf-8")


def _cut_pointer(pointer: str) -> str:
    if len(pointer) <= LONGEST_QUOTE:
        return _cut(pointer)
    return _cut(pointer[: LONGEST_QUOTE - 1].rstrip("~") + "…")  # never half an escape
