"""How opponents play SET: what they find, how long they look, how often they err."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from statistics import mean

import pytest

from splendor_api.games.opponents import LEVELS, Effort, Level
from splendor_api.games.registry import GAMES
from splendor_api.games.set import turn
from splendor_api.games.set.actions import Call, Claim, Forfeit, NoSet
from splendor_api.games.set.components import is_set, sets_among
from splendor_api.games.set.deal import deal
from splendor_api.games.set.observe import observe
from splendor_api.games.set.opponents import (
    LEAVES_SETS,
    MOST_GUESSES,
    NO_SET_SEEN,
    PACES,
    advise,
    patience,
    play,
)
from splendor_api.games.set.state import State, cards_on

EFFORT = Effort(playouts=1)
SEEDS = tuple(map(str, range(200)))


def table(seed: str = "set", seats: int = 2, **options: str) -> State:
    """Return a first state as everybody sees it."""
    return observe(deal(seats, "gamerules", options, seed), None)


def waited(state: State, seat: int, level: Level, seed: str) -> int:
    """Return how long the seat looks, which has something to do."""
    wait = patience(state, seat, level, seed)
    assert wait is not None
    return wait


def without_set() -> State:
    """Return a table without a set, at which the seats have to say so."""
    tables = (table(seed, extra_cards="agreed") for seed in map(str, range(500)))
    return next(state for state in tables if not any(sets_among(cards_on(state.table))))


@pytest.mark.parametrize("level", ["greedy", "strong"])
def test_every_set_of_the_table_is_ranked(level: Level) -> None:
    for seed in SEEDS[:20]:
        state = table(seed)
        ranked = advise(state, 1, level, seed, EFFORT).ranked
        actions = [one.action for one in ranked]
        claimed = {action.cards for action in actions if isinstance(action, Claim)}
        assert claimed == set(sets_among(cards_on(state.table)))
        assert len(claimed) == len(actions)


def test_the_greedy_take_any_set() -> None:
    state = next(each for each in map(table, SEEDS) if len(_sets(each)) > 2)
    firsts = {advise(state, 0, "greedy", seed, EFFORT).ranked[0].action for seed in SEEDS}
    assert len(firsts) == len(_sets(state))


def _sets(state: State) -> list[tuple[int, int, int]]:
    return list(sets_among(cards_on(state.table)))


@pytest.mark.parametrize(("seats", "best"), [(2, min), (1, max)])
def test_the_strong_leave_the_fewest_sets_to_others(
    seats: int, best: Callable[[list[object]], object]
) -> None:
    state = next(each for each in map(table, SEEDS) if len(_sets(each)) > 3)
    state = state._replace(players=state.players[:seats])
    ranked = advise(state, 0, "strong", "any", EFFORT).ranked
    left = [
        reason.params["count"]
        for one in ranked
        for reason in one.reasons
        if reason.fact is LEAVES_SETS
    ]
    assert len(set(left)) > 1
    assert left[0] == best(left)
    for one, count in zip(ranked, left, strict=True):
        assert isinstance(one.action, Claim)
        rest = [card for card in cards_on(state.table) if card not in one.action.cards]
        assert count == sum(1 for _ in sets_among(rest))


def test_chance_guesses_any_three_cards() -> None:
    state = table()
    ranked = [one for seed in SEEDS for one in advise(state, 0, "random", seed, EFFORT).ranked]
    guesses = [one.action.cards for one in ranked if isinstance(one.action, Claim)]
    assert len(guesses) == MOST_GUESSES * len(SEEDS)
    assert len(set(guesses)) > 190  # of 220
    assert not all(map(is_set, guesses))


def test_a_table_without_a_set_is_said_to_be_one() -> None:
    state = without_set()
    for level in ("greedy", "strong"):
        (only,) = advise(state, 1, level, "any", EFFORT).ranked
        assert only.action == NoSet(1)
        assert [reason.fact for reason in only.reasons] == [NO_SET_SEEN]


def test_nothing_is_left_to_say_once_it_is_said() -> None:
    state = turn.apply(without_set()._replace(deck=()), NoSet(1)).state
    assert advise(state, 1, "greedy", "any", EFFORT).ranked == ()
    assert play(state, 1, "greedy", "any", EFFORT) is None


def test_a_call_that_finds_no_set_is_given_up() -> None:
    state = turn.apply(without_set(), Call(0)).state
    assert play(state, 0, "strong", "any", EFFORT) == Forfeit(0)
    assert play(state, 1, "strong", "any", EFFORT) is None


@pytest.mark.parametrize("level", LEVELS)
def test_an_opponent_errs_as_often_as_it_is_said_to(level: Level) -> None:
    state, one_in = table(), PACES[level].one_wrong_in
    done = [play(state, 0, level, seed, EFFORT) for seed in map(str, range(600))]
    claims = [action for action in done if isinstance(action, Claim)]
    assert len(claims) == len(done)
    wrong = sum(not is_set(claim.cards) for claim in claims) / len(claims)
    assert wrong == pytest.approx(0 if one_in is None else 1 / one_in, abs=0.04)


def test_an_error_is_nearly_right() -> None:
    state = table()
    for action in (play(state, 0, "random", seed, EFFORT) for seed in SEEDS):
        assert isinstance(action, Claim)
        assert not list(turn.violations(state, action))
        assert any(len({*each} & {*action.cards}) >= 2 for each in _sets(state))


@pytest.mark.parametrize("level", LEVELS)
def test_an_opponent_looks_as_long_as_it_is_said_to(level: Level) -> None:
    state, pace = table(), PACES[level]
    waits = [waited(state, 0, level, seed) for seed in SEEDS]
    assert min(waits) >= pace.least
    assert max(waits) <= pace.most
    assert mean(waits) == pytest.approx((pace.least + pace.most) / 2, rel=0.1)


def test_two_opponents_do_not_find_it_at_the_same_time() -> None:
    state = table()
    assert (
        sum(patience(state, 0, "strong", s) == patience(state, 1, "strong", s) for s in SEEDS) < 5
    )


def test_the_levels_are_told_with_their_pace() -> None:
    opponents = GAMES["set"].opponents
    assert opponents is not None
    for level, pace in PACES.items():
        said = opponents.levels[level]
        assert f"after {pace.least // 1000} to {pace.most // 1000} seconds" in said


def test_players_of_three_strengths_meet() -> None:
    """Who looks longer gets less: the order of the levels is that of their scores."""
    scores = dict.fromkeys(LEVELS, 0)
    for seed in islice(SEEDS, 6):
        state = deal(3, "gamerules", {}, seed)
        while state.outcome is None:
            waits = {
                seat: waited(observe(state, seat), seat, level, seed)
                for seat, level in enumerate(LEVELS)
            }
            seat = min(waits, key=lambda each: waits[each])
            action = play(observe(state, seat), seat, LEVELS[seat], seed, EFFORT)
            assert action is not None
            state = turn.apply(state, action).state
        for level, player in zip(LEVELS, state.players, strict=True):
            scores[level] += player.score
    assert scores["random"] < scores["greedy"] < scores["strong"]
