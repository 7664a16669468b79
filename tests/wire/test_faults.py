from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import Schema, ValidationError, fields

from splendor_api.i18n.catalogue import sentence
from splendor_api.wire.faults import (
    CONFLICTING_FIELDS,
    FAULT_CODES,
    LONGEST_QUOTE,
    NOT_ONE_OF,
    OUT_OF_RANGE,
    REQUIRED,
    UNKNOWN_FIELD,
    WRONG_TYPE,
    Fault,
    FaultCode,
    InvalidRequest,
    faults_of,
    kind_of,
    moved,
    step,
)
from splendor_api.wire.fields import Counts, Integer, StrictSchema
from splendor_api.wire.json_text import read, write

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


def test_the_codes_are_those_of_the_format() -> None:
    assert list(FAULT_CODES) == [
        "required",
        "unknown_field",
        "wrong_type",
        "out_of_range",
        "not_one_of",
        "wrong_length",
        "duplicate_key",
        "conflicting_fields",
        "unreadable_notation",
    ]


@pytest.mark.parametrize("code", FAULT_CODES.values(), ids=lambda code: code.name)
def test_a_code_names_every_parameter_in_its_sentence(code: FaultCode) -> None:
    assert tuple(re.findall(r"\{(\w+)(?::or)?\}", code.says)) == code.params
    assert "{" not in sentence(code.says, dict.fromkeys(code.params, "x"))
    assert code.means.endswith(".")


@pytest.mark.parametrize("params", [{}, {"name": "a", "more": 1}, {"field": "a"}])
def test_a_fault_takes_exactly_the_parameters_of_its_code(params: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="unknown_field takes"):
        UNKNOWN_FIELD.at("", **params)


def test_an_invalid_request_has_a_fault() -> None:
    with pytest.raises(ValueError, match="at least one"):
        InvalidRequest([])
    assert InvalidRequest([REQUIRED.at("/a", fields=("a",))]).faults[0].pointer == "/a"


@settings(deadline=None)
@given(ANY_TEXT, ANY_TEXT, st.integers())
def test_whatever_is_quoted_is_short_and_can_be_sent(name: str, text: str, number: int) -> None:
    fault = OUT_OF_RANGE.at(step(name), value=number * 10**20, low=0, high=1).under(step(text))
    quoted = NOT_ONE_OF.at(step(text), value=name, allowed=(text, 1, True, None))
    for each in (fault, quoted):
        assert len(each.pointer) <= LONGEST_QUOTE
        assert re.search(r"~(?![01])", each.pointer) is None
        assert read(write(dict(each.params))) is not None
    assert len(str(quoted.params["value"])) <= LONGEST_QUOTE
    assert len(str(fault.params["value"])) <= LONGEST_QUOTE


@pytest.mark.parametrize(
    ("number", "quoted"),
    [
        (2**53 - 1, 2**53 - 1),
        (-(2**53), "-9007199254740992"),
        (10**400, "1" + "0" * 98 + "…"),
        (True, True),
    ],
)
def test_a_number_that_readers_differ_on_is_quoted_as_text(number: int, quoted: object) -> None:
    assert OUT_OF_RANGE.at(value=number, low=0, high=1).params["value"] == quoted


def test_a_number_that_python_will_not_write_is_quoted_all_the_same() -> None:
    quoted = OUT_OF_RANGE.at(value=1 << 20_000, low=0, high=1).params["value"]
    assert quoted == "0x1" + "0" * 96 + "…"


def test_a_cut_pointer_ends_before_an_escape() -> None:
    fault = UNKNOWN_FIELD.at(step("x" * 97 + "~~"), name="")
    assert fault.pointer == "/" + "x" * 97 + "…"


@pytest.mark.parametrize(
    ("name", "pointer"),
    [("", "/"), ("a/b~c", "/a~1b~0c"), ("~1", "/~01"), (7, "/7"), (" ", "/ "), ("é", "/é")],
)
def test_a_step_is_escaped_as_rfc_6901_has_it(name: str | int, pointer: str) -> None:
    assert step(name) == pointer


def test_faults_move_from_an_index_on() -> None:
    faults = [WRONG_TYPE.at(f"/{place}", expected="text", found="null") for place in range(3)]
    assert moved(faults, 1, "a/b") == 3
    assert [fault.pointer for fault in faults] == ["/0", "/a~1b/1", "/a~1b/2"]


def test_a_fault_is_a_value() -> None:
    one, other = (REQUIRED.at("/a", fields=("a",)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != other.under("/b")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        *(({}, "object"), ([], "list"), ("", "text"), (1, "integer"), (1.0, "number")),
        *((True, "boolean"), (None, "null"), (object(), "other")),
    ],
)
def test_kinds_are_those_of_json(value: object, kind: str) -> None:
    assert kind_of(value) == kind


class Inner(StrictSchema):
    count = Integer(0, 9, required=True)
    tokens = Counts(("red", "blue"), 9)


class TestFaultsOf:
    """Faults that come through marshmallow's own schemas, lists and nesting."""

    class Outer(Schema):
        first = fields.List(fields.Nested(Inner))
        second = fields.Nested(Inner)
        third = Integer(1, 2, required=True)

    def faults(self, data: object) -> list[tuple[str, str]]:
        with pytest.raises(ValidationError) as refused:
            self.Outer().load(data)  # type: ignore[arg-type]  # not an object, for once
        return [(fault.code.name, fault.pointer) for fault in faults_of(refused.value)]

    def test_pointers_go_through_lists_objects_and_maps(self) -> None:
        data = {
            "second": {"count": 10, "tokens": {"red": -1, "a/b": 0}, "_schema": 1},
            "first": [{"count": 1}, {"tokens": []}, []],
        }
        assert self.faults(data) == [
            ("required", "/first/1/count"),
            ("wrong_type", "/first/1/tokens"),
            ("wrong_type", "/first/2"),
            ("out_of_range", "/second/count"),
            ("out_of_range", "/second/tokens/red"),
            ("unknown_field", "/second/tokens/a~1b"),
            ("unknown_field", "/second/_schema"),
            ("required", "/third"),
        ]

    def test_a_message_that_is_no_fault_is_a_bug(self) -> None:
        with pytest.raises(ValidationError) as refused:
            self.Outer().load({"third": 1, "more": 1})
        with pytest.raises(TypeError, match="not a fault"):
            faults_of(refused.value)

    def test_faults_may_be_raised_alone(self) -> None:
        fault = CONFLICTING_FIELDS.at(fields=("a", "b"))
        assert faults_of(raised(fault)) == (fault,)
        assert faults_of(raised([fault, fault])) == (fault, fault)
        assert faults_of(raised({"x": {0: [fault]}})) == (fault.under("/x/0"),)


def raised(messages: object) -> ValidationError:
    return ValidationError(messages)  # type: ignore[arg-type]  # annotated as text, takes faults


def test_a_fault_without_a_code_does_not_exist() -> None:
    with pytest.raises(TypeError):
        Fault("required", "")  # type: ignore[call-arg, arg-type]  # what the test shows
