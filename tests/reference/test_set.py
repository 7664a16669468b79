"""The second SET is right on the worked cases, and a mistake in it is found."""

from typing import Any

import pytest

from tests.reference import set as reference
from tests.reference.differential import Effort, play
from tests.reference.draw_set import SET
from tests.reference.mistaken import find, mistaken
from tests.reference.test_reference_cases import cases

QUICK = Effort(actions=8, damages=6, turns_every=20)
GAMES = 10  # tried for each mistake
STEPS = 60

MISTAKES = {
    "T3 the quick deck is another": ('["shading"] == "solid"', '["shading"] == "open"'),
    "T9 a set may be spoilt in shading": (
        'FEATURES = ("number", "shading", "color", "shape")',
        'FEATURES = ("number", "color", "shape")',
    ),
    "T10 features are named that are all different": (
        "for card in three}) == 2",
        "for card in three}) > 1",
    ),
    "T14 a call shuts nobody out": (
        'return seats_left(state) if state["to_act"] is None else [state["to_act"]]',
        "return seats_left(state)",
    ),
    "T15 a caller may call again": ('elif state["phase"] == "called":\n', "elif False:\n"),
    "T19 there is always a call to forfeit": ('elif state["phase"] == "open":\n', "elif False:\n"),
    "T22 a card may be named twice": ("if card in cards[:place]:", "if False:"),
    "T25 a failed claim is no turn": (
        'state |= {"phase": "open", "to_act": None, "turn": state["turn"] + 1}',
        'state |= {"phase": "open", "to_act": None}',
    ),
    "T26 the penalty is not counted": (
        'int(player["failed"] * option(state, "penalty"))',
        'player["failed"]',
    ),
    "T28 slots are filled from the last": (
        "for slot, card in zip(slots, cards, strict=True):",
        "for slot, card in zip(reversed(slots), cards, strict=True):",
    ),
    "T29 extra cards are replaced": ('if len(table) > option(state, "table_size"):', "if False:"),
    "T30 the last card moves first": (
        "for slot in range(size, len(table)):",
        "for slot in reversed(range(size, len(table))):",
    ),
    "T32 no extra cards come": (
        'return "cards" if option(state, "extra_cards") == "automatic" else None',
        "return None",
    ),
    "T36 all but one are enough": (
        'if state["no_set"] and all(',
        'if len(state["no_set"]) > 1 or state["no_set"] and all(',
    ),
    "T37 a saying outlives the cards": (
        '    state["no_set"] = []\n    events.append({"type": "cards_dealt"',
        '    events.append({"type": "cards_dealt"',
    ),
    "T38 nothing is certain": ("else 10", "else 99"),
    "T39 an agreement ends nothing": (
        'return "cards" if state["deck"] else "agreed"',
        'return "cards" if state["deck"] else None',
    ),
    "T40 a seat alone never loses": ('option(state, "solo_no_set") == "lose")', "False)"),
    "T41 the game goes on": ('return "no_set_left"', "return None"),
    "T42 the lowest score wins": (
        'return bool(players[one]["score"] > players[other]["score"])',
        'return bool(players[one]["score"] < players[other]["score"])',
    ),
    "T46 the deck is shown": (
        'if state["phase"] != "over":\n        seen',
        "if False:\n        seen",
    ),
    "T48 a card may be twice": ('yield "card_duplicate"', "yield from ()"),
    "T49 any three may be won": ('yield "not_a_set"', "yield from ()"),
    "T50 a gap is overlooked": ('return not state["deck"] and bool(slots == size)', "return True"),
    "T51 a table without a set is overlooked": ('yield "no_set_on_table"', "yield from ()"),
    "a resigned seat is waited for": (
        'return [seat for seat, player in enumerate(state["players"]) if not player["resigned"]]',
        'return [*range(len(state["players"]))]',
    ),
    "a call outlives its seat": (
        'if state["to_act"] == seat:\n            ',
        "if False:\n            ",
    ),
    "a wrong pointer": ('"no_set_repeated", "/seat"', '"no_set_repeated", "/type"'),
}
"""What is done wrong, the right text of the reference, and the wrong one."""


@pytest.mark.parametrize("case", cases("set.json"), ids=lambda case: case["id"])
def test_an_action_has_the_answer_of_its_case(case: dict[str, Any]) -> None:
    """The next state, or every broken rule."""
    state, action, expect = case["state"], case["action"], case["expect"]
    assert reference.audit(state) == set()
    codes = [code for code, _pointer in reference.violations(state, action)]
    assert sorted(codes) == sorted(expect.get("codes", []))
    if expect["legal"]:
        after, _events = reference.apply(state, action)
        assert after == expect["state"]
        assert reference.audit(after) == set()


@pytest.mark.parametrize(
    "case",
    [case for case in cases("deal.json") if case["game"] == "set"],
    ids=lambda case: case["seed"],
)
def test_a_deal_follows_its_seed(case: dict[str, Any]) -> None:
    """The shuffle is the one that every language can repeat."""
    state = reference.deal(case["seats"], case["ruleset"], None, case["seed"])
    assert {key: state[key] for key in case["expect"]} == case["expect"]


def test_the_reference_agrees_with_itself() -> None:
    """Nothing is reported where nothing differs, and every state played passes the audit."""
    assert not play(SET, "agreement", STEPS, reference, effort=QUICK)


@pytest.mark.parametrize(("right", "wrong"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_found(right: str, wrong: str) -> None:
    """One wrong line in the rules shows within a few games."""
    find(SET, mistaken(reference, right, wrong), GAMES, STEPS, QUICK)
