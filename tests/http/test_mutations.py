"""Bodies that were sound and have been damaged: answered like any other, and never with a 500."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from splendor_api.app import create_app
from splendor_api.settings import Settings
from splendor_api.wire import json_text
from tests.http.sitting import JSON

PATH = "/v1/games/splendor"
ALLOWED = {200, 400, 413, 422}

CLIENT = create_app(Settings()).test_client()
"""Without a watch over its answers: what is asked here does not follow the contract."""

Path = tuple[str | int, ...]


def _sound() -> dict[str, dict[str, Any]]:
    """Return a sound body for every call, in a game that is some turns old."""
    state = _answer("deal", {"seats": 3, "seed": "mutations"})["state"]
    actions = []
    for place in (5, 40, 20, 30, 12, 25):
        listed = _answer("legal-actions", {"state": state})["actions"]
        actions.append(listed[place % len(listed)]["action"])
        state = _answer("apply", {"state": state, "action": actions[-1]})["state"]
    record = {
        "game": "splendor",
        "format": 1,
        "engine": "tests",
        "seats": 3,
        "ruleset": {"name": "gamerules", "options": {}},
        "seed": "mutations",
        "actions": actions,
    }
    buy = {"type": "buy", "card": 1, "payment": {"white": 1}, "noble": 3}
    take = {"type": "take_different", "colors": ["red"], "return": {"red": 1}, "seat": 0}
    return {
        "deal": {"seats": 2, "options": {"pass": "never"}, "seed": "x", "secrecy": "open"},
        "apply": {"state": state, "action": take},
        "check": {"state": state, "action": buy},
        "legal-actions": {"state": state, "include_illegal": True, "seat": 0, "cursor": None},
        "replay": {"record": record},
        "observe": {"state": state, "seat": 1},
        "audit": {"state": state},
        "picture": {"state": state, "seat": 1, "theme": "dark"},
        "explain": {"state": state, "action": buy, "seat": 1},
    }


def _answer(name: str, body: dict[str, Any]) -> dict[str, Any]:
    response = CLIENT.post(f"{PATH}/{name}", json=body)
    assert response.status_code == 200, response.text
    answered: dict[str, Any] = response.get_json()
    return answered


BODIES = _sound()

ODD = st.one_of(
    st.sampled_from([None, True, False, 0, 1, -1, 2**53, 2**63, 1.0, 0.5, "", "1", "\0", [], {}]),
    st.sampled_from([{"count": 3}, {"card": 1}, {"level": 1, "hidden": True}, [None], [[1]]]),
    st.integers(-2, 100),
    st.text(max_size=5),
    st.recursive(
        st.none() | st.integers(0, 9),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=5,
    ),
)


def _paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value within `value`, its own first."""
    yield path
    members = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else members
    for name, member in items:
        yield from _paths(member, (*path, name))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _copied(value: object) -> Any:
    return json_text.read(json_text.write(value), max_depth=200)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return a call and its body: values replaced, removed, moved, named otherwise."""
    name = draw(st.sampled_from(sorted(BODIES)))
    body = _copied(BODIES[name])
    for _ in range(draw(st.integers(1, 3))):
        last: Any
        *parents, last = draw(st.sampled_from([path for path in _paths(body) if path]))
        place = _at(body, tuple(parents))
        match draw(st.sampled_from(["replace", "remove", "copy", "add"])):
            case "replace":
                place[last] = draw(ODD)
            case "remove":
                del place[last]
            case "copy":
                place[last] = _copied(_at(body, draw(st.sampled_from(list(_paths(body))))))
            case "add" if isinstance(place, list):
                place.insert(last, draw(ODD))
            case _:
                place[draw(st.text(max_size=4))] = draw(ODD)
        body = _copied(body)
        if not body:
            break
    return name, json_text.write(body)


@st.composite
def garbled(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return a call and its body with bytes replaced, removed or doubled."""
    name = draw(st.sampled_from(sorted(BODIES)))
    body = bytearray(json_text.write(BODIES[name]))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(body)))
        stop = min(len(body), start + draw(st.integers(0, 20)))
        body[start:stop] = draw(
            st.sampled_from(
                [b"", bytes(body[start:stop]) * 2, b'"', b"[", b"}", b",", b"\\u", b"9"]
            )
            | st.binary(max_size=4)
        )
    return name, bytes(body)


@given(damaged())
def test_a_damaged_body_is_refused_or_taken(sent: tuple[str, bytes]) -> None:
    _is_answered(CLIENT, *sent)


@given(garbled())
def test_a_garbled_body_is_refused_or_taken(sent: tuple[str, bytes]) -> None:
    _is_answered(CLIENT, *sent)


def _is_answered(client: FlaskClient, name: str, body: bytes) -> None:
    response = client.post(f"{PATH}/{name}", data=body, content_type=JSON)
    assert response.status_code in ALLOWED, (response.text, body)
    if response.status_code == 200:
        assert response.content_type == ("image/svg+xml" if name == "picture" else JSON)
        return
    assert response.content_type == "application/problem+json"
    assert len(response.data) <= 16 * 1024
    assert b"Traceback" not in response.data
