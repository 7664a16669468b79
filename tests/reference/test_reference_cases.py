"""The reference is right on the worked cases, so that it may judge the service."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reference import splendor

SETTLED = ("payment", "return", "noble")
CASES = Path(__file__).parents[1] / "cases"


def cases(name: str) -> list[dict[str, Any]]:
    """Return the worked cases of one file."""
    text = (CASES / name).read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["cases"]
    return found


@pytest.mark.parametrize("case", cases("splendor.json"), ids=lambda case: case["id"])
def test_an_action_has_the_answer_of_its_case(case: dict[str, Any]) -> None:
    """The next state, or every broken rule."""
    state, action, expect = case["state"], case["action"], case["expect"]
    codes = [code for code, _pointer in splendor.violations(state, action)]
    assert codes == expect.get("codes", [])
    if expect["legal"]:
        assert splendor.apply(state, action)[0] == expect["state"]


@pytest.mark.parametrize("case", cases("splendor.json"), ids=lambda case: case["id"])
def test_the_states_of_a_case_pass_the_audit(case: dict[str, Any]) -> None:
    """No case starts from a state that play can not have produced, nor leads to one."""
    assert splendor.audit(case["state"]) == set()
    if case["expect"]["legal"]:
        assert splendor.audit(case["expect"]["state"]) == set()


@pytest.mark.parametrize("case", cases("splendor.json"), ids=lambda case: case["id"])
def test_a_choice_is_listed_exactly_if_it_is_legal(case: dict[str, Any]) -> None:
    """A choice leaves payment, return and noble open, as the list does."""
    settled = ("payment", "return") if case["action"]["type"] == "choose_noble" else SETTLED
    choice = {key: value for key, value in case["action"].items() if key not in settled}
    is_listed = choice in splendor.legal_choices(case["state"])
    if choice["type"] in ("take_different", "return_tokens"):
        listed = [
            splendor.normal(case["state"], action)
            for action in splendor.legal_choices(case["state"])
        ]
        is_listed = splendor.normal(case["state"], choice) in listed
    assert is_listed == (not splendor.violations(case["state"], choice))


@pytest.mark.parametrize(
    "case",
    [case for case in cases("deal.json") if case["game"] == "splendor"],
    ids=lambda case: f"{case['seats']}-{case['ruleset']}",
)
def test_a_deal_follows_its_seed(case: dict[str, Any]) -> None:
    """The shuffle is the one that every language can repeat."""
    state = splendor.deal(case["seats"], case["ruleset"], None, case["seed"])
    assert {key: state[key] for key in case["expect"]} == case["expect"]
    assert splendor.audit(state) == set()
