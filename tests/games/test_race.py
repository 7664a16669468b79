"""Races between actions."""

from __future__ import annotations

import pytest

from splendor_api.games.opponents import BY_CHANCE, Effort, Fact
from splendor_api.games.race import FIRST_LOOK, race


def noisy(world: int, action: float) -> float:
    """Return a score in which the worlds differ more than the actions do."""
    return 10 * (world * 7919 % 13) + action + (world + action) % 3 / 2


def test_a_world_is_the_same_for_all_who_are_played_out_in_it() -> None:
    scores = race((0, 3), lambda number: number, noisy, Effort(playouts=10))
    assert scores[0] == tuple(noisy(world, 0) for world in range(5))
    assert scores[1] == tuple(noisy(world, 3) for world in range(5))


def test_who_is_clearly_behind_is_out_and_the_best_goes_on() -> None:
    def even_odd_or_lost(world: int, action: int) -> float:
        return -9.0 if action == 2 else (world + action) % 2

    scores = race((2, 0, 1), lambda number: number, even_odd_or_lost, Effort(playouts=200))
    assert tuple(map(len, scores)) == (FIRST_LOOK, 97, 97)


def test_a_race_ends_when_one_is_left() -> None:
    scores = race((0, 9), lambda number: number, noisy, Effort(playouts=10_000))
    assert tuple(map(len, scores)) == (FIRST_LOOK, FIRST_LOOK)


def test_one_alone_need_not_run() -> None:
    assert race((1,), lambda number: number, noisy, Effort(playouts=100)) == ((),)


@pytest.mark.parametrize("playouts", [1, 2, 3, 7, 20])
def test_no_more_is_played_out_than_allowed(playouts: int) -> None:
    scores = race((0, 0.1, 0.2), lambda number: number, noisy, Effort(playouts))
    assert sum(map(len, scores)) == playouts // 3 * 3


def test_a_race_ends_with_its_time() -> None:
    looks = iter((True, True, False))
    scores = race((0, 0.1), lambda number: number, noisy, Effort(100, lambda: next(looks)))
    assert tuple(map(len, scores)) == (2, 2)


def test_what_was_cut_short_is_what_so_many_playouts_say() -> None:
    looks = iter((True, True, True, False))
    cut = race((0, 0.1), lambda number: number, noisy, Effort(100, lambda: next(looks)))
    assert cut == race((0, 0.1), lambda number: number, noisy, Effort(sum(map(len, cut))))


def test_a_fact_is_told_with_just_its_parameters() -> None:
    assert BY_CHANCE.of().params == {}
    fact = Fact("wide", "It is {width} wide.", "How wide it is.", ("width",))
    assert fact.of(width=3).params == {"width": 3}
    with pytest.raises(TypeError, match="wide"):
        fact.of(height=3)
