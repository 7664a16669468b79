from __future__ import annotations

import pytest

from splendor_api.games.splendor.actions import Resign
from splendor_api.games.splendor.state import State
from tests.games.splendor.table import (
    SPLENDOR,
    after,
    codes,
    counted,
    dealt,
    draw,
    events,
    findings,
    kinds,
    listed,
    only,
    pair,
    reached,
    reserve,
    resign,
    take,
    written,
)


def owing_tokens(seats: int = 3) -> State:
    """Return a state in which seat 0 owes tokens."""
    state = after(dealt(seats, token_limit=3), take("white", "blue", "green"))
    for color in ("red", "black", "white")[: seats - 1]:
        state = after(state, pair(color))
    return after(state, draw(1))


def test_its_turn_is_skipped() -> None:
    assert events(dealt(3), resign(0)) == [
        {"type": "resigned", "seat": 0, "timeout": False},
        {"type": "turn_skipped", "seat": 0},
        {"type": "turn_ended", "seat": 0, "turn": 1},
    ]
    state = after(dealt(3), resign(0))
    assert (state.turn, state.to_act) == (1, 1)
    assert state.players[0].resigned


def test_its_later_turns_are_skipped_too() -> None:
    state = after(dealt(3), resign(1), pair("red"))
    assert (state.turn, state.to_act) == (2, 2)
    assert kinds(after(dealt(3), resign(1)), pair("red")) == [
        "tokens_taken",
        "turn_ended",
        "turn_skipped",
        "turn_ended",
    ]


def test_two_in_a_row_are_skipped() -> None:
    state = after(dealt(4), resign(1), resign(2), pair("red"))
    assert (state.turn, state.to_act) == (3, 3)


def test_another_seat_may_resign_out_of_turn() -> None:
    state = after(dealt(3), resign(2))
    assert (state.turn, state.to_act, state.phase) == (0, 0, "main")
    assert kinds(dealt(3), resign(2)) == ["resigned"]


def test_a_seat_may_be_made_to() -> None:
    assert events(dealt(3), resign(1, timeout=True))[0]["timeout"] is True
    assert resign(1) == Resign(1, timeout=False)


@pytest.mark.parametrize("seat", [2, 3])
def test_no_seat_that_is_not_there(seat: int) -> None:
    assert only(dealt(2), resign(seat)) == ("wrong_seat", "/seat", {"seat": seat, "to_act": 0})


def test_nobody_resigns_twice() -> None:
    assert codes(after(dealt(3), resign(2)), resign(2)) == ["wrong_seat"]


def test_nobody_resigns_from_a_game_that_is_over() -> None:
    assert codes(after(dealt(2), resign(1)), resign(0)) == ["game_over"]


def test_one_seat_is_left() -> None:
    state = after(dealt(3), resign(0), resign(2))
    assert (state.phase, state.to_act) == ("over", None)
    assert written(state)["outcome"] == {
        "reason": "resigned",
        "winners": [1],
        "ranking": [
            {"seat": 1, "rank": 1, "prestige": 0, "cards": 0},
            {"seat": 0, "rank": 2, "prestige": 0, "cards": 0},
            {"seat": 2, "rank": 2, "prestige": 0, "cards": 0},
        ],
    }


def test_who_resigns_ranks_behind_all_others() -> None:
    state = reached(lambda state: state.players[0].prestige > state.players[1].prestige)
    later = after(state, resign(0))
    assert later.outcome is not None
    assert later.outcome.winners == (1,)
    assert [each.seat for each in later.outcome.ranking] == [1, 0]


def test_what_it_owes_lapses() -> None:
    state = owing_tokens()
    assert state.phase == "return_tokens"
    later = after(state, resign(0))
    assert (later.phase, later.to_act, later.drawn) == ("main", 1, None)
    assert sum(later.players[0].tokens) == 4
    assert kinds(state, resign(0)) == ["resigned", "turn_ended"]
    assert findings(written(later)) == []


def test_it_keeps_what_it_holds_when_the_game_ends_with_it() -> None:
    later = after(owing_tokens(2), resign(0))
    assert later.phase == "over"
    assert sum(later.players[0].tokens) == 4


def test_the_other_seat_may_owe_when_the_game_ends() -> None:
    later = after(owing_tokens(2), resign(1))
    assert (later.phase, later.drawn) == ("over", None)
    assert sum(later.players[0].tokens) == 4


def test_it_gets_no_noble() -> None:
    state = reached(
        lambda state: state.phase == "choose_noble",
        seats=3,
        nobles_revealed=10,
        target_prestige=50,
        gems_per_color=20,
        token_limit=50,
    )
    later = after(state, resign(state.seat))
    assert later.players[state.seat].nobles == state.player.nobles
    assert later.turn == state.turn + 1


def test_while_another_seat_owes_nothing_changes_for_it() -> None:
    state = owing_tokens()
    later = after(state, resign(1))
    assert (later.phase, later.to_act, later.drawn) == ("return_tokens", 0, state.drawn)


def test_out_of_turn_in_a_reveal() -> None:
    state = after(counted(dealt(3)), reserve(22))
    later = after(state, resign(1))
    assert (later.phase, later.to_act) == ("reveal", 0)
    assert later.market == state.market


def test_a_game_over_by_it_may_leave_cards_untold() -> None:
    state = after(counted(dealt(2)), reserve(22), resign(1))
    assert state.phase == "over"
    assert state.market[0][1] == "unknown"
    assert findings(written(state)) == []


def test_its_prestige_still_ends_the_game() -> None:
    state = reached(lambda state: state.final_round and state.seat != 0, seats=3, target_prestige=3)
    leader = max(range(3), key=lambda seat: state.players[seat].prestige)
    later = after(state, resign(leader))
    for _ in range(3):
        if later.phase == "main":
            later = after(later, listed(later)[0])
    assert later.phase == "over" or later.phase == "return_tokens"


def test_it_is_never_listed() -> None:
    for state in (dealt(), owing_tokens(), after(counted(dealt()), reserve(22))):
        assert all(action.type != "resign" for action in listed(state))
        assert all(action.type != "resign" for action in SPLENDOR.rules.turns(state, None))
