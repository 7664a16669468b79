"""The comparison is quiet where nothing differs and finds a mistake where there is one."""

import pytest

from tests.reference import differential, splendor
from tests.reference.differential import Effort
from tests.reference.draw_splendor import SPLENDOR
from tests.reference.mistaken import find, mistaken

QUICK = Effort(actions=16, damages=4, turns_every=15)
GAMES = 12  # tried for each mistake
STEPS = 60

MISTAKES = {
    "S16 the lowest card is drawn": (
        "row[slot] = None if has_counts(state) or not deck else deck.pop()",
        "row[slot] = None if has_counts(state) or not deck else deck.pop(0)",
    ),
    "S20 a stuck seat is not skipped": (
        'elif option(state, "pass") == "never" and not can_act(state, state["to_act"]):',
        "elif False:",
    ),
    "S22 a deadlock goes on": ("elif is_deadlocked(state):", "elif False:"),
    "S24 two may be taken of three": ("scarce = max(1, min(3, there))", "scarce = min(2, there)"),
    "S28 four is too few": (
        'if state["bank"][action["color"]] < option',
        'if state["bank"][action["color"]] <= option',
    ),
    "S34 one card too many in the hand": (
        'if len(player["reserved"]) >= option(state, "reserve_limit"):\n        yield "reserve',
        'if len(player["reserved"]) > option(state, "reserve_limit"):\n        yield "reserve',
    ),
    "S35 gold does not come with the card": ('"gold": min(1, ', '"gold": min(0, '),
    "S44 a surplus bonus pays another colour": (
        "return {gem: max(0, CARDS[card][gem] - have[gem]) for gem in GEMS}",
        "return {gem: CARDS[card][gem] - have[gem] for gem in GEMS}",
    ),
    "S47 overpaying": (
        "if total(paid) != total(due) or any(paid[gem] > due[gem] for gem in GEMS):",
        "if total(paid) < total(due):",
    ),
    "S49 gold is never spent by choice": (
        'elif option(state, "gold_payment") == "needed_only":',
        "else:",
    ),
    "S54 the last of the hand is bought": (
        'player["reserved"].pop(reserved_place(state, player, card))',
        'player["reserved"].pop()',
    ),
    "S56 more than the surplus is returned": (
        "if total(back) != surplus:",
        "if total(back) < surplus:",
    ),
    "S57 only drawn tokens go back": (
        'if option(state, "returns") == "drawn" and back',
        "if back",
    ),
    "S63 one bonus less suffices": (
        "all(have[gem] >= TILES[tile][gem] for gem in GEMS)]",
        "all(have[gem] >= TILES[tile][gem] - 1 for gem in GEMS)]",
    ),
    "S65 every noble comes": (
        "if len(visitors) > 1 and named is None:",
        "if False:",
    ),
    "S66 a noble is refused": ('elif action["noble"] not in _visitors', "elif not _visitors"),
    "S70 the round is not completed": (
        'if state["final_round"] and state["turn"] % len(state["players"]) == 0:',
        'if state["final_round"]:',
    ),
    "S72 the least prestige wins": (
        'return not player["resigned"], prestige(player)',
        'return not player["resigned"], -prestige(player)',
    ),
    "S77 a drawn card is shown": ('"drawn_hidden": not held["hidden"],', '"drawn_hidden": True,'),
    "S78 a hand is shown": ('"all_hidden": False,', '"all_hidden": not held["hidden"],'),
    "S82 something stays hidden": (
        'if state["phase"] == "over":\n        return seen',
        'if state["phase"] == "none":\n        return seen',
    ),
    "S85 a gap is overlooked": ('yield "market_gap"', "yield from ()"),
    "S86 a surplus is overlooked": (
        'if seat != _turn_of(state) or state["phase"] not in ("return_tokens", "reveal"):',
        "if seat != _turn_of(state):",
    ),
    "S88 an undeserved noble is overlooked": ('yield "noble_undeserved"', "yield from ()"),
    "S90 nobles are not counted": (
        'max(len(player["cards"]) + len(player["reserved"]), len(player["nobles"])) > acted',
        'len(player["cards"]) + len(player["reserved"]) > acted',
    ),
    "S91 the final round is overlooked": (
        'if state["final_round"] != bool(reached) or',
        'if state["final_round"] and not reached or',
    ),
    "S92 a single noble is a choice": (
        "len(could_visit(state, _turn_of(state))) > 1",
        "len(could_visit(state, _turn_of(state))) > 0",
    ),
    "a resigned seat wins": ("return not player", "return True or not player"),
    "a resigned seat acts": (
        'if state["players"][state["to_act"]]["resigned"]:\n        _tell',
        "if False:\n        _tell",
    ),
    "a reveal may name any card": (
        "if card not in unseen_cards(state, level):\n        yield",
        "if False:\n        yield",
    ),
    "a noble is named before a reveal": (
        " or _leaves_a_reveal(state, action):\n        yield",
        ":\n        yield",
    ),
    "a refill is not taken from the count": (
        'deck["count"] -= 1\n        row[slot] = UNKNOWN',
        "row[slot] = UNKNOWN",
    ),
    "an unknown hand holds any card": (
        'if "card" not in held and held["level"] == level and',
        'if "card" not in held and',
    ),
    "the second deck is shuffled as the first": ("splendor/deck/{level}", "splendor/deck/1"),
    "a wrong pointer": ('f"/colors/{place}"', '"/colors"'),
    "an event less": ('_tell(state, events, "final_round_started")', "pass"),
}
"""What is done wrong, the right text of the reference, and the wrong one."""


def test_the_reference_agrees_with_itself() -> None:
    """Nothing is reported where nothing differs, and every state played passes the audit."""
    for game in range(3):
        found = differential.play(SPLENDOR, f"agreement {game}", STEPS, splendor, effort=QUICK)
        assert not found, str(found[0])


@pytest.mark.parametrize(("right", "wrong"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_found(right: str, wrong: str) -> None:
    """One wrong line in the rules shows within a few games."""
    find(SPLENDOR, mistaken(splendor, right, wrong), GAMES, STEPS, QUICK)


def test_the_same_seed_asks_the_same() -> None:
    """A difference can be played again, and says what differs where."""
    wrong = mistaken(splendor, *MISTAKES["a wrong pointer"])
    first, second = (
        differential.play(SPLENDOR, "again", STEPS, wrong, most=3, effort=QUICK) for _ in range(2)
    )
    assert first == second
    assert "violations differs in game 'again' at step" in str(first[0])
