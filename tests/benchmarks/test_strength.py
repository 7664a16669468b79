"""Matches between opponents are played as they are said to be; who wins is not judged here."""

from __future__ import annotations

import pytest

from benchmarks.strength import Match, Played, play, score, table, wilson

QUICK = Match("strong", "greedy", seats=2, games=4, goal=0.85)


def test_a_game_is_the_same_again_and_a_deal_is_played_from_each_seat() -> None:
    first, second = (play(QUICK, 8, number) for number in (0, 1))
    again = play(QUICK, 8, 0)
    assert again._replace(seconds=0) == first._replace(seconds=0)
    assert first.decisions > 10
    assert 0 < first.playouts <= 8 * first.decisions
    assert (first.playouts, first.decisions) != (second.playouts, second.decisions)


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (170, 200, 0.794, 0.893),
    ],
)
def test_bounds_are_wilsons(won: int, games: int, low: float, high: float) -> None:
    bounds = wilson(won, games)
    assert bounds[0] == pytest.approx(low, abs=5e-4)
    assert bounds[1] == pytest.approx(high, abs=5e-4)


def test_a_match_is_told_in_a_line() -> None:
    played = [Played(1.0, 20, 2.0, 400), Played(0.5, 20, 2.0, 400)] * 2
    (_, _, line) = table([score(QUICK, played)])
    assert line.split(" | ") == [
        "| `strong` against `greedy`",
        *("2", "4", "75.0%", "30.1% to 95.4%", "≥ 85%, missed", "20", "100.0 |"),
    ]
