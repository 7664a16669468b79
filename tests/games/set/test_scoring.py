"""Who wins, and what the end leaves as it is (T26, T27, T41 to T44)."""

from __future__ import annotations

from typing import Any

import pytest

from splendor_api.games.set.actions import Call, Forfeit, NoSet, Resign
from splendor_api.games.set.components import holds_set
from splendor_api.games.set.events import GameOver, Standing
from splendor_api.games.set.state import State, cards_on, deck_size
from tests.games.set.table import (
    AGREED,
    DEALT_WITHOUT_SET,
    ROWS,
    after,
    claim,
    dealt,
    events,
    kinds,
    laid,
    last,
    played,
    right,
    step,
)

LAST_ROW = (1, 2, 3)
ALMOST_EMPTY = (*LAST_ROW, *(None,) * 9)
SEEDS = tuple(map(str, range(40)))
ENDS = {"full": {0, 6, 9, 12, 15, 18}, "quick": {0, 6, 9}}


def shared(*shares: int, failed: tuple[int, ...] = (), **options: Any) -> State:
    """Return a game before its last set: each seat has its share of the sets and failed calls."""
    rows = iter(row for row in ROWS if row != LAST_ROW)
    won = [(seat, next(rows)) for seat, share in enumerate(shares) for _ in range(share)]
    state = laid(ALMOST_EMPTY, won=won, seats=len(shares), **options)
    for seat, count in enumerate(failed):
        for _ in range(count):
            state = after(state, Call(seat), Forfeit(seat))
    return state


def ranking(state: State) -> list[tuple[int, int, int]]:
    """Return seat, rank and score of each seat, best first."""
    assert state.outcome is not None
    return [(each.seat, each.rank, each.score) for each in state.outcome.ranking]


def winners(state: State) -> tuple[int, ...]:
    assert state.outcome is not None
    return state.outcome.winners


@pytest.mark.parametrize("seed", SEEDS[:10])
@pytest.mark.parametrize("penalty", [0, 1, 3])
def test_t26_scores_add_up(seed: str, penalty: int) -> None:
    state = dealt(3, seed=seed, penalty=penalty)
    for made in played(after(state, Call(1), Forfeit(1), Call(2), Forfeit(2))):
        players = made.state.players
        sets, failed = sum(len(each.sets) for each in players), sum(each.failed for each in players)
        assert sum(each.score for each in players) == sets - penalty * failed
        assert made.state.turn == sets + failed
        won = 3 * sets
        assert won + len(cards_on(made.state.table)) + deck_size(made.state.deck) == 81


def test_t26_a_score_may_be_negative_and_sets_are_kept() -> None:
    state = shared(1, 25, failed=(4, 0))
    assert (state.players[0].score, len(state.players[0].sets)) == (-3, 1)


def test_t27_the_count_at_the_end_gives_no_new_points() -> None:
    before = shared(12, 14, failed=(0, 3))
    made = step(before, claim(0, *LAST_ROW))
    assert [each.score for each in made.state.players] == [13, 11]
    assert ranking(made.state) == [(0, 1, 13), (1, 2, 11)]
    assert [event.type for event in made.events] == ["set_claimed", "game_over"]


def test_t41_the_game_is_over_without_a_deck_and_a_set() -> None:
    made = step(shared(26, 0), claim(0, *LAST_ROW))
    assert (made.state.phase, made.state.to_act) == ("over", None)
    assert made.state.outcome is not None
    assert made.state.outcome.reason == "no_set_left"
    assert made.events[-1] == GameOver(made.state.outcome)


@pytest.mark.parametrize("seed", SEEDS)
def test_t41_it_goes_on_until_then_and_no_longer(seed: str) -> None:
    state = dealt(seed=seed)
    for made in played(state):
        left = bool(made.state.deck) or holds_set(cards_on(made.state.table))
        assert (made.state.phase != "over") == left


@pytest.mark.parametrize("seed", SEEDS)
def test_t41_cards_left_on_the_table_belong_to_nobody(seed: str) -> None:
    end = last(dealt(2, seed=seed))
    assert sum(each.score for each in end.players) == (81 - len(cards_on(end.table))) // 3


def test_t42_seats_level_on_the_highest_score_win_together() -> None:
    end = after(shared(13, 13, failed=(1, 0)), claim(0, *LAST_ROW))
    assert ranking(end) == [(0, 1, 13), (1, 1, 13)]
    assert winners(end) == (0, 1)


def test_t42_after_a_tie_the_next_rank_is_left_out() -> None:
    end = after(shared(8, 9, 9), claim(0, *LAST_ROW))
    assert ranking(end) == [(0, 1, 9), (1, 1, 9), (2, 1, 9)]
    end = after(shared(9, 8, 9, 0), claim(1, *LAST_ROW))
    assert ranking(end) == [(0, 1, 9), (1, 1, 9), (2, 1, 9), (3, 4, 0)]


def test_t42_a_negative_score_can_win() -> None:
    end = after(shared(13, 13, failed=(5, 5), penalty=3), claim(1, *LAST_ROW))
    assert ranking(end) == [(1, 1, -1), (0, 2, -2)]
    assert winners(end) == (1,)


def test_t43_a_seat_alone_wins_with_any_score() -> None:
    end = after(shared(26, failed=(10,), penalty=3), claim(0, *LAST_ROW))
    assert ranking(end) == [(0, 1, -3)]
    assert winners(end) == (0,)


@pytest.mark.parametrize("seed", DEALT_WITHOUT_SET)
def test_t43_t40_but_not_if_it_has_lost(seed: str) -> None:
    end = dealt(1, seed=seed, solo_no_set="lose")
    assert winners(end) == ()
    assert ranking(end) == [(0, 1, 0)]


def test_t40_a_seat_alone_loses_as_soon_as_its_table_holds_no_set() -> None:
    reasons = set()
    for seed in SEEDS:
        state = dealt(1, "publisher", seed)
        while state.phase != "over":
            assert holds_set(cards_on(state.table))
            state = after(state, right(state))
        assert state.outcome is not None
        reasons.add(state.outcome.reason)
        is_lost = bool(state.deck)
        assert (state.outcome.reason == "lost") == is_lost
        assert winners(state) == (() if is_lost else (0,))
        assert not holds_set(cards_on(state.table))
    assert reasons == {"lost", "no_set_left"}


@pytest.mark.parametrize("deck", ENDS)
def test_t44_so_many_cards_are_left_and_never_three(deck: str) -> None:
    ends = [last(dealt(seed=seed, deck=deck)) for seed in SEEDS]
    left = {len(cards_on(end.table)) for end in ends}
    assert 6 in left
    assert left <= ENDS[deck]


def test_t44_the_last_three_cards_always_are_a_set() -> None:
    """Whichever sets go, the cards left add up to nothing, as all cards do: so do three."""
    for seed in SEEDS:
        for made in played(dealt(seed=seed)):
            assert len(cards_on(made.state.table)) != 3 or holds_set(cards_on(made.state.table))


def test_t44_t39_the_players_may_end_with_three() -> None:
    state = shared(13, 13, **AGREED)
    end = after(state, NoSet(0), NoSet(1))
    assert end.outcome is not None
    assert (end.outcome.reason, cards_on(end.table)) == ("agreed", list(LAST_ROW))
    assert kinds(after(state, NoSet(0)), NoSet(1)) == ["no_set_said", "game_over"]


def test_a_seat_that_resigned_comes_after_all_others() -> None:
    end = after(shared(20, 4, 2), Resign(0), claim(1, *LAST_ROW))
    assert ranking(end) == [(1, 1, 5), (2, 2, 2), (0, 3, 20)]
    assert winners(end) == (1,)


def test_an_outcome_is_told_by_the_last_event() -> None:
    (*_, told) = events(shared(0, 26), claim(0, *LAST_ROW))
    assert isinstance(told, GameOver)
    assert told.outcome.ranking == (Standing(1, 1, 26), Standing(0, 2, 1))
