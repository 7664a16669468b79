from __future__ import annotations

from itertools import combinations

import pytest

from splendor_api.games.set.actions import Call, NoSet
from splendor_api.games.set.components import holds_set, is_set
from splendor_api.games.set.events import (
    CardsDealt,
    Move,
    SetClaimed,
    SetRejected,
    TableShrunk,
)
from splendor_api.games.set.state import cards_on
from tests.games.set.table import (
    AGREED,
    NEEDING,
    SET,
    WITHOUT_SET,
    after,
    broken,
    claim,
    codes,
    dealt,
    events,
    kinds,
    laid,
    needing_cards,
    right,
    step,
    without_deck,
    wrong,
)

TWELVE = range(1, 13)
FIFTEEN = range(1, 16)


def test_t16_t23_a_set_is_one_point_and_three_cards() -> None:
    state = laid(TWELVE)
    made = step(after(state, Call(1)), claim(1, 9, 1, 5))
    assert made.events[0] == SetClaimed(1, (1, 5, 9))
    assert made.state.players[1] == (((1, 5, 9),), 0, 1, False)
    assert made.state.players[0] == state.players[0]
    assert made.state.turn == 1


def test_t17_a_claim_without_a_call_is_both_in_one() -> None:
    state = laid(TWELVE)
    called = after(state, Call(0))
    assert after(state, claim(0, 1, 2, 3)) == after(called, claim(0, 1, 2, 3))
    assert after(state, claim(0, 1, 2, 4)) == after(called, claim(0, 1, 2, 4))


def test_t21_any_three_cards_of_the_table_are_a_legal_claim() -> None:
    state = dealt()
    found = {True: 0, False: 0}
    for cards in combinations(cards_on(state.table), 3):
        assert codes(state, claim(0, *cards)) == []
        found[is_set(cards)] += 1
    assert found[True] >= 1
    assert sum(found.values()) == 220


def test_t22_a_card_that_is_not_on_the_table() -> None:
    state = laid(TWELVE)
    told = [
        (each.code.name, each.pointer, each.params) for each in broken(state, claim(0, 1, 50, 51))
    ]
    assert told == [
        ("card_not_on_table", "/action/cards/1", {"card": 50}),
        ("card_not_on_table", "/action/cards/2", {"card": 51}),
    ]


def test_t22_a_card_named_twice() -> None:
    state = laid(TWELVE)
    told = [
        (each.code.name, each.pointer, each.params) for each in broken(state, claim(0, 1, 1, 1))
    ]
    assert told == [
        ("duplicate_card", "/action/cards/1", {"card": 1}),
        ("duplicate_card", "/action/cards/2", {"card": 1}),
    ]


def test_t22_a_card_that_is_not_there_named_twice() -> None:
    state = laid(TWELVE)
    told = [(each.code.name, each.pointer) for each in broken(state, claim(0, 50, 1, 50))]
    assert told == [
        ("card_not_on_table", "/action/cards/0"),
        ("duplicate_card", "/action/cards/2"),
    ]


def test_t22_a_seat_that_does_not_exist() -> None:
    state = laid(TWELVE)
    (told,) = broken(state, claim(2, 1, 2, 50))
    assert (told.code.name, told.pointer) == ("wrong_seat", "/action/seat")
    assert told.params == {"seat": 2, "to_act": None}


def test_t22_a_slot_that_is_empty_holds_no_card() -> None:
    state = after(without_deck(range(1, 13)), claim(0, 1, 2, 3))
    assert codes(state, claim(0, 1, 4, 5)) == ["card_not_on_table"]


@pytest.mark.parametrize("penalty", range(4))
def test_t24_a_wrong_claim_costs_the_penalty(penalty: int) -> None:
    state = laid(TWELVE, penalty=penalty)
    made = step(state, claim(1, 5, 2, 1))
    assert made.events == (SetRejected(1, (1, 2, 5), ("number", "shading")),)
    assert made.state.players[1] == ((), 1, -penalty, False)
    assert made.state.turn == 1


def test_t25_after_a_wrong_claim_the_cards_lie_as_before() -> None:
    state = laid(TWELVE)
    failed = after(state, Call(0), claim(0, 1, 2, 4))
    assert (failed.table, failed.deck) == (state.table, state.deck)
    assert (failed.phase, failed.to_act) == ("open", None)
    assert SET.rules.acting(failed) == (0, 1)


def test_t26_a_score_is_sets_less_penalties() -> None:
    state = laid(TWELVE, penalty=2)
    state = after(state, wrong(state), right(state))
    state = after(state, wrong(state))
    player = state.players[0]
    assert (len(player.sets), player.failed, player.score) == (1, 2, -3)


def test_t28_three_cards_are_dealt_into_the_slots_just_emptied() -> None:
    state = laid(TWELVE, top=(81, 80, 79))
    made = step(state, claim(0, 11, 1, 6))
    assert made.events[1:] == ()
    made = step(state, claim(0, 9, 1, 5))
    assert made.events[1:] == (CardsDealt((0, 4, 8), (81, 80, 79)),)
    assert made.state.table == (81, 2, 3, 4, 80, 6, 7, 8, 79, 10, 11, 12)
    assert isinstance(state.deck, tuple)
    assert made.state.deck == state.deck[:-3]


def test_t29_with_extra_cards_nothing_is_dealt() -> None:
    state = laid(FIFTEEN)
    made = step(state, claim(0, 1, 2, 3))
    assert kinds(state, claim(0, 1, 2, 3)) == ["set_claimed", "table_shrunk"]
    assert len(made.state.table) == 12
    assert made.state.deck == state.deck
    eighteen = laid(range(1, 19))
    assert len(after(eighteen, claim(0, 1, 2, 3)).table) == 15


def test_t29_with_extra_cards_and_no_deck_the_table_shrinks_too() -> None:
    shrunk = after(without_deck(FIFTEEN), claim(0, 4, 5, 6))
    assert shrunk.table == (1, 2, 3, 13, 14, 15, 7, 8, 9, 10, 11, 12)


@pytest.mark.parametrize(
    ("table", "taken", "moves", "left"),
    [
        (
            FIFTEEN,
            (1, 2, 3),
            [Move(13, 12, 0), Move(14, 13, 1), Move(15, 14, 2)],
            (13, 14, 15, *range(4, 13)),
        ),
        (FIFTEEN, (13, 14, 15), [], tuple(TWELVE)),
        (
            (*TWELVE, 13, 19, 14),
            (1, 10, 19),
            [Move(13, 12, 0), Move(14, 14, 9)],
            (13, *range(2, 10), 14, 11, 12),
        ),
        (
            (*range(4, 16), 1, 41, 2),
            (12, 1, 2),
            [],
            None,
        ),
    ],
)
def test_t30_the_last_cards_move_into_the_gaps(
    table: tuple[int, ...],
    taken: tuple[int, int, int],
    moves: list[Move],
    left: tuple[int, ...] | None,
) -> None:
    state = laid(table)
    if left is None:
        assert kinds(state, claim(0, *taken)) == ["set_rejected"]
        return
    made = step(state, claim(0, *taken))
    assert made.events[1] == TableShrunk(tuple(moves))
    assert made.state.table == left


def test_t31_without_a_deck_the_slots_stay_empty() -> None:
    state = without_deck(TWELVE)
    made = step(state, claim(0, 1, 5, 9))
    assert made.events == (SetClaimed(0, (1, 5, 9)),)
    assert made.state.table == (None, 2, 3, 4, None, 6, 7, 8, None, 10, 11, 12)


def test_t32_extra_cards_come_in_new_slots_until_there_is_a_set() -> None:
    state = needing_cards()
    made = step(state, claim(1, *NEEDING))
    assert [event.type for event in made.events] == ["set_claimed", "cards_dealt", "cards_dealt"]
    _, refilled, extra = made.events
    assert refilled == CardsDealt((9, 10, 11), WITHOUT_SET[9:12])
    assert isinstance(extra, CardsDealt)
    assert extra.slots == (12, 13, 14)
    assert made.state.table[12:] == extra.cards
    assert holds_set(cards_on(made.state.table))


def test_t32_extra_cards_come_again_and_again() -> None:
    table = (*WITHOUT_SET[:9], *NEEDING)
    state = laid(table, top=WITHOUT_SET[9:18])
    happened = events(state, claim(0, *NEEDING))
    dealings = [event for event in happened if isinstance(event, CardsDealt)]
    assert [event.slots[0] for event in dealings] == [9, 12, 15, 18]


def test_t32_where_the_seats_decide_none_come() -> None:
    state = needing_cards(**AGREED)
    made = step(state, claim(1, *NEEDING))
    assert [event.type for event in made.events] == ["set_claimed", "cards_dealt"]
    assert not holds_set(cards_on(made.state.table))
    assert (made.state.phase, len(made.state.table)) == ("open", 12)
    assert SET.rules.choices(made.state, 0) == [Call(0), NoSet(0)]
