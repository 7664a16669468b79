from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splendor_api.wire.bodies import BATCH, Bodies, Body, Hosted, session_creation
from splendor_api.wire.faults import ENOUGH, LONGEST_QUOTE, Fault, InvalidRequest, step
from splendor_api.wire.json_text import Malformed, canonical, read, write
from splendor_api.wire.requests import (
    MOST_ACTIONS,
    Audit,
    Batch,
    Deal,
    Draw,
    Item,
    LegalActions,
    Observe,
    Record,
    Replay,
    Ruleset,
    StateAndAction,
)
from tests.strategies.profiles import tries
from tests.wire import toy

BODIES = Bodies.of(toy.WIRE)
LOADED = BODIES.audit.load({"state": toy.STATE}).state
TAKE = toy.Take(("red", "gold"), 1)
KEEP = toy.Keep(level=2)

VALID: dict[str, tuple[Body[Any], dict[str, Any]]] = {
    "deal": (
        BODIES.deal,
        {
            "seats": 2,
            "ruleset": "publisher",
            "options": {"goal": 3},
            "seed": "s",
            "secrecy": "open",
        },
    ),
    "apply": (BODIES.apply, {"state": toy.STATE, "action": toy.TAKE}),
    "check": (BODIES.check, {"state": toy.STATE, "action": toy.KEEP}),
    "legal_actions": (
        BODIES.legal_actions,
        {
            "state": toy.STATE,
            "detail": "turns",
            "include_illegal": True,
            "seat": 3,
            "cursor": "c",
        },
    ),
    "replay": (BODIES.replay, {"state": toy.STATE, "actions": [toy.TAKE, toy.KEEP]}),
    "record": (BODIES.replay, {"record": toy.RECORD}),
    "observe": (BODIES.observe, {"state": toy.STATE, "seat": None, "solutions": True}),
    "audit": (BODIES.audit, {"state": toy.STATE}),
    "picture": (BODIES.picture, {"state": toy.STATE, "seat": 1, "theme": "dark"}),
    "batch": (BATCH, {"items": [{"game": "toy", "call": "deal", "body": {"seats": 2}}]}),
}


def faults_of(body: Body[Any], data: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequest) as refused:
        body.load(data)
    return [(fault.code.name, fault.pointer) for fault in refused.value.faults]


@pytest.mark.parametrize(
    ("body", "data", "loaded"),
    [
        (BODIES.deal, {"seats": 4}, Deal(4, "gamerules", {}, None, "open")),
        (
            BODIES.deal,
            {"seats": 2, "ruleset": "publisher", "options": {"pass": "always"}, "seed": "é" * 128},
            Deal(2, "publisher", {"pass": "always"}, "é" * 128),
        ),
        (*VALID["apply"], StateAndAction(LOADED, TAKE)),
        (*VALID["check"], StateAndAction(LOADED, KEEP)),
        (BODIES.legal_actions, {"state": toy.STATE}, LegalActions(LOADED)),
        (*VALID["legal_actions"], LegalActions(LOADED, "turns", True, 3, "c")),
        (BODIES.legal_actions, {"state": toy.STATE, "cursor": None}, LegalActions(LOADED)),
        (*VALID["replay"], Replay(LOADED, (TAKE, KEEP))),
        (BODIES.replay, {"state": toy.STATE, "actions": []}, Replay(LOADED)),
        (
            *VALID["record"],
            Replay(
                record=Record(
                    *("toy", 1, "toy 1.0", 2, Ruleset("publisher", {"goal": 7}), (TAKE, KEEP), "s")
                )
            ),
        ),
        (*VALID["observe"], Observe(LOADED, None, solutions=True)),
        (BODIES.observe, {"state": toy.STATE, "seat": 0}, Observe(LOADED, 0)),
        (*VALID["audit"], Audit(LOADED)),
        (*VALID["picture"], Draw(LOADED, 1, None, "dark")),
        (BODIES.picture, {"state": toy.STATE, "seat": None}, Draw(LOADED)),
        (*VALID["batch"], Batch((Item("toy", "deal", {"seats": 2}),))),
        (
            BATCH,
            {"items": [{"game": "?", "call": "?", "body": None}] * 1_000},
            Batch((Item("?", "?", None),) * 1_000),
        ),
    ],
)
def test_a_body_is_loaded(body: Body[Any], data: object, loaded: object) -> None:
    assert body.load(data) == loaded


@pytest.mark.parametrize(
    ("body", "data", "faults"),
    [
        (BODIES.apply, {}, [("required", "/state"), ("required", "/action")]),
        (
            BODIES.apply,
            {"state": {**toy.STATE, "bank": []}, "action": {"type": 1}, "dry_run": True},
            [
                ("wrong_type", "/state/bank"),
                ("wrong_type", "/action/type"),
                ("unknown_field", "/dry_run"),
            ],
        ),
        (
            BODIES.deal,
            {"seats": 5, "ruleset": "x", "options": {"goal": 0, "size": 10, "y": 1}, "seed": ""},
            [
                ("out_of_range", "/seats"),
                ("not_one_of", "/ruleset"),
                ("not_one_of", "/options/size"),
                ("out_of_range", "/options/goal"),
                ("unknown_field", "/options/y"),
                ("wrong_length", "/seed"),
            ],
        ),
        (BODIES.deal, {"seats": 2, "secrecy": "veiled"}, [("not_one_of", "/secrecy")]),
        (BODIES.deal, {"seats": 2, "seed": None}, [("wrong_type", "/seed")]),
        (BODIES.deal, {"seats": 2, "seed": "s" * 129}, [("wrong_length", "/seed")]),
        (BODIES.observe, {"state": toy.STATE}, [("required", "/seat")]),
        (BODIES.observe, {"state": toy.STATE, "seat": 20}, [("out_of_range", "/seat")]),
        (
            BODIES.legal_actions,
            {"detail": "all", "include_illegal": 1, "seat": None, "cursor": ""},
            [
                ("required", "/state"),
                ("not_one_of", "/detail"),
                ("wrong_type", "/include_illegal"),
                ("wrong_type", "/seat"),
                ("wrong_length", "/cursor"),
            ],
        ),
        (BODIES.replay, {}, [("required", "")]),
        (BODIES.replay, {"state": toy.STATE}, [("required", "/actions")]),
        (BODIES.replay, {"actions": []}, [("required", "/state")]),
        (
            BODIES.replay,
            {"record": toy.RECORD, "state": toy.STATE},
            [("conflicting_fields", "")],
        ),
        (
            BODIES.replay,
            {"record": {**toy.RECORD, "game": "chess", "format": 2}, "actions": [toy.TAKE, {}]},
            [
                ("required", "/actions/1/type"),
                ("not_one_of", "/record/game"),
                ("not_one_of", "/record/format"),
                ("conflicting_fields", ""),
            ],
        ),
        (
            BODIES.replay,
            {"state": toy.STATE, "actions": [toy.KEEP] * (MOST_ACTIONS + 1)},
            [("wrong_length", "/actions")],
        ),
        (
            BODIES.replay,
            {"record": {}},
            [
                *(("required", f"/record{step(name)}") for name in toy.RECORD if name != "seed"),
                ("required", "/record"),
            ],
        ),
        (BATCH, {"items": []}, [("wrong_length", "/items")]),
        (BATCH, {"items": [{"game": "toy"}] * 1_001}, [("wrong_length", "/items")]),
        (
            BATCH,
            {"items": [{"game": "toy", "call": "deal", "body": 1}, {"game": 1, "body": 1}]},
            [("wrong_type", "/items/1/game"), ("required", "/items/1/call")],
        ),
    ],
)
def test_every_fault_of_a_body_is_named(
    body: Body[Any], data: object, faults: list[tuple[str, str]]
) -> None:
    assert faults_of(body, data) == faults


@pytest.mark.parametrize("call", VALID)
@pytest.mark.parametrize("data", [None, [], [{"seats": 2}], 7, "state", True])
def test_a_body_is_an_object(call: str, data: object) -> None:
    assert faults_of(VALID[call][0], data) == [("wrong_type", "")]


@pytest.mark.parametrize("call", VALID)
def test_an_unknown_field_is_a_fault_at_every_level(call: str) -> None:
    """T13: add a field anywhere."""
    body, valid = VALID[call]
    for holder in toy.holders(valid):
        if isinstance(holder, dict) and not (call == "batch" and "seats" in holder):
            holder["a/b~c"] = 1
            try:
                code, pointer = faults_of(body, valid)[-1]
            finally:
                del holder["a/b~c"]
            assert code == "unknown_field"
            assert pointer.endswith("/a~1b~0c")
            assert resolve({**valid}, pointer.rsplit("/", 1)[0]) is holder or holder is valid


@settings(deadline=None)
@given(toy.STATES, toy.ACTIONS)
def test_what_is_dumped_loads_to_the_same(state: toy.State, action: Any) -> None:
    data = {"state": toy.WIRE.dump_state(state), "action": toy.WIRE.dump_action(action)}
    for text in (write(data), canonical(data)):
        assert BODIES.apply.load(read(text)) == StateAndAction(state, action)


def resolve(document: Any, pointer: str) -> Any:
    """Return what the pointer points at (RFC 6901, section 4), or raise LookupError."""
    for part in pointer.split("/")[1:]:
        assert re.search(r"~(?![01])", part) is None
        name = part.replace("~1", "/").replace("~0", "~")
        document = document[int(name) if isinstance(document, list) else name]
    return document


def unescaped(name: str) -> str:
    """Return the name of a member as its step of a pointer spells it (RFC 6901)."""
    return name.replace("~1", "/").replace("~0", "~")


def points_into(document: Any, fault: Fault) -> bool:
    """Tell whether the pointer is right: at what is there, or at the place of what is missing."""
    if len(fault.pointer) == LONGEST_QUOTE:
        return fault.pointer.endswith("…")
    holder, _, name = fault.pointer.rpartition("/")
    if fault.code.name == "required" and fault.params["fields"] == (unescaped(name),):
        return name not in resolve(document, holder)
    resolve(document, fault.pointer)
    return True


@settings(deadline=None, max_examples=tries(150, 600))
@given(st.data())
def test_a_damaged_body_is_loaded_or_refused_with_pointers_into_it(data: st.DataObject) -> None:
    body, valid = VALID[data.draw(st.sampled_from(sorted(VALID)))]
    document = data.draw(toy.damaged(valid))
    try:
        body.load(document)
    except InvalidRequest as refused:
        faults = refused.faults
    else:
        return
    assert all(points_into(without_surrogates(document), fault) for fault in faults)
    assert write([[fault.pointer, fault.code.name, dict(fault.params)] for fault in faults])


def without_surrogates(value: Any) -> Any:
    """Return `value` as the faults quote it: a lone surrogate cannot be sent."""
    if isinstance(value, dict):
        return {
            name.encode(errors="replace").decode(): without_surrogates(part)
            for name, part in value.items()
        }
    return list(map(without_surrogates, value)) if isinstance(value, list) else value


@settings(deadline=None, max_examples=tries(100, 400))
@given(st.data())
def test_damaged_bytes_are_loaded_or_refused(data: st.DataObject) -> None:
    """T21: whatever comes, nothing else is raised."""
    body, valid = VALID[data.draw(st.sampled_from(sorted(VALID)))]
    text = write(valid)
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 20))
        text = text[:start] + data.draw(st.binary(max_size=3) | pieces(text)) + text[end:]
    try:
        body.load(read(text))
    except (Malformed, InvalidRequest) as refused:
        kept = refused
    else:
        return
    assert type(kept) in {Malformed, InvalidRequest}


def pieces(text: bytes) -> st.SearchStrategy[bytes]:
    """Return a strategy for parts of `text`, so that names and brackets come twice."""
    return st.tuples(st.integers(0, len(text)), st.integers(1, 30)).map(
        lambda cut: text[cut[0] : cut[0] + cut[1]]
    )


def test_no_more_faults_are_named_than_an_answer_shows() -> None:
    body = session_creation({"toy": Hosted(toy.WIRE, "toy_seconds", has_opponents=True)}, 100)
    bots = dict.fromkeys(map(str, range(100, 1_000)), "greedy")
    with pytest.raises(InvalidRequest) as refused:
        body.load({"game": "toy", "seats": 2, "bots": bots})
    assert len(refused.value.faults) == ENOUGH
    assert refused.value.faults[0].pointer == "/bots/100"


def test_a_game_without_the_default_ruleset_is_a_bug() -> None:
    with pytest.raises(ValueError, match="gamerules"):
        Bodies.of(replace(toy.WIRE, rulesets=("house",)))
