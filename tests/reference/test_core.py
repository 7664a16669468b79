"""The core and the reference give one answer to every question; two authors wrote them."""

from pathlib import Path

import pytest

from splendor_api.games.registry import GAMES
from tests.reference.__main__ import main as compare
from tests.reference.core import Core
from tests.reference.differential import Effort, play
from tests.reference.subjects import SUBJECTS
from tests.strategies.profiles import tries


@pytest.mark.parametrize("number", range(tries(3, 8)))
@pytest.mark.parametrize("game", GAMES)
def test_core_and_reference_agree(game: str, number: int) -> None:
    effort = Effort(actions=12, damages=4)
    differences = play(SUBJECTS[game], f"core {number}", 40, Core(game), effort=effort)
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


def test_a_comparison_goes_on_where_it_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A million actions need not be judged at a stretch; what was compared is told at the end."""
    kept = tmp_path / "build" / "kept.json"
    assert compare("set", 100, kept) == 0
    first = capsys.readouterr().out.splitlines()[-1]
    assert compare("set", 100, kept) == 0
    assert capsys.readouterr().out.splitlines()[-1] == first
    assert compare("set", 2_000, kept) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert first.endswith("in 1 series: 0 differences")
    assert last.endswith("in 2 series: 0 differences")
