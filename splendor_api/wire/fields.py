"""Strict marshmallow fields and schemas: nothing is converted, every fault is named and placed.

A field *reads*: it takes a value and a list, appends to the list whatever is wrong, and returns
what it made of the value. So one pass finds every fault, and no exception is raised and caught on
the way. A schema made of such fields reads an object in the same manner, and `StrictSchema.load`
does that in place of marshmallow's own loop, which takes several times as long; a test holds the
two to the same verdict.

Pointers are relative to what is read: a field says `""` of its own value and `/2` of the third
item in it; whoever holds the field moves what came under its own name (`faults.moved`). What a
reader returns after a fault is dropped: it may be None or any stand-in.

A game may write a large part of its state, all players for instance, as one field of its own: see
`Leaf`, and `readers.py` for what it is made of (`integer`, `word`, `counts`, `items`, `Members` …).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Self, TypedDict, TypeVar, Unpack, cast

from marshmallow import RAISE, Schema, ValidationError
from marshmallow.fields import Field

from splendor_api.wire.faults import (
    CONFLICTING_FIELDS,
    ENOUGH,
    NOT_ONE_OF,
    REQUIRED,
    UNKNOWN_FIELD,
    WRONG_TYPE,
    Fault,
    kind_of,
    moved,
    step,
)
from splendor_api.wire.readers import (
    MISSING,
    counts,
    flag,
    integer,
    integers,
    items,
    name_unknown,
    refuse,
    text,
    word,
)

T = TypeVar("T")
W = TypeVar("W", bound=str)
C = TypeVar("C", str, int, bool)


class Presence(TypedDict, total=False):
    """What every field takes, and every field in the same way.

    `required`: absent is a fault. `nullable`: null is a value, None. `load_default`: what absent
    means, or a function that makes it; without one an absent member is left out of the data.
    `data_key`: the member's name, where it is not the field's. `attribute`: the name in the data.
    """

    required: bool
    nullable: bool
    load_default: Any
    data_key: str | None
    attribute: str | None


class StrictField(Field[T]):
    """A marshmallow field that converts nothing and names every fault in its value."""

    def __init__(
        self,
        *,
        required: bool = False,
        nullable: bool = False,
        load_default: Any = MISSING,
        data_key: str | None = None,
        attribute: str | None = None,
    ) -> None:
        super().__init__(
            required=required,
            allow_none=nullable,
            load_default=load_default,
            data_key=data_key,
            attribute=attribute,
        )

    def read(self, value: object, faults: list[Fault]) -> T | None:
        """Return what `value` stands for, or append to `faults` all that is wrong with it.

        Pointers start at `value`. None comes here only where it is not allowed.
        """
        raise NotImplementedError

    def deserialize(
        self,
        value: Any,
        attr: str | None = None,
        data: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Do as marshmallow asks, for schemas that are not strict: raise what `read` appends."""
        del data, kwargs
        if value is MISSING and not self.required:
            return self.default()
        if value is None and self.allow_none:
            return None
        faults: list[Fault] = []
        if value is MISSING:
            faults.append(REQUIRED.at(fields=(attr or "",)))
        else:
            value = self.read(value, faults)
        if faults:
            raise ValidationError(cast("list[Any]", faults))
        return value

    def default(self) -> Any:
        """Return what an absent member stands for; marshmallow's `missing` for nothing."""
        return self.load_default() if callable(self.load_default) else self.load_default

    def but(
        self, *, required: bool = False, nullable: bool = False, load_default: Any = MISSING
    ) -> Self:
        """Return the same field with another presence, for a member of another object."""
        if required and load_default is not MISSING:
            raise ValueError("a required field has no default")
        twin = copy.copy(self)
        twin.required, twin.allow_none, twin.load_default = required, nullable, load_default
        return twin


class StrictSchema(Schema):
    """An object with exactly the members declared, each a `StrictField`.

    Members are read in the order of declaration; unknown ones are named after them, in the order
    of the document. Write `build` to make a value of the data, `contradictions` for what no single
    field can see; marshmallow's hooks (`post_load`, `validates` …) would not run and are refused.
    """

    class Meta(Schema.Meta):
        """Unknown members are faults."""

        unknown = RAISE

    error_messages: dict[str, Any] = {  # noqa: RUF012 - so declared by marshmallow
        "type": WRONG_TYPE.at(expected="object", found="other"),
        "unknown": UNKNOWN_FIELD.at(name=""),
    }

    _plan: tuple[_Step, ...] | None = None

    _has_short_cut = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._has_short_cut = cls.at_once is not StrictSchema.at_once
        for hooks in cls.resolve_hooks().values():
            raise TypeError(f"{hooks[0][0]} would not run: a strict schema has `build`")

    @classmethod
    def from_dict(cls, fields: Mapping[str, Field[Any]], *, name: str = "Generated") -> type[Self]:
        """Return a schema of these fields, whose names need not be identifiers."""
        return cast("type[Self]", super().from_dict(dict(fields), name=name))

    def build(self, data: dict[str, Any]) -> Any:
        """Return the value that the members stand for; called only if there is no fault."""
        return data

    def at_once(self, value: object) -> Any:
        """Return the value that an object stands for, or None to have its members read one by one.

        For a schema of large objects that knows a short cut: of an object without faults, and of no
        other, it returns what `build` would. It must not raise.
        """
        del value

    def contradictions(self, given: Mapping[str, object]) -> Iterable[Fault]:
        """Return what is wrong with the members together; `given` is the object as it came."""
        del given
        return ()

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        """Refuse with `TypeError` a field that is not strict; it would convert what it gets."""
        if not isinstance(field_obj, StrictField):
            raise TypeError(f"{field_name} is not a strict field")
        self._plan = None

    def load(
        self,
        data: object,
        *,
        many: bool | None = None,
        partial: object = None,
        unknown: str | None = None,
    ) -> Any:
        """Return what `build` makes of `data`, or raise `ValidationError` with all faults.

        marshmallow's ways of being lenient are refused with `TypeError`.
        """
        if many or self.many or partial or self.partial or unknown not in (None, RAISE):
            raise TypeError("a strict schema loads one whole object")
        faults: list[Fault] = []
        value = self.read(data, faults)
        if faults:
            raise ValidationError(cast("list[Any]", faults), data=cast("Any", data))
        return value

    def read(self, value: object, faults: list[Fault], beside: str | None = None) -> Any:
        """Return what `build` makes of `value`, or append to `faults` all that is wrong with it.

        Pointers start at `value`. `beside` names a member that is there and is not the schema's.
        """
        if type(value) is not dict:
            faults.append(WRONG_TYPE.at(expected="object", found=kind_of(value)))
            return None
        if self._has_short_cut and beside is None:
            built = self.at_once(value)
            if built is not None:
                return built
        return self.read_members(value, faults, beside)

    def read_members(
        self, value: dict[str, Any], faults: list[Fault], beside: str | None = None
    ) -> Any:
        """Do as `read` does for an object, one member after the other, without a short cut."""
        data: dict[str, Any] = {}
        seen = 0 if beside is None else 1
        before = mark = len(faults)
        for name, attribute, read, nullable, field in self._plan or self._planned():
            member = value.get(name, MISSING)
            if member is MISSING:
                if field is not None:
                    mark = _supply(field, name, attribute, data, faults)
                continue
            seen += 1
            data[attribute] = None if member is None and nullable else read(member, faults)
            if faults and len(faults) > mark:
                mark = moved(faults, mark, name)
        if seen != len(value):
            name_unknown(value, (beside, *(name for name, *_ in self._planned())), "", faults)
        faults.extend(self.contradictions(value))
        return None if len(faults) > before else self.build(data)

    def names(self) -> tuple[str, ...]:
        """Return the names of the members, in the order of declaration."""
        return tuple(name for name, *_ in self._planned())

    def _planned(self) -> tuple[_Step, ...]:
        """Return what `read` needs of every field, gathered once."""
        if self._plan is None:
            self._plan = tuple(
                (
                    name if field.data_key is None else field.data_key,
                    field.attribute or name,
                    cast("StrictField[Any]", field).read,
                    field.allow_none,
                    cast("StrictField[Any]", field)
                    if field.required or field.load_default is not MISSING
                    else None,
                )
                for name, field in self.load_fields.items()
            )
        return self._plan


_Step = tuple[str, str, Callable[[object, list[Fault]], Any], bool, StrictField[Any] | None]
"""Name, attribute, reader, whether null is a value; the field, if being absent means anything."""


def exactly_one(given: Mapping[str, object], *names: str) -> Iterator[Fault]:
    """Yield the fault if not exactly one of the members `names` is given: for `contradictions`."""
    present = tuple(name for name in names if name in given)
    if not present:
        yield REQUIRED.at(fields=names)
    if len(present) > 1:
        yield CONFLICTING_FIELDS.at(fields=present)


class Leaf(StrictField[T]):
    """A field that a game reads by itself, however much there is in it.

    Large leaves are fast: a state loads in half the time if all its players are one of them. A
    subclass writes `read`, out of `readers.py` and of other fields. It never raises for any value
    JSON can have.

        PLAYER = Members("counters", "pieces")
        COUNTERS = Counts(COLORS, high=50)

        class Players(Leaf[tuple[Player, ...]]):
            def read(self, value: object, faults: list[Fault]) -> tuple[Player, ...]:
                players = []
                for seat, entry in enumerate(items(value, 2, 4, "", faults)):
                    since = len(faults)
                    players.append(_player(entry, faults))
                    if len(faults) > since:
                        moved(faults, since, seat)
                return tuple(players)

        def _player(value: object, faults: list[Fault]) -> Player:
            counters, pieces = PLAYER.read(value, "", faults)
            return Player(
                counts(counters, COLORS, 50, "/counters", faults),
                integers(pieces, 1, 90, 0, 90, "/pieces", faults),
            )

    Pointers handed to the readers are constants here: what differs from seat to seat is put before
    them by `moved`, and only if there is a fault.
    """


class Integer(StrictField[int]):
    """An integer from `low` to `high`; `true`, `1.0` and `"1"` are of another type."""

    def __init__(self, low: int, high: int, **presence: Unpack[Presence]) -> None:
        super().__init__(**presence)
        self.low: Final = low
        self.high: Final = high

    def read(self, value: object, faults: list[Fault]) -> int:
        """Read an integer within the bounds."""
        if type(value) is int and self.low <= value <= self.high:
            return value
        return integer(value, self.low, self.high, "", faults)


class Choice(StrictField[int]):
    """One of a few integers."""

    def __init__(self, numbers: tuple[int, ...], **presence: Unpack[Presence]) -> None:
        super().__init__(**presence)
        self.numbers: Final = numbers

    def read(self, value: object, faults: list[Fault]) -> int:
        """Read one of the integers."""
        if type(value) is not int:
            refuse(value, "integer", "", faults)
        elif value in self.numbers:
            return value
        else:
            faults.append(NOT_ONE_OF.at(value=value, allowed=self.numbers))
        return self.numbers[0]


class Flag(StrictField[bool]):
    """`true` or `false`, and nothing that resembles them."""

    def read(self, value: object, faults: list[Fault]) -> bool:
        """Read a boolean."""
        return flag(value, "", faults)


class Word(StrictField[W]):
    """One of some words, exactly as they are spelt."""

    def __init__(self, words: tuple[W, ...], **presence: Unpack[Presence]) -> None:
        super().__init__(**presence)
        self.words: Final = words

    def read(self, value: object, faults: list[Fault]) -> W:
        """Read one of the words."""
        return word(value, self.words, "", faults)


class Text(StrictField[str]):
    """Text of `shortest` to `longest` Unicode characters, without U+0000 and lone surrogates."""

    def __init__(self, shortest: int, longest: int, **presence: Unpack[Presence]) -> None:
        super().__init__(**presence)
        self.shortest: Final = shortest
        self.longest: Final = longest

    def read(self, value: object, faults: list[Fault]) -> str:
        """Read text within the bounds."""
        return text(value, self.shortest, self.longest, "", faults)


class Constant(StrictField[C]):
    """The one value that may stand here: a word, an integer or a boolean."""

    def __init__(self, value: C, **presence: Unpack[Presence]) -> None:
        super().__init__(**presence)
        self.value: C = value

    def read(self, value: Any, faults: list[Fault]) -> C:
        """Read the value."""
        if type(value) is not type(self.value):
            refuse(value, kind_of(self.value), "", faults)
        elif value != self.value:
            faults.append(NOT_ONE_OF.at(value=value, allowed=(self.value,)))
        return self.value


class Anything(StrictField[object]):
    """Any value at all, left as it came for somebody else to read."""

    def read(self, value: object, faults: list[Fault]) -> object:
        """Return the value itself."""
        del faults
        return value


class Items(StrictField[tuple[T, ...]]):
    """A list of `shortest` to `longest` items, read by `inner`, as a tuple.

    A list that is too long or too short is one fault, whatever is in it.
    """

    def __init__(
        self,
        inner: StrictField[T],
        shortest: int,
        longest: int,
        **presence: Unpack[Presence],
    ) -> None:
        super().__init__(**presence)
        self.inner: Final = inner
        self.shortest: Final = shortest
        self.longest: Final = longest

    def read(self, value: object, faults: list[Fault]) -> tuple[T, ...]:
        """Read a list; of its faults, enough for an answer."""
        read, nullable = self.inner.read, self.inner.allow_none
        before = mark = len(faults)
        loaded: list[Any] = []
        for index, item in enumerate(items(value, self.shortest, self.longest, "", faults)):
            loaded.append(None if item is None and nullable else read(item, faults))
            if faults and len(faults) > mark:
                mark = moved(faults, mark, index)
                if mark - before >= ENOUGH:
                    break
        return tuple(loaded)


class Integers(StrictField[tuple[int, ...]]):
    """A list of `shortest` to `longest` integers from `low` to `high`, as a tuple."""

    def __init__(
        self, low: int, high: int, shortest: int, longest: int, **presence: Unpack[Presence]
    ) -> None:
        super().__init__(**presence)
        self.low: Final = low
        self.high: Final = high
        self.shortest: Final = shortest
        self.longest: Final = longest

    def read(self, value: object, faults: list[Fault]) -> tuple[int, ...]:
        """Read a list of integers within the bounds."""
        return integers(value, self.low, self.high, self.shortest, self.longest, "", faults)


class Counts(StrictField[tuple[int, ...]]):
    """An object of counts from 0 to `high`, absent as 0, as a tuple in the order of `names`."""

    def __init__(self, names: tuple[str, ...], high: int, **presence: Unpack[Presence]) -> None:
        super().__init__(**presence)
        self.names: Final = names
        self.high: Final = high

    def read(self, value: object, faults: list[Fault]) -> tuple[int, ...]:
        """Read the counts."""
        return counts(value, self.names, self.high, "", faults)


class Object(StrictField[T]):
    """An object read by a schema; the value is what the schema builds.

    With `make`, the value is what `make` returns for the members as keyword arguments: a frozen
    dataclass, whose defaults are then those of absent members.
    """

    def __init__(
        self,
        schema: StrictSchema | type[StrictSchema],
        make: Callable[..., T] | None = None,
        **presence: Unpack[Presence],
    ) -> None:
        super().__init__(**presence)
        self.schema: Final = schema() if isinstance(schema, type) else schema
        self.make = make

    def read(self, value: object, faults: list[Fault]) -> T | None:
        """Read an object."""
        before = len(faults)
        built = self.schema.read(value, faults)
        if self.make is None or len(faults) > before:
            loaded: T | None = built
            return loaded
        return self.make(**built)


class Tagged(StrictField[T]):
    """One of several kinds of object, told apart by the word in its member `tag`.

    The value is what the schema of that word builds; the schemas do not declare the tag. Where the
    tag is missing or unknown nothing else can be judged, and is not.
    """

    def __init__(
        self,
        schemas: Mapping[str, StrictSchema | type[StrictSchema]],
        tag: str = "type",
        **presence: Unpack[Presence],
    ) -> None:
        super().__init__(**presence)
        self.tag: Final = tag
        self.schemas: Final = {
            name: schema() if isinstance(schema, type) else schema
            for name, schema in schemas.items()
        }
        for name, schema in self.schemas.items():
            if tag in schema.names():
                raise ValueError(f"the schema of {name} declares the tag {tag}")

    def read(self, value: object, faults: list[Fault]) -> T | None:
        """Read an object of the kind that its tag names."""
        if type(value) is not dict:
            refuse(value, "object", "", faults)
            return None
        name = value.get(self.tag, MISSING)
        if type(name) is str and name in self.schemas:
            loaded: T | None = self.schemas[name].read(value, faults, self.tag)
            return loaded
        if name is MISSING:
            faults.append(REQUIRED.at(step(self.tag), fields=(self.tag,)))
        else:
            word(name, tuple(self.schemas), step(self.tag), faults)
        return None


def within(
    values: range | tuple[int, ...] | tuple[str, ...], **presence: Unpack[Presence]
) -> StrictField[Any]:
    """Return the field of a value that is one of `values`: a range, booleans, integers or words."""
    if isinstance(values, range):
        return Integer(values[0], values[-1], **presence)
    if all(isinstance(value, bool) for value in values):
        return Flag(**presence)
    if all(isinstance(value, int) for value in values):
        return Choice(cast("tuple[int, ...]", values), **presence)
    return Word(cast("tuple[str, ...]", values), **presence)


def _supply(
    field: StrictField[Any], name: str, attribute: str, data: dict[str, Any], faults: list[Fault]
) -> int:
    """Give an absent member its default, or say that it is missing; return how many faults are."""
    if field.required:
        faults.append(REQUIRED.at(step(name), fields=(name,)))
    elif field.load_default is not MISSING:
        data[attribute] = field.default()
    return len(faults)
