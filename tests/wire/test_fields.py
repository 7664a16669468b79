from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from marshmallow import Schema, ValidationError, fields, post_load

from splendor_api.wire.faults import ENOUGH, Fault, faults_of
from splendor_api.wire.fields import (
    Anything,
    Choice,
    Constant,
    Counts,
    Flag,
    Integer,
    Integers,
    Items,
    Object,
    StrictField,
    StrictSchema,
    Tagged,
    Text,
    Word,
    within,
)
from splendor_api.wire.readers import (
    MISSING,
    Members,
    counts,
    flag,
    integer,
    integers,
    items,
    text,
    word,
)
from tests.strategies.profiles import tries
from tests.wire import toy

Found = tuple[str, str, dict[str, object]]

INTEGER = {"expected": "integer"}
TEXT = {"expected": "text"}


def found(field: StrictField[Any] | StrictSchema, value: object) -> list[Found]:
    """Return the faults of `value`, read after a fault that is somebody else's."""
    before = toy_fault()
    faults = [before]
    field.read(value, faults)
    assert faults.pop(0) is before
    return [(fault.code.name, fault.pointer, dict(fault.params)) for fault in faults]


def toy_fault() -> Fault:
    faults: list[Fault] = []
    Flag().read(0, faults)
    return faults[0]


def wrong_type(expected: str, value: str, pointer: str = "") -> Found:
    return "wrong_type", pointer, {"expected": expected, "found": value}


@pytest.mark.parametrize(
    ("field", "value", "loaded"),
    [
        (Integer(0, 9), 0, 0),
        (Integer(0, 9), 9, 9),
        (Integer(-(10**30), 10**30), 10**30, 10**30),
        (Choice((9, 12, 15)), 12, 12),
        (Flag(), False, False),
        (Flag(), True, True),
        (Word(("red", "blue")), "blue", "blue"),
        (Text(1, 3), "abc", "abc"),
        (Text(0, 0), "", ""),
        (Text(2, 2), "\U0001f0cf\U0001f0cf", "\U0001f0cf\U0001f0cf"),
        (Text(1, 1), "\uffff", "\uffff"),
        (Constant("toy"), "toy", "toy"),
        (Constant(1), 1, 1),
        (Constant(True), True, True),
        (Anything(), {"a": [None]}, {"a": [None]}),
        (Items(Word(("red",)), 0, 2), [], ()),
        (Items(Word(("red",)), 0, 2), ["red", "red"], ("red", "red")),
        (Items(Integer(1, 2, nullable=True), 1, 3), [None, 1, None], (None, 1, None)),
        (Integers(1, 9, 0, 3), [9, 1, 1], (9, 1, 1)),
        (Integers(1, 9, 0, 3), [], ()),
        (Integers(-(10**6), 10**6, 0, 3), [10**6, -(10**6)], (10**6, -(10**6))),
        (Integers(-(10**6), 10**6, 0, 3), [], ()),
        (Integers(1, 90, 0, 90), list(range(1, 91)), tuple(range(1, 91))),
        (Integers(0, 10**6, 0, 90), list(range(90)), tuple(range(90))),
        (Counts(("red", "blue"), 9), {"blue": 2, "red": 1}, (1, 2)),
        (Counts(("red", "blue"), 9), {"blue": 9}, (0, 9)),
        (Counts(("red", "blue"), 9), {}, (0, 0)),
        (Counts(("red",), 9), {"red": 3}, (3,)),
        (Object(toy.TakeSchema), {"colors": ["red"]}, toy.Take(("red",))),
        (Object(toy.TakeSchema()), {"colors": ["red"], "seat": 3}, toy.Take(("red",), 3)),
        (Object(StrictSchema.from_dict({"a": Flag()}), dict), {"a": True}, {"a": True}),
        (toy.WIRE.action, {"level": 1, "type": "keep"}, toy.Keep(level=1)),
    ],
)
def test_what_is_right_is_read(field: StrictField[Any], value: object, loaded: object) -> None:
    faults: list[Fault] = []
    got = field.read(value, faults)
    assert faults == []
    assert got == loaded
    assert type(got) is type(loaded)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        *((None, "null"), ([], "list"), ({}, "object"), ("1", "text"), (True, "boolean")),
        *((1.0, "number"), (1.5, "number"), (["red"], "list"), ({"a": 1}, "object")),
    ],
)
def test_no_value_of_another_type_is_converted(value: object, kind: str) -> None:
    strict: list[tuple[StrictField[Any], str]] = [
        (Integer(0, 9), "integer"),
        (Choice((1, 2)), "integer"),
        (Constant(1), "integer"),
        (Flag(), "boolean"),
        (Constant(True), "boolean"),
        (Word(("1", "red")), "text"),
        (Constant("1"), "text"),
        (Text(0, 9), "text"),
        (Items(Anything(), 0, 9), "list"),
        (Integers(0, 9, 0, 9), "list"),
        (Counts(("a", "b"), 9), "object"),
        (Object(StrictSchema.from_dict({"a": Anything()})), "object"),
        (Tagged({"a": StrictSchema}), "object"),
        (toy.Hands(), "list"),
    ]
    for field, expected in strict:
        if kind != expected:
            assert found(field, value) == [wrong_type(expected, kind)]


@pytest.mark.parametrize(
    ("field", "value", "faults"),
    [
        (Integer(1, 9), 0, [("out_of_range", "", {"value": 0, "low": 1, "high": 9})]),
        (Integer(1, 9), 10, [("out_of_range", "", {"value": 10, "low": 1, "high": 9})]),
        (Choice((9, 12)), 10, [("not_one_of", "", {"value": 10, "allowed": (9, 12)})]),
        (Word(("a", "b")), "A", [("not_one_of", "", {"value": "A", "allowed": ("a", "b")})]),
        (Word(("a",)), "\ud800", [("not_one_of", "", {"value": "?", "allowed": ("a",)})]),
        (Constant(1), 99, [("not_one_of", "", {"value": 99, "allowed": (1,)})]),
        (Text(1, 3), "", [("wrong_length", "", {"length": 0, "shortest": 1, "longest": 3})]),
        (Text(1, 3), "abcd", [("wrong_length", "", {"length": 4, "shortest": 1, "longest": 3})]),
        (Text(1, 3), "a\0", [wrong_type("unicode_text", "text")]),
        (Text(1, 3), "a\udfff", [wrong_type("unicode_text", "text")]),
        (
            Items(Flag(), 1, 2),
            [1, 2, 3],
            [("wrong_length", "", {"length": 3, "shortest": 1, "longest": 2})],
        ),
        (
            Integers(1, 2, 1, 2),
            [],
            [("wrong_length", "", {"length": 0, "shortest": 1, "longest": 2})],
        ),
        (
            Items(Flag(), 1, 3),
            [True, None, 0],
            [wrong_type("boolean", "null", "/1"), wrong_type("boolean", "integer", "/2")],
        ),
        (
            Integers(1, 90, 0, 5),
            [True, 1.0, 0, 90, 91],
            [
                wrong_type("integer", "boolean", "/0"),
                wrong_type("integer", "number", "/1"),
                ("out_of_range", "/2", {"value": 0, "low": 1, "high": 90}),
                ("out_of_range", "/4", {"value": 91, "low": 1, "high": 90}),
            ],
        ),
        (
            Integers(1, 9_000, 0, 5),
            [0, [], 9_001],
            [
                ("out_of_range", "/0", {"value": 0, "low": 1, "high": 9_000}),
                wrong_type("integer", "list", "/1"),
                ("out_of_range", "/2", {"value": 9_001, "low": 1, "high": 9_000}),
            ],
        ),
        (
            Counts(("red", "blue"), 9),
            {"blue": -1, "a/b": 3, "red": True},
            [
                wrong_type("integer", "boolean", "/red"),
                ("out_of_range", "/blue", {"value": -1, "low": 0, "high": 9}),
                ("unknown_field", "/a~1b", {"name": "a/b"}),
            ],
        ),
        (
            Counts(("red", "blue"), 9),
            {"red": None, "green": 1},
            [
                wrong_type("integer", "null", "/red"),
                ("unknown_field", "/green", {"name": "green"}),
            ],
        ),
        (Counts(("red", "blue"), 9), {"red": 1, "x": 1}, [("unknown_field", "/x", {"name": "x"})]),
        (toy.WIRE.action, {"seat": "x"}, [("required", "/type", {"fields": ("type",)})]),
        (toy.WIRE.action, {"type": ["keep"]}, [wrong_type("text", "list", "/type")]),
        (toy.WIRE.action, {"type": None}, [wrong_type("text", "null", "/type")]),
        (
            toy.WIRE.action,
            {"type": "Take"},
            [("not_one_of", "/type", {"value": "Take", "allowed": ("take", "keep")})],
        ),
        (
            toy.WIRE.action,
            {"colors": ["red", "green"], "type": "take", "__class__": 1, "seat": 4, "b": 2},
            [
                (
                    "not_one_of",
                    "/colors/1",
                    {"value": "green", "allowed": ("red", "blue", "gold")},
                ),
                ("out_of_range", "/seat", {"value": 4, "low": 0, "high": 3}),
                ("unknown_field", "/__class__", {"name": "__class__"}),
                ("unknown_field", "/b", {"name": "b"}),
            ],
        ),
        (toy.WIRE.action, {"type": "keep"}, [("required", "", {"fields": ("card", "level")})]),
        (
            toy.WIRE.action,
            {"type": "keep", "level": 0, "card": 1},
            [
                ("out_of_range", "/level", {"value": 0, "low": 1, "high": 3}),
                ("conflicting_fields", "", {"fields": ("card", "level")}),
            ],
        ),
        (
            toy.Hands(),
            [
                {"tokens": {"red": 10}, "cards": [1, 0], "name": "", "mood": 1, "x": 1, "out": 0},
                {"tokens": {}, "cards": [], "mood": "calm", "out": True, "age": 100},
            ],
            [
                ("unknown_field", "/0/x", {"name": "x"}),
                ("out_of_range", "/0/tokens/red", {"value": 10, "low": 0, "high": 9}),
                ("out_of_range", "/0/cards/1", {"value": 0, "low": 1, "high": 5_000}),
                ("wrong_length", "/0/name", {"length": 0, "shortest": 1, "longest": 8}),
                wrong_type("text", "integer", "/0/mood"),
                wrong_type("boolean", "integer", "/0/out"),
                ("required", "/1/name", {"fields": ("name",)}),
                ("out_of_range", "/1/age", {"value": 100, "low": 0, "high": 99}),
            ],
        ),
    ],
)
def test_every_fault_is_named_and_placed(
    field: StrictField[Any], value: object, faults: list[Found]
) -> None:
    assert found(field, value) == faults


@pytest.mark.parametrize("place", [0, 15, 16, 17, 89])
@pytest.mark.parametrize("size", [16, 17, 90])
@pytest.mark.parametrize("high", [90, 9_000])
@pytest.mark.parametrize("wrong", [0, 9_001, True, 2.0, None, "1"])
def test_one_wrong_item_of_many_is_found(place: int, size: int, high: int, wrong: object) -> None:
    value: list[object] = list(range(1, size + 1))
    value[min(place, size - 1)] = wrong
    assert [pointer for _, pointer, _ in found(Integers(1, high, 0, 90), value)] == [
        f"/{min(place, size - 1)}"
    ]


class Presences(StrictSchema):
    needed = Integer(0, 9, required=True)
    nullable = Integer(0, 9, nullable=True)
    defaulted = Integer(0, 9, load_default=None)
    made = Integers(0, 9, 0, 9, load_default=list)
    both = Integer(0, 9, required=True, nullable=True)
    renamed = Flag(data_key="return")
    aliased = Flag(attribute="other")


@pytest.mark.parametrize(
    ("data", "loaded"),
    [
        (
            {"needed": 1, "both": None},
            {"needed": 1, "defaulted": None, "made": [], "both": None},
        ),
        (
            {"return": True, "aliased": False, "nullable": None, "both": 1, "needed": 1},
            {
                "needed": 1,
                "nullable": None,
                "defaulted": None,
                "made": [],
                "both": 1,
                "renamed": True,
                "other": False,
            },
        ),
    ],
)
def test_presence_means_the_same_for_every_field(
    data: dict[str, object], loaded: dict[str, object]
) -> None:
    assert Presences().load(data) == loaded
    assert Schema.load(Presences(), data) == loaded


def test_absent_and_null_are_faults_unless_a_field_says_otherwise() -> None:
    data = {"needed": None, "defaulted": None, "made": None, "renamed": True, "return": None}
    assert found(Presences(), data) == [
        wrong_type("integer", "null", "/needed"),
        wrong_type("integer", "null", "/defaulted"),
        wrong_type("list", "null", "/made"),
        ("required", "/both", {"fields": ("both",)}),
        wrong_type("boolean", "null", "/return"),
        ("unknown_field", "/renamed", {"name": "renamed"}),
    ]


def test_a_default_is_made_anew_each_time() -> None:
    first, second = (Presences().load({"needed": 1, "both": 1})["made"] for _ in range(2))
    assert first is not second


def test_a_field_takes_another_presence() -> None:
    field = Integer(0, 9, required=True)
    other = field.but(nullable=True, load_default=3)
    assert (field.required, field.allow_none, field.load_default) == (True, False, MISSING)
    assert (other.required, other.allow_none, other.load_default) == (False, True, 3)
    assert StrictSchema.from_dict({"a": other})().load({}) == {"a": 3}
    with pytest.raises(ValueError, match="default"):
        field.but(required=True, load_default=3)


def test_of_a_flood_as_many_are_named_as_an_answer_needs() -> None:
    long = [None] * 100_000
    many: dict[str, object] = {f"x{place}": 1 for place in range(100_000)}
    size = len(long)
    assert len(found(Items(Flag(), 0, size), long)) == ENOUGH
    assert len(found(Integers(0, 9, 0, size), long)) == ENOUGH
    assert len(found(Counts(("a", "b"), 9), many)) == ENOUGH
    assert len(found(StrictSchema(), many)) == ENOUGH


def test_a_schema_refuses_what_it_would_not_honour() -> None:
    with pytest.raises(TypeError, match="not a strict field"):
        StrictSchema.from_dict({"a": fields.Integer()})()
    with pytest.raises(TypeError, match="build"):

        class Hooked(StrictSchema):
            @post_load
            def finish(self, data: Any, **_: Any) -> Any:
                return data

    for options in ({"many": True}, {"partial": True}, {"unknown": "exclude"}):
        with pytest.raises(TypeError, match="one whole object"):
            Presences().load({}, **options)
    for schema in (Presences(many=True), Presences(partial=True)):
        with pytest.raises(TypeError, match="one whole object"):
            schema.load({})


class Hasty(StrictSchema):
    """A schema that knows one object by sight."""

    number = Integer(0, 9, required=True)

    def at_once(self, value: object) -> Any:
        return "seen" if value == {"number": 7} else None


def test_a_short_cut_is_taken_where_it_leads_somewhere() -> None:
    assert Hasty().load({"number": 7}) == "seen"
    assert Hasty().load({"number": 8}) == {"number": 8}
    wrong: list[Fault] = []
    Hasty().read({"number": 10}, wrong)
    assert [(fault.code.name, fault.pointer) for fault in wrong] == [("out_of_range", "/number")]
    beside: list[Fault] = []
    assert Hasty().read({"number": 7, "type": "x"}, beside, "type") == {"number": 7}
    assert not beside


def test_the_tag_is_not_a_member_of_its_schemas() -> None:
    with pytest.raises(ValueError, match="declares the tag"):
        Tagged({"take": toy.TakeSchema}, tag="seat")


def test_a_field_must_say_how_it_reads() -> None:
    with pytest.raises(NotImplementedError):
        StrictField[int]().read(1, [])


def test_a_schema_narrowed_by_marshmallow_is_narrow() -> None:
    class Outer(Schema):
        inner = fields.Nested(Presences(), only=("needed",))

    assert Outer().load({"inner": {"needed": 1}}) == {"inner": {"needed": 1}}


@pytest.mark.parametrize(
    ("values", "right", "wrong"),
    [
        (range(3, 6), [3, 5], [2, 6, True, "3"]),
        ((False, True), [False, True], [0, 1, "true"]),
        ((9, 12, 15), [9, 15], [10, True, 9.0]),
        (("a", "b"), ["a", "b"], ["c", 1, None]),
    ],
)
def test_an_option_s_values_make_its_field(values: Any, right: Any, wrong: Any) -> None:
    field = within(values, required=True)
    assert field.required
    assert [field.read(value, []) for value in right] == right
    assert all(found(field, value) for value in wrong)


def test_readers_pass_over_what_is_missing() -> None:
    faults: list[Fault] = []
    names = Members("a", "b", optional=("c",))
    assert names.read({"a": 1}, "/x", faults) == (1, MISSING, MISSING)
    assert names.read([], "/y", faults) == (MISSING, MISSING, MISSING)
    assert names.read({"a": 1, "c": 2, "d": 3}, "/z", faults) == (1, MISSING, 2)
    assert names.read({"c": 3, "b": 2, "a": None}, "", faults) == (None, 2, 3)
    assert Members("a").read({"a": 1}, "", faults) == (1,)
    assert Members(optional=("a",)).read({}, "", faults) == (MISSING,)
    named = [(fault.code.name, fault.pointer) for fault in faults]
    assert named == [
        ("required", "/x/b"),
        ("wrong_type", "/y"),
        ("required", "/z/b"),
        ("unknown_field", "/z/d"),
    ]
    integer(MISSING, 0, 1, "", faults)
    flag(MISSING, "", faults)
    word(MISSING, ("a",), "", faults)
    text(MISSING, 0, 1, "", faults)
    items(MISSING, 0, 1, "", faults)
    integers(MISSING, 0, 1, 0, 1, "", faults)
    counts(MISSING, ("a", "b"), 1, "", faults)
    assert len(faults) == len(named)


def marshmallow_verdict(schema: StrictSchema, data: Any) -> object:
    """Return what marshmallow's own loop says of `data`, its hooks left out."""
    try:
        return schema.build(Schema.load(schema, data))
    except ValidationError as error:
        return faults_of(error)


def strict_verdict(schema: StrictSchema, data: Any) -> object:
    try:
        return schema.load(data)
    except ValidationError as error:
        return faults_of(error)


class Twofold(StrictSchema):
    """An object of every kind of field, without contradictions: marshmallow knows none."""

    state: Object[toy.State] = Object(toy.StateSchema, required=True)
    action: Tagged[Any] = Tagged({"take": toy.TakeSchema}, required=True)
    maybe: Object[Any] = Object(Presences, nullable=True)
    returned = Counts(toy.COLORS, 9, data_key="return")

    def build(self, data: dict[str, Any]) -> Mapping[str, object]:
        return {"state": None, "action": None} | data


@settings(deadline=None, max_examples=tries(100, 300))
@given(toy.damaged({"state": toy.STATE, "action": toy.TAKE, "maybe": None, "return": {"red": 1}}))
def test_reading_agrees_with_marshmallow(data: Any) -> None:
    schema = Twofold()
    if type(data) is dict:  # of anything else marshmallow does not say what was found
        assert strict_verdict(schema, data) == marshmallow_verdict(schema, data)


@settings(deadline=None, max_examples=tries(100, 300))
@given(toy.damaged({"needed": 1, "nullable": 2, "defaulted": 3, "made": [1], "both": None}))
def test_reading_agrees_with_marshmallow_on_presence(data: Any) -> None:
    schema = Presences()
    if type(data) is dict:
        assert strict_verdict(schema, data) == marshmallow_verdict(schema, data)
