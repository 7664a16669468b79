"""JSON as RFC 8259 has it and nothing more: strict reading, plain and canonical writing.

orjson reads, and refuses all that is not one JSON text in UTF-8. It is blind in three ways: of two
members with one name it keeps the last, integers beyond 64 bits become floats, and 1,024 levels
are too many. So whatever *may* be such a text is read again by the standard reader, which shows
every member; cheap tests on the bytes keep the ordinary request, which cannot be, out of that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

import orjson

from splendor_api.wire.faults import (
    DUPLICATE_KEY,
    ENOUGH,
    LARGEST_NUMBER,
    Fault,
    InvalidRequest,
    step,
)

DEEPEST: Final = 32  # levels of lists and objects in a request
_WRITABLE: Final = 254  # levels that orjson writes, which the search for what was lost asks of it

_BYTES: Final = bytes(range(256))
_ONE_KIND: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = _BYTES.translate(None, b"[]{}")
_NO_BRACKETS_OR_QUOTES: Final = _BYTES.translate(None, b'[]{}"')
_ZEROS: Final = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER: Final = b"0" * 19  # the shortest integers beyond 64 bits have 19 digits
# What is open at the end counts as a text too, and nothing is tried twice: linear for any bytes.
_TEXTS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)

_WHOLE: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


class Malformed(Exception):  # noqa: N818 - the name of the problem it becomes
    """The body is not one JSON text.

    `detail` is a sentence for people, `says` with its `params` filled in; `position` is the number
    of characters before the fault, where there is one place to point at.
    """

    def __init__(self, says: str, position: int | None = None, **params: str | int) -> None:
        self.detail: Final = says.format(**params)
        super().__init__(self.detail)
        self.says: Final = says
        self.params: Final = params
        self.position: Final = position


@dataclass(frozen=True, slots=True)
class _Members:
    """An object as it was written, twins included."""

    pairs: list[tuple[str, object]]


class _TwinsError(Exception):
    """Two members of one object have the same name."""


def read(body: bytes, *, max_depth: int = DEEPEST) -> object:
    """Return the value of `body`: dicts, lists, text, exact integers, floats, booleans and None.

    Raises `Malformed` unless `body` is exactly one JSON text (RFC 8259) in UTF-8, without a byte
    order mark or lone surrogates, of numbers that fit a double, at most `max_depth` (up to 254)
    lists and objects deep; `InvalidRequest` with every repeated name, the first 51 of them.
    """
    if not 0 < max_depth <= _WRITABLE:
        raise ValueError(f"the depth must be between 1 and {_WRITABLE}")
    try:
        value: object = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise _malformed(body, error, max_depth) from None
    if b"\\" in body or _may_be_deep(body, max_depth) or _may_have_lost(body, value):
        return _read_exactly(body, max_depth)
    return value


def text_of(value: object) -> str:
    """Return a text of a kind of its own as the text that it is; raise `TypeError` for no text."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"not plain data: {type(value).__name__}")


def write(value: object, say: Callable[[Any], str] = text_of) -> bytes:
    """Return `value` as compact JSON; raise `TypeError` for anything but plain data.

    `say` returns what is written for a text of a kind of its own (a subclass of `str`).
    """
    return orjson.dumps(value, default=say, option=_WHOLE)


def written(text: bytes) -> orjson.Fragment:
    """Return JSON that is written already, as a part of what is yet to be written."""
    return orjson.Fragment(text)


def canonical(value: object, *, is_vouched_for: bool = False) -> bytes:
    """Return the one JSON text of `value` (RFC 8785), for whatever is hashed or sealed.

    Members are sorted by UTF-16 code units. Raises `TypeError` for floats and anything else that
    is not text without lone surrogates, integer, boolean, None, list, tuple, or a dict with names
    of text; `ValueError` for integers beyond 2^53 - 1, on which readers differ.

    That is not looked into where `value` `is_vouched_for`: it was read, or written, by a schema.
    """
    if not is_vouched_for:
        _require_alphabet((value,))
    text = orjson.dumps(value, option=_WHOLE | orjson.OPT_SORT_KEYS)
    # orjson sorts by code points, which is another order only beyond ASCII.
    return text if text.isascii() else orjson.dumps(_sorted(value), option=_WHOLE)


def _may_be_deep(body: bytes, limit: int) -> bool:
    """Tell whether `body`, valid and without escapes, may be deeper than `limit`."""
    if body.count(b"[") + body.count(b"{") <= limit:
        return False
    # Quotes with nothing between them vanish in pairs; one stays, for good, if a bracket stands in
    # a text.
    marks = body.translate(_ONE_KIND, _NO_BRACKETS_OR_QUOTES).replace(b'""', b"")
    return bool(_without_leaves(marks, limit))


def _without_leaves(brackets: bytes, times: int) -> bytes:
    """Take the innermost pairs away, `times` over: each time the nesting is one level less."""
    for _ in range(times):
        if not brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return brackets


def _may_have_lost(body: bytes, value: object) -> bool:
    """Tell whether a member or a digit of `body`, valid and without escapes, is not in `value`."""
    written = orjson.dumps(value)
    if written == body:
        return False
    # Every member has one colon, and texts keep theirs: a lost member is a lost colon.
    return body.count(b":") != written.count(b":") or _LONG_NUMBER in body.translate(_ZEROS)


def _is_deeper(body: bytes, limit: int) -> bool:
    """Tell exactly whether `body`, JSON or not, opens more than `limit` levels outside texts."""
    brackets = _TEXTS.sub(b"", body).translate(_ONE_KIND, _NO_BRACKETS)
    if not _without_leaves(brackets, limit):
        return False
    steps = (1 if bracket == ord("[") else -1 for bracket in brackets)
    return any(depth > limit for depth in accumulate(steps))


def _read_exactly(body: bytes, max_depth: int) -> object:
    """Read what orjson has accepted, but with every integer exact and every member seen."""
    if _is_deeper(body, max_depth):
        raise _too_deep(max_depth)
    text = body.decode()
    try:
        value: object = _EXACT.decode(text)
    except _TwinsError:
        raise InvalidRequest(_twins(text)) from None
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _TwinsError
    return members


_EXACT: Final = json.JSONDecoder(object_pairs_hook=_unique)
_AS_WRITTEN: Final = json.JSONDecoder(object_pairs_hook=_Members)


def _twins(text: str) -> list[Fault]:
    """Return a fault for each place at which a name is repeated, in the order of the text."""
    faults: dict[str, Fault] = {}
    for pointer, name in _repeated(_AS_WRITTEN.decode(text), ""):
        faults.setdefault(pointer, DUPLICATE_KEY.at(pointer, name=name))
        if len(faults) == ENOUGH:
            break
    return list(faults.values())


def _repeated(value: object, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield pointer and name of every repeated member in or below `value`."""
    if isinstance(value, _Members):
        seen: set[str] = set()
        for name, member in value.pairs:
            place = pointer + step(name)
            if name in seen:
                yield place, name
            seen.add(name)
            yield from _repeated(member, place)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _repeated(item, pointer + step(index))


def _malformed(body: bytes, error: orjson.JSONDecodeError, max_depth: int) -> Malformed:
    """Say what is wrong with a body that orjson has refused."""
    if not body.strip(b" \t\r\n"):
        return Malformed("The body is empty; one JSON text is expected.")
    if body.startswith(b"\xef\xbb\xbf"):
        return Malformed("The body starts with a byte order mark.", 0)
    try:
        body.decode()
    except UnicodeDecodeError as wrong:
        return Malformed("The body is not UTF-8.", len(body[: wrong.start].decode()))
    if _is_deeper(body, max_depth):
        return _too_deep(max_depth)
    return Malformed("The body is not JSON: {error}.", error.pos, error=error.msg)


def _too_deep(max_depth: int) -> Malformed:
    return Malformed("The body is nested more than {levels} levels deep.", levels=max_depth)


def _require_alphabet(items: Iterable[Any]) -> None:
    """Raise unless `items` and all in them are what `canonical` writes; orjson judges names."""
    for item in items:
        kind = type(item)
        if kind is int:
            if not -LARGEST_NUMBER <= item <= LARGEST_NUMBER:
                raise ValueError("an integer beyond 2^53 - 1 has no canonical text")
        elif kind is list or kind is tuple:
            _require_alphabet(item)
        elif kind is dict:
            _require_alphabet(item.values())
        elif kind is not str and kind is not bool and item is not None:
            raise TypeError(f"{kind.__name__} has no canonical text here")


def _sorted(value: object) -> object:
    """Return `value` with the members of every object in the order of UTF-16 code units."""
    if isinstance(value, dict):
        names = sorted(value, key=_code_units)
        return {name: _sorted(value[name]) for name in names}
    return list(map(_sorted, value)) if isinstance(value, list | tuple) else value


def _code_units(name: str) -> bytes:
    return name.encode("utf-16-be")
