from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from splendor_api.wire.faults import DUPLICATE_KEY, InvalidRequest
from splendor_api.wire.json_text import DEEPEST, Malformed, canonical, read, write
from tests.strategies.profiles import tries
from tests.wire.oracle import NotJsonError, Oracle

CASES = json.loads((Path(__file__).parents[1] / "cases" / "bad_json.json").read_text())["cases"]

NAMES = st.sampled_from(["", "a", "b", "a/b", "m~n", ":", "]", "é", "\U0001f0cf", "x" * 70])
TEXTS = st.text() | st.sampled_from(["[", "}", '":"', "\\", '"', ":::", "0" * 30, "{" * 40])
NUMBERS = (
    st.integers()
    | st.sampled_from([2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**18, 10**308])
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(NAMES | TEXTS, inner),
    max_leaves=12,
)
TRICKY = [
    *(
        b'"',
        b"\\",
        b"\\u0061",
        b"\\ud800",
        b"\\udc00",
        b"\\u12",
        b":",
        b",",
        b"[",
        b"]",
        b"{",
        b"}",
    ),
    *(b'"a":1,', b'"a":', b"{}", b"[[", b"null", b"NaN", b"-", b"0", b"1e400", b"9" * 19, b"."),
    *(b"\x00", b"\x1f", b" ", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xff", b"\xc0\xaf", b"\f"),
]

Verdict = tuple[str, object]


def verdict_of_the_reader(body: bytes, max_depth: int) -> Verdict:
    try:
        return "read", repr(read(body, max_depth=max_depth))
    except Malformed:
        return "malformed", None
    except InvalidRequest as refused:
        return "twins", [fault.pointer for fault in refused.faults if fault.code is DUPLICATE_KEY]


def verdict_of_the_oracle(body: bytes, max_depth: int) -> Verdict:
    try:
        oracle = Oracle(body, max_depth)
    except NotJsonError:
        return "malformed", None
    return ("twins", oracle.twins) if oracle.twins else ("read", repr(oracle.value))


@st.composite
def spelled(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> str:
    """Draw a value as text: spaces, escapes, and now and then a name twice."""
    value = draw(values)
    space = draw(st.sampled_from(["", "", " ", "\n\t"]))
    if isinstance(value, dict):
        members = [
            f"{draw_text(draw, name)}:{draw(spelled(st.just(value[name])))}" for name in value
        ]
        if members and draw(st.integers(0, 3)) == 0:
            members.append(draw(st.sampled_from(members)))
        return f"{space}{{{','.join(members)}{space}}}"
    if isinstance(value, list):
        return f"[{space}{','.join(draw(spelled(st.just(item))) for item in value)}]{space}"
    return draw_text(draw, value) if isinstance(value, str) else f"{space}{json.dumps(value)}"


def draw_text(draw: st.DrawFn, text: str) -> str:
    return json.dumps(text, ensure_ascii=draw(st.booleans()))


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Draw a JSON text, and break it in up to three places."""
    body = draw(spelled(VALUES)).encode()
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(body)))
        end = start + draw(st.integers(0, 3))
        body = body[:start] + draw(st.sampled_from([b"", *TRICKY])) + body[end:]
    return body


@settings(deadline=None, max_examples=tries(150, 600))
@given(damaged(), st.sampled_from([1, 2, 3, DEEPEST]))
@example(b'{"a":1,"a":":"}', DEEPEST)
@example(b'{"a:":1,"a:":":"}', DEEPEST)
@example(b'{"a":":","a":1,"b":"\\u003a\\u003a"}', DEEPEST)
@example(b'[["]",["]",["]"]]]]', 3)
@example(b'[["]",["]",["]"]]]]', 4)
@example(b'["[","[","[","["]', 2)
@example(b"[[],[],[],[],{}]", 2)
@example(b"[-9223372036854775809,18446744073709551616,18446744073709551615]", DEEPEST)
@example(b"[1797693134862315700%s]" % (b"0" * 290), DEEPEST)
@example(b"[-0,-0.0,1e-400,1E+2,0.10]", DEEPEST)
def test_the_reader_agrees_with_the_oracle(body: bytes, max_depth: int) -> None:
    assert verdict_of_the_reader(body, max_depth) == verdict_of_the_oracle(body, max_depth)


@settings(deadline=None)
@given(st.binary(max_size=40) | st.lists(st.sampled_from(TRICKY), max_size=12).map(b"".join))
def test_the_reader_agrees_with_the_oracle_on_noise(body: bytes) -> None:
    assert verdict_of_the_reader(body, 4) == verdict_of_the_oracle(body, 4)


@settings(deadline=None)
@given(VALUES)
def test_what_is_written_is_read_again(value: object) -> None:
    try:
        body = write(value)
    except TypeError:  # integers beyond 64 bits
        body = json.dumps(value).encode()
    assert repr(read(body)) == repr(value)


def nested(depth: int, inner: bytes = b"1") -> bytes:
    return (
        b'{"a":[' * (depth // 2)
        + b"[" * (depth % 2)
        + inner
        + b"]" * (depth % 2)
        + b"]}" * (depth // 2)
    )


@pytest.mark.parametrize("limit", [1, 2, 31, 32, 33, 253, 254])
@pytest.mark.parametrize("inner", [b"1", b'"]}"', b'"\\""', b'"{["'])
def test_the_depth_is_exact(limit: int, inner: bytes) -> None:
    wide = b"[" + b",".join([b"[]"] * 300) + b"]"
    assert read(nested(limit, inner), max_depth=limit) is not None
    with pytest.raises(Malformed, match=f"more than {limit} levels"):
        read(nested(limit + 1, inner), max_depth=limit)
    assert read(wide, max_depth=2) == [[]] * 300
    with pytest.raises(Malformed, match="more than 1 levels"):
        read(wide, max_depth=1)


@pytest.mark.parametrize("limit", [0, -1, 255])
def test_a_depth_that_cannot_be_kept_is_a_bug_of_the_caller(limit: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        read(b"1", max_depth=limit)


@pytest.mark.parametrize(
    ("body", "detail", "position"),
    [
        (b"", "empty", None),
        (b" \r\n\t", "empty", None),
        (b"\xef\xbb\xbf{}", "byte order mark", 0),
        ('{"é":"'.encode() + b'\xff"}', "not UTF-8", 6),
        ('{"é":1,}'.encode(), "not JSON", 6),
        (b"{} {}", "not JSON", 3),
        (b"[" * 20_000, "32 levels", None),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "32 levels", None),
        (b'["' + b"[" * 100, "not JSON", 102),
    ],
)
def test_a_refusal_says_what_and_where(body: bytes, detail: str, position: int | None) -> None:
    with pytest.raises(Malformed, match=detail) as refused:
        read(body)
    assert refused.value.position == position
    assert refused.value.detail == str(refused.value)


def test_every_twin_is_named_once_where_it_repeats() -> None:
    body = b'{"a":{"x":1,"x":2},"b":[{"~":1,"\\u007e":2}],"a":{"x":3},"a":0}'
    with pytest.raises(InvalidRequest) as refused:
        read(body)
    assert [(fault.pointer, fault.params["name"]) for fault in refused.value.faults] == [
        ("/a/x", "x"),
        ("/b/0/~0", "~"),
        ("/a", "a"),
    ]


def test_of_a_flood_of_twins_as_many_are_named_as_an_answer_needs() -> None:
    body = "[" + '{"a":0,"a":0},' * 5_000 + "0]"
    with pytest.raises(InvalidRequest) as refused:
        read(body.encode())
    assert len(refused.value.faults) == 51


REFUSED = (
    *("not JSON: ", "NaN", "minus Infinity", "1e400", "UTF-16", "UTF-32", "byte order mark"),
    *("Latin-1", "overlong UTF-8", "surrogate in UTF-8", "lone surrogate", "duplicate "),
    *("20,000 ", "5,000 nested", "200 nested", "seats: 10^400", "seats: 5,000 digits"),
)
"""How the names of those cases begin that are refused for reasons of JSON text."""


def cases(*, are_refused: bool) -> list[Any]:
    return [
        pytest.param(case, id=case["name"])
        for case in CASES
        if case["expect_status"] not in {413, 415}
        and case["name"].startswith(REFUSED) == are_refused
    ]


def body_of(case: dict[str, Any]) -> bytes:
    if "body_base64" in case:
        return base64.b64decode(case["body_base64"])
    parts = case.get("body_repeat", [[case.get("body"), 1]])
    text = "".join(text * times for text, times in parts)
    return text.replace("@STATE@", '{"game":"splendor"}').encode()


@pytest.mark.parametrize("case", cases(are_refused=True))
def test_a_bad_body_is_refused(case: dict[str, Any]) -> None:
    assert case["expect_status"] == 400
    expected = InvalidRequest if case["name"].startswith("duplicate ") else Malformed
    with pytest.raises(expected):
        read(body_of(case))


@pytest.mark.parametrize("case", cases(are_refused=False))
def test_any_other_body_is_read(case: dict[str, Any]) -> None:
    body = body_of(case)
    assert repr(read(body)) == repr(Oracle(body, DEEPEST).value)


SAFE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@settings(deadline=None)
@given(SAFE, st.randoms(use_true_random=False))
def test_the_canonical_text_does_not_depend_on_the_order_of_members(
    value: Any, random: Any
) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            names = list(value)
            random.shuffle(names)
            return {name: shuffled(value[name]) for name in names}
        return [shuffled(item) for item in value] if isinstance(value, list) else value

    text = canonical(value)
    assert canonical(shuffled(value)) == text
    assert canonical(shuffled(value), is_vouched_for=True) == text
    assert read(text) == value
    assert text == json.dumps(in_order(value), ensure_ascii=False, separators=(",", ":")).encode()


def in_order(value: Any) -> Any:
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: in_order(value[name]) for name in names}
    return [in_order(item) for item in value] if isinstance(value, list) else value


def test_members_are_sorted_by_utf_16_units() -> None:
    """RFC 8785, section 3.2.3, its example and order."""
    value = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    members = read(canonical(value))
    assert isinstance(members, dict)
    assert list(members.values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


def test_strings_are_escaped_as_rfc_8785_has_it() -> None:
    assert canonical({"a": '\u20ac$\x0f\nA\'B"\\\\"/'}) == (
        b'{"a":"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_tuples_are_lists() -> None:
    assert canonical({"b": (1, (2, None)), "a": True}) == b'{"a":true,"b":[1,[2,null]]}'
    assert write({"b": (1, 2)}) == b'{"b":[1,2]}'


class Count(int):
    pass


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (1.0, TypeError),
        ({"a": [1, {"b": 0.5}]}, TypeError),
        ([float("nan")], TypeError),
        (Count(1), TypeError),
        (b"a", TypeError),
        ({1: 2}, TypeError),
        ({"a", "b"}, TypeError),
        ("\ud800", TypeError),
        ({"\ud800": 1}, TypeError),
        (2**53, ValueError),
        ([{"a": -(2**53)}], ValueError),
    ],
)
def test_what_has_no_canonical_text_is_a_bug_of_the_caller(
    value: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        canonical(value)


@pytest.mark.parametrize("value", [{1: 2}, b"a", object(), "\ud800", Count(1), 2**64])
def test_only_what_json_can_say_is_written(value: object) -> None:
    with pytest.raises(TypeError):
        write(value)


@pytest.mark.parametrize(
    "make",
    [
        lambda size: b"[" * size,
        lambda size: b'"' + b'\\"' * size,
        lambda size: b'{"a":' * size,
        lambda size: b'["\\' * size,
        lambda size: b"[" + b"[]," * size + b'"\\n"]',
        lambda size: b'["[",' + b"[]," * size + b"[]]",
        lambda size: b"[" + b"9" * 300 + b",9" * size + b"]",
        lambda size: b'{"' + b"k" * size + b'":1,"' + b"k" * size + b'":1}',
    ],
)
def test_hostile_bodies_end_in_an_answer(make: Callable[[int], bytes]) -> None:
    """No RecursionError, whatever the size; four mebibytes are the largest body there is."""
    body = make(4 * 2**20 // len(make(1)))
    assert verdict_of_the_reader(body, DEEPEST)[0] in {"read", "malformed", "twins"}


@pytest.mark.parametrize("space", [b"", b" "])
def test_integers_are_exact_whatever_their_size(space: bytes) -> None:
    for digits in range(1, 309):
        for number in (10 ** (digits - 1), 10**digits - 1, -(10 ** (digits - 1)), 2**digits):
            assert read(b"[%b%d]" % (space, number)) == [number]
            assert repr(read(b"[%b%d.0]" % (space, number))) == repr([float(number)])
