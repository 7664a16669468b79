"""Every worked case of Splendor, as a request would go: read, judged, applied, written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from splendor_api.games import referee
from splendor_api.games.protocol import Step
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import GAMES
from splendor_api.wire import json_text
from splendor_api.wire.bodies import Bodies
from tests.strategies.playing import as_json

SPLENDOR = GAMES["splendor"]
BODIES = Bodies.of(SPLENDOR.wire)
HERE = Path(__file__).parent


def read(name: str) -> list[Any]:
    """Return the cases of a file; such files may be deeper than a request."""
    document: Any = json_text.read((HERE / name).read_bytes())
    cases: list[Any] = document["cases"]
    return cases


CASES = read("splendor.json")
DEALS = [case for case in read("deal.json") if case["game"] == "splendor"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    body = BODIES.apply.load({"state": case["state"], "action": case["action"]})
    verdict = referee.apply(SPLENDOR.rules, body.state, body.action)
    expected = case["expect"]
    if expected["legal"]:
        assert isinstance(verdict, Step)
        assert as_json(SPLENDOR.wire.dump_state(verdict.state)) == expected["state"]
    else:
        assert isinstance(verdict, Refusal)
        assert verdict.kind == "illegal_action"
        codes = [violation.code.name for violation in verdict.violations]
        assert sorted(codes) == sorted(expected["codes"])


def test_there_are_cases() -> None:
    assert len(CASES) == 51
    assert len(DEALS) == 3
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", DEALS, ids=lambda case: f"{case['seed']}-{case['seats']}")
def test_deal(case: dict[str, Any]) -> None:
    asked = {name: case[name] for name in ("seats", "ruleset", "seed")}
    body = BODIES.deal.load(asked)
    dealt = SPLENDOR.rules.deal(body.seats, body.ruleset, body.options, case["seed"])
    written = as_json(SPLENDOR.wire.dump_state(dealt))
    assert {name: written[name] for name in case["expect"]} == case["expect"]
