from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from splendor_api.games.splendor.components import CARDS, NOBLES
from splendor_api.games.splendor.scoring import REASONS, outcome
from splendor_api.games.splendor.state import State
from tests.games.splendor.table import (
    RICH,
    after,
    codes,
    events,
    kinds,
    listed,
    pair,
    passing,
    played,
    reached,
    resign,
    written,
)


def game(seats: int = 3, seed: str = "0", **options: Any) -> list[State]:
    """Return every state of a game that was played to its end."""
    states = played(seats=seats, seed=seed, **options)
    assert states[-1].phase == "over"
    return states


def level(tie_break: str, difference: int) -> State:
    """Return a finished game whose two seats are level on prestige; seat 0 has so many cards less
    than seat 1, or as many.
    """
    return reached(
        lambda state: (
            state.phase == "over"
            and state.players[0].prestige == state.players[1].prestige
            and len(state.players[1].cards) - len(state.players[0].cards) == difference
        ),
        target_prestige=1,
        tie_break=tie_break,
    )


def test_s68_prestige_is_the_points_of_cards_and_tiles() -> None:
    for state in game(nobles_revealed=10, **RICH):
        for player in state.players:
            points = sum(CARDS[card].points for card in player.cards)
            points += sum(NOBLES[noble].points for noble in player.nobles)
            assert player.prestige == points


def test_s68_reserved_cards_count_nothing() -> None:
    state = reached(
        lambda state: (
            any(held.card and CARDS[held.card].points for held in state.players[0].reserved)
            and not state.players[0].cards
        )
    )
    assert state.players[0].prestige == 0


@pytest.mark.parametrize("target", [1, 5, 15])
def test_s69_the_target_begins_the_final_round(target: int) -> None:
    begun = 0
    for before, later in pairwise(game(target_prestige=target)):
        if later.final_round and not before.final_round:
            assert later.players[before.seat].prestige >= target
            assert before.turn < later.turn
            begun += 1
        if not later.final_round:
            assert all(
                player.prestige < target
                for seat, player in enumerate(later.players)
                if seat != later.seat or later.phase == "main"
            )
    assert begun == 1


def test_s69_it_is_told_before_the_turn_ends() -> None:
    state = reached(
        lambda state: any("final_round_started" in kinds(state, each) for each in listed(state))
    )
    action = next(each for each in listed(state) if "final_round_started" in kinds(state, each))
    told = events(state, action)
    place = [event["type"] for event in told].index("final_round_started")
    assert told[place] == {"type": "final_round_started", "seat": state.seat}
    assert told[place + 1]["type"] == "turn_ended"


def test_s69_the_points_of_the_noble_count() -> None:
    state = reached(
        lambda state: (
            state.phase == "choose_noble"
            and 12 <= state.player.prestige < 15
            and not state.final_round
        ),
        nobles_revealed=10,
        **RICH,
    )
    assert "final_round_started" in kinds(state, listed(state)[0])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_s70_the_round_is_completed(seats: int) -> None:
    for seed in map(str, range(6)):
        ended = game(seats, seed)[-1]
        assert ended.turn % seats == 0
        assert ended.final_round


def test_s70_the_last_seat_ends_the_game_with_its_turn() -> None:
    state = reached(
        lambda state: (
            state.seat == 1
            and not state.final_round
            and any("game_over" in kinds(state, each) for each in listed(state))
        )
    )
    action = next(each for each in listed(state) if "game_over" in kinds(state, each))
    assert kinds(state, action)[-3:] == ["final_round_started", "turn_ended", "game_over"]
    assert after(state, action).to_act is None


def test_s70_after_seat_0_every_other_seat_has_one_more_turn() -> None:
    states = reached_by_seat_0()
    ended = states[-1]
    begun = next(state for state in states if state.final_round)
    assert begun.seat == 1
    assert ended.turn == begun.turn + 3


def reached_by_seat_0() -> list[State]:
    """Return a game of four in which seat 0 began the final round."""
    for seed in map(str, range(40)):
        states = game(4, seed, target_prestige=5)
        if next(state for state in states if state.final_round).turn % 4 == 1:
            return states
    raise LookupError


def test_s71_another_at_the_target_changes_nothing() -> None:
    others = 0
    for seed in map(str, range(20)):
        states = game(4, seed, target_prestige=3)
        begun = next(state for state in states if state.final_round)
        others += sum(player.prestige >= 3 for player in states[-1].players) > 1
        assert states[-1].turn == begun.turn + -begun.turn % 4
    assert others > 0


def test_s72_the_most_prestige_wins_whoever_began() -> None:
    later_wins = 0
    for seed in map(str, range(30)):
        states = game(4, seed, target_prestige=4)
        ended = states[-1]
        assert ended.outcome is not None
        best = max(player.prestige for player in ended.players)
        assert all(ended.players[seat].prestige == best for seat in ended.outcome.winners)
        begun = next(state for state in states if state.final_round)
        later_wins += (begun.turn - 1) % 4 not in ended.outcome.winners
    assert later_wins > 0


def test_s73_level_players_win_together() -> None:
    state = level("shared", 1)
    assert state.outcome is not None
    assert state.outcome.winners == (0, 1)
    assert [standing.rank for standing in state.outcome.ranking] == [1, 1]
    assert [standing.seat for standing in state.outcome.ranking] == [0, 1]


def test_s73_or_the_one_with_the_fewest_cards_does() -> None:
    state = level("fewest_cards", 1)
    assert state.outcome is not None
    assert state.outcome.winners == (0,)
    assert [standing.rank for standing in state.outcome.ranking] == [1, 2]


def test_s73_reserved_cards_do_not_count() -> None:
    state = reached(
        lambda state: (
            state.phase == "over"
            and state.players[0].prestige == state.players[1].prestige
            and len(state.players[0].cards) == len(state.players[1].cards)
            and len(state.players[0].reserved) != len(state.players[1].reserved)
        ),
        target_prestige=2,
        tie_break="fewest_cards",
    )
    assert state.outcome is not None
    assert state.outcome.winners == (0, 1)


def test_s74_who_is_still_level_wins_together() -> None:
    state = level("fewest_cards", 0)
    assert state.outcome is not None
    assert state.outcome.winners == (0, 1)


def test_s75_an_empty_deck_does_not_end_the_game() -> None:
    state = reached(
        lambda state: () in state.decks and state.phase == "main",
        liked=("reserve",),
        firmness=8,
        seats=4,
        reserve_limit=10,
    )
    assert state.outcome is None


def test_s75_nor_does_an_empty_bank() -> None:
    state = reached(
        lambda state: not any(state.bank[:5]) and state.phase == "main",
        liked=("take_different",),
        gems_per_color=1,
    )
    assert state.outcome is None


def test_a_rank_is_shared_and_the_next_left_out() -> None:
    state = reached(
        lambda state: (
            state.phase == "over"
            and sorted(player.prestige for player in state.players)[1:]
            == [max(player.prestige for player in state.players)] * 2
            and min(player.prestige for player in state.players)
            < max(player.prestige for player in state.players)
        ),
        seats=3,
        ruleset="gamerules",
        target_prestige=1,
    )
    ranking = written(state)["outcome"]["ranking"]
    assert [entry["rank"] for entry in ranking] == [1, 1, 3]
    assert ranking[0]["seat"] < ranking[1]["seat"]


def test_a_standing_says_prestige_and_bought_cards() -> None:
    ended = game(2)[-1]
    for entry in written(ended)["outcome"]["ranking"]:
        player = ended.players[entry["seat"]]
        assert entry["prestige"] == player.prestige
        assert entry["cards"] == len(player.cards)


def test_resigned_seats_rank_last_whatever_they_have() -> None:
    state = reached(lambda state: state.players[0].prestige > 5, seats=3)
    best = max(range(3), key=lambda seat: state.players[seat].prestige)
    left = after(state, resign(best))
    final = outcome(left, "deadlock")
    assert final.ranking[-1].seat == best
    assert best not in final.winners


def test_the_end_is_told_last() -> None:
    state = reached(lambda state: any("game_over" in kinds(state, each) for each in listed(state)))
    action = next(each for each in listed(state) if "game_over" in kinds(state, each))
    told = events(state, action)
    assert told[-1] == {"type": "game_over", "outcome": written(after(state, action))["outcome"]}


def test_after_the_end_nothing_is_possible() -> None:
    ended = game(2)[-1]
    for action in (pair("red"), passing(), resign(0)):
        assert codes(ended, action) == ["game_over"]
    assert listed(ended) == []


def test_every_reason_has_its_sentence() -> None:
    assert list(REASONS) == ["target_prestige", "deadlock", "resigned"]
