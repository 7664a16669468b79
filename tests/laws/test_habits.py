"""The laws know every game that there is."""

from __future__ import annotations

from splendor_api.games.registry import GAMES
from tests.strategies.habits import HABITS


def test_every_game_has_its_habits() -> None:
    assert HABITS.keys() == GAMES.keys()


def test_a_game_is_registered_under_its_name() -> None:
    for name, entry in GAMES.items():
        assert entry.rules.name == entry.wire.game == name
