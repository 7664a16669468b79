"""The core and the reference give one answer to every question; two authors wrote them."""

import pytest

from tests.reference.core import Core
from tests.reference.differential import Effort, play
from tests.reference.draw_splendor import SPLENDOR
from tests.strategies.profiles import tries


@pytest.mark.parametrize("seed", [f"core {number}" for number in range(tries(3, 8))])
def test_core_and_reference_agree(seed: str) -> None:
    differences = play(SPLENDOR, seed, 40, Core("splendor"), effort=Effort(actions=12, damages=4))
    assert not differences, "\n\n".join(map(str, differences))


def test_s22_stuck_seats_are_not_skipped_for_ever() -> None:
    """Nobody would ever be asked for the unknown card: the game ends (S20, S22)."""
    core = Core("splendor")
    options = {
        "token_limit": 3,
        "reserve_limit": 1,
        "gems_per_color": 1,
        "gold_tokens": 1,
        "nobles_revealed": 0,
        "take_fewer": "never",
        "reserve_without_gold": False,
        "pass": "never",
    }
    dealt = core.observe(core.deal(2, "publisher", options, "skipped"), None)
    reserved, _ = core.apply(dealt, {"type": "reserve", "level": 2})
    take = {"type": "take_different", "colors": ["white", "blue", "red"]}
    after, events = core.apply(reserved, take)
    assert after["outcome"]["reason"] == "deadlock"
    assert [event["type"] for event in events] == ["tokens_taken", "turn_ended", "game_over"]
