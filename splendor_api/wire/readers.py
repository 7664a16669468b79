"""Readers: each takes a value, its bounds, a pointer, and a list to which it appends what is wrong.

They convert nothing, return what they made of the value, and never raise for any value JSON can
have. What is returned after a fault is dropped: it may be any stand-in. A member that is absent has
been reported by `Members` and is handed on as `MISSING`, which the others pass over in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from operator import itemgetter
from typing import Any, Final, TypeVar

from marshmallow import missing

from splendor_api.wire.faults import (
    ENOUGH,
    NOT_ONE_OF,
    OUT_OF_RANGE,
    REQUIRED,
    UNKNOWN_FIELD,
    WRONG_LENGTH,
    WRONG_TYPE,
    Fault,
    kind_of,
    step,
)

W = TypeVar("W", bound=str)

MISSING: Final = missing
"""What stands for a member that is not there."""

_INTEGERS: Final = frozenset({int})
_SHORT: Final = 16  # a loop over so few is faster than asking sets
_WIDEST_SET: Final = 1_024  # ranges up to this size are looked up, not compared


class Members:
    """The names of an object's members, for a `Leaf`: read into a tuple in their order."""

    def __init__(self, *names: str, optional: tuple[str, ...] = ()) -> None:
        self.required: Final = names
        self.optional: Final = optional
        self.names: Final = (*names, *optional)
        self._pick: Final = _picker(names)

    def read(self, value: object, pointer: str, faults: list[Fault]) -> tuple[Any, ...]:
        """Return the members of the object `value`, `MISSING` for what is not there.

        Appends to `faults` whatever is missing or unknown; the values are not looked at.
        """
        if type(value) is not dict:
            refuse(value, "object", pointer, faults)
            return (MISSING,) * len(self.names)
        try:
            found = self._pick(value)
            seen = len(found)
        except KeyError:
            found, seen = self._pick_in_part(value, pointer, faults)
        for name in self.optional:
            member = value.get(name, MISSING)
            found += (member,)
            seen += member is not MISSING
        if seen != len(value):
            name_unknown(value, self.names, pointer, faults)
        return found

    def _pick_in_part(
        self, value: dict[str, Any], pointer: str, faults: list[Fault]
    ) -> tuple[tuple[Any, ...], int]:
        """Return the required members, and how many of them are there."""
        absent = [name for name in self.required if name not in value]
        faults.extend(REQUIRED.at(pointer + step(name), fields=(name,)) for name in absent)
        found = tuple(map(value.get, self.required, repeat(MISSING)))
        return found, len(found) - len(absent)


def integer(value: object, low: int, high: int, pointer: str, faults: list[Fault]) -> int:
    """Read an integer from `low` to `high`."""
    if type(value) is not int:
        refuse(value, "integer", pointer, faults)
        return low
    if not low <= value <= high:
        faults.append(OUT_OF_RANGE.at(pointer, value=value, low=low, high=high))
    return value


def flag(value: object, pointer: str, faults: list[Fault]) -> bool:
    """Read a boolean."""
    if value is True or value is False:
        return value
    refuse(value, "boolean", pointer, faults)
    return False


def word(value: object, words: tuple[W, ...], pointer: str, faults: list[Fault]) -> W:
    """Read one of `words`."""
    if type(value) is not str:
        refuse(value, "text", pointer, faults)
    elif value in words:
        return words[words.index(value)]
    else:
        faults.append(NOT_ONE_OF.at(pointer, value=value, allowed=words))
    return words[0]


def text(value: object, shortest: int, longest: int, pointer: str, faults: list[Fault]) -> str:
    """Read text of `shortest` to `longest` Unicode characters."""
    if type(value) is not str:
        refuse(value, "text", pointer, faults)
        return ""
    if not shortest <= len(value) <= longest:
        faults.append(
            WRONG_LENGTH.at(pointer, length=len(value), shortest=shortest, longest=longest)
        )
    elif not _is_unicode(value):
        refuse(value, "unicode_text", pointer, faults)
    return value


def items(
    value: object, shortest: int, longest: int, pointer: str, faults: list[Fault]
) -> Sequence[Any]:
    """Read a list of `shortest` to `longest` items; return them unread, none after a fault."""
    if type(value) is not list:
        refuse(value, "list", pointer, faults)
        return ()
    if shortest <= len(value) <= longest:
        return value
    faults.append(WRONG_LENGTH.at(pointer, length=len(value), shortest=shortest, longest=longest))
    return ()


def integers(
    value: object,
    low: int,
    high: int,
    shortest: int,
    longest: int,
    pointer: str,
    faults: list[Fault],
) -> tuple[int, ...]:
    """Read a list of `shortest` to `longest` integers from `low` to `high`."""
    listed = items(value, shortest, longest, pointer, faults)
    if not _are_within(listed, low, high):
        enough = len(faults) + ENOUGH
        for index, item in enumerate(listed):
            integer(item, low, high, pointer + step(index), faults)
            if len(faults) >= enough:
                break
    return tuple(listed)


def counts(
    value: object, names: tuple[str, ...], high: int, pointer: str, faults: list[Fault]
) -> tuple[int, ...]:
    """Read an object of counts from 0 to `high`, absent as 0, in the order of `names`."""
    if type(value) is not dict:
        refuse(value, "object", pointer, faults)
        return (0,) * len(names)
    try:
        found = _picker(names)(value)
        whole = len(value) == len(names)
    except KeyError:
        found = tuple(map(value.get, names, repeat(0)))
        whole = False
    if not _are_within(found, 0, high):
        for name, count in zip(names, found, strict=True):
            integer(count, 0, high, pointer + step(name), faults)
    if not whole:
        name_unknown(value, names, pointer, faults)
    return found


def _are_within(values: Sequence[Any], low: int, high: int) -> bool:
    """Tell whether all of `values` are integers from `low` to `high`."""
    if len(values) <= _SHORT:
        for value in values:  # noqa: SIM110 - a generator takes twice as long
            if type(value) is not int or not low <= value <= high:
                return False
        return True
    if not _INTEGERS.issuperset(map(type, values)):
        return False
    if high - low < _WIDEST_SET:
        return _span(low, high).issuperset(values)
    return bool(low <= min(values) and max(values) <= high)


@lru_cache(maxsize=256)
def _span(low: int, high: int) -> frozenset[int]:
    return frozenset(range(low, high + 1))


@lru_cache(maxsize=256)
def _picker(names: tuple[str, ...]) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """Return what takes the members `names` out of an object, or raises `KeyError`."""
    if len(names) < 2:  # then itemgetter does not return a tuple
        return lambda value: tuple(value[name] for name in names)
    return itemgetter(*names)


def _is_unicode(value: str) -> bool:
    """Tell whether `value` is text that can be stored and sent anywhere."""
    if "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def refuse(value: object, expected: str, pointer: str, faults: list[Fault]) -> None:
    """Append that `value` is of another type; what is missing has been reported already."""
    if value is not MISSING:
        faults.append(WRONG_TYPE.at(pointer, expected=expected, found=kind_of(value)))


def name_unknown(
    value: Mapping[str, object],
    known: Collection[str | None],
    pointer: str,
    faults: list[Fault],
) -> None:
    """Append the names in `value` that are not `known`; enough of them for an answer."""
    enough = len(faults) + ENOUGH
    for name in value:
        if name not in known:
            faults.append(UNKNOWN_FIELD.at(pointer + step(name), name=name))
            if len(faults) >= enough:
                break
