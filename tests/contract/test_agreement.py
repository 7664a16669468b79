"""Document and code give every body the same verdict.

With one exception, which JSON Schema cannot express: it takes 1.0 for an integer, this service
does not. Mutations hold no such float; the last test shows what becomes of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from splendor_api.games.registry import GAMES
from splendor_api.wire.bodies import JOIN, SESSION_UPDATE, UNDO, Body
from splendor_api.wire.faults import Fault, InvalidRequest
from tests.contract import agreement
from tests.contract.agreement import (
    KNOWN,
    MUTATIONS,
    compare,
    is_documented,
    is_read,
    sweep,
    takes,
)
from tests.contract.bodies import CALLS, bodies, mutated, swept
from tests.contract.validation import Contract, contract
from tests.strategies.profiles import tries

EXAMPLES = tries(2, 6)  # of each call, with fifty mutations each


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("game", GAMES)
def test_a_body_gets_one_verdict(game: str, call: str) -> None:
    seen = compare(game, call, EXAMPLES)
    assert seen.total() >= EXAMPLES * MUTATIONS
    assert seen[True] > 0
    assert seen[False] > 0


def test_every_place_of_a_body_gets_one_verdict() -> None:
    seen = sweep("splendor", "apply", _rich())
    assert seen.total() > 10_000
    assert seen[True] > 500


@pytest.mark.parametrize(
    ("schema", "change"),
    [
        ("SplendorTokenMap", {"required": ["gold"]}),
        ("SplendorCardId", {"maximum": 91}),
        ("SplendorState", {"additionalProperties": True}),
        ("SplendorSlot", {"oneOf": [{"$ref": "#/components/schemas/SplendorCardId"}]}),
    ],
)
def test_another_document_is_found_out(
    schema: str, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = deepcopy(contract().data)
    data["components"]["schemas"][schema].update(change)
    changed = Contract(data)
    monkeypatch.setattr(agreement, "contract", lambda: changed)
    with pytest.raises(AssertionError):
        sweep("splendor", "apply", _rich())


@pytest.mark.parametrize(
    ("method", "path", "body", "reader"),
    [
        ("patch", "/v1/sessions/{session}", {"spectators": True}, SESSION_UPDATE),
        ("post", "/v1/sessions/{session}/undo", {"do": "propose"}, UNDO),
        ("post", "/v1/sessions/{session}/join", {"claim": "y" * 43}, JOIN),
    ],
)
def test_every_place_of_a_small_body_gets_one_verdict(
    method: str, path: str, body: Any, reader: Body[Any]
) -> None:
    seen = Counter(
        _agreed(takes(path, method, changed), reader, changed) for changed in swept(body, KNOWN)
    )
    assert min(seen[True], seen[False]) > 0


def _agreed(verdict: bool, reader: Body[Any], body: Any) -> bool:
    try:
        reader.load(body)
    except InvalidRequest:
        assert not verdict, body
    else:
        assert verdict, body
    return verdict


@pytest.mark.parametrize("game", GAMES)
def test_what_a_session_takes_is_documented(game: str) -> None:
    path = "/v1/sessions/{session}/actions"
    seen: Counter[bool] = Counter()

    @settings(max_examples=30, suppress_health_check=list(HealthCheck))
    @given(bodies(GAMES[game], "apply"), st.randoms(use_true_random=True))
    def judge(body: Any, chance: Any) -> None:
        action = body["action"]
        action.pop("seat", None)
        mutants = [mutated({"action": action}, KNOWN, chance) for _ in range(20)]
        for changed in ({"action": action}, *mutants):
            if not isinstance(changed, dict) or changed.keys() != {"action"}:
                assert not takes(path, "post", changed)
                continue
            is_taken = _is_taken(game, changed["action"])
            assert takes(path, "post", changed) or not is_taken, changed
            seen[is_taken] += 1

    judge()
    assert min(seen[True], seen[False]) > 0


def _is_taken(game: str, action: Any) -> bool:
    """Tell whether a session reads an action, of seat 0 unless it names another."""
    faults: list[Fault] = []
    named = {"seat": 0, **action} if isinstance(action, dict) else action
    GAMES[game].wire.action.read(named, faults)
    return not faults


def test_an_integral_float_is_documented_and_not_read() -> None:
    example = contract().data["components"]["examples"]["apply_request"]["value"]
    assert is_read("splendor", "apply", example)
    count = 0
    for body in _with_a_float(example):
        assert is_documented("splendor", "apply", body)
        assert not is_read("splendor", "apply", body)
        count += 1
    assert count > 50


def _rich() -> Any:
    """Return a body in which everything occurs that a state can hold."""
    body = deepcopy(contract().data["components"]["examples"]["apply_request"]["value"])
    state = body["state"]
    state["market"]["1"][0] = "unknown"
    state["market"]["1"][1] = None
    state["drawn"] = {"white": 1, "gold": 1}
    state["outcome"] = {
        "reason": "deadlock",
        "winners": [0],
        "ranking": [{"seat": 0, "rank": 1, "prestige": 3, "cards": 2}],
    }
    state["players"][0]["cards"] = [1, 90]
    state["players"][0]["nobles"] = [10]
    state["players"][0]["reserved"] = [{"card": 7, "hidden": True}, {"level": 3, "hidden": True}]
    body["action"] |= {"seat": 0, "return": {"gold": 1}, "noble": 1}
    return body


def _with_a_float(value: Any) -> Iterator[Any]:
    """Yield `value` with one of its integers turned into the float of the same size."""
    if type(value) is int:
        yield float(value)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from ({**value, name: other} for other in _with_a_float(member))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            for other in _with_a_float(item):
                yield [*value[:place], other, *value[place + 1 :]]
