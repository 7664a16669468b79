from __future__ import annotations

from itertools import chain, pairwise
from typing import Any

import pytest

from splendor_api.games.splendor.state import Reserved, State
from tests.games.splendor.table import (
    RESERVING,
    affordable,
    after,
    buy,
    codes,
    counted,
    dealt,
    deck,
    draw,
    events,
    face_up,
    is_legal,
    listed,
    only,
    pair,
    passing,
    played,
    reached,
    reserve,
    take,
)

FACE_UP = 16  # in slot 0 of level 1 under the seed of the table
NEXT = 32  # on top of the deck of level 1


def without_gold(**options: Any) -> State:
    """Return a state in which the bank's gold has just run out."""
    return after(dealt(gold_tokens=2, **options), draw(1), draw(1))


def emptied(level: int) -> State:
    """Return a state in which a deck is empty, though its row is full, and hands have room."""
    return reached(
        lambda state: (
            state.phase == "main"
            and state.decks[level - 1] == ()
            and None not in state.market[level - 1]
            and len(state.player.reserved) < 10
        ),
        liked=("reserve",),
        firmness=8,
        seats=4,
        reserve_limit=10,
    )


def test_s33_a_face_up_card_comes_into_the_hand() -> None:
    state = after(dealt(), reserve(FACE_UP))
    assert state.players[0].reserved == (Reserved(FACE_UP, 1, hidden=False),)


def test_s33_the_top_card_of_a_deck_comes_into_the_hand_unseen() -> None:
    state = after(dealt(), draw(3))
    assert state.players[0].reserved == (Reserved(85, 3, hidden=True),)
    assert state.decks[2] == deck(dealt(), 3)[:-1]


def test_s33_cards_in_the_hand_stay_in_order() -> None:
    state = after(dealt(), reserve(16), draw(1), reserve(22), draw(2), draw(2))
    assert [held.card for held in state.players[0].reserved] == [16, 22, 60]


def test_s34_three_cards_are_the_most() -> None:
    state = after(dealt(), draw(1), draw(1), draw(1), draw(1), draw(1), draw(1))
    assert len(state.player.reserved) == 3
    assert listed(state, "reserve") == []
    assert only(state, draw(1)) == ("reserve_limit", "/type", {"limit": 3})
    assert codes(state, reserve(22)) == ["reserve_limit"]


@pytest.mark.parametrize("limit", [0, 1, 10])
def test_s34_the_limit_may_be_another(limit: int) -> None:
    state = dealt(reserve_limit=limit)
    for _ in range(limit):
        state = after(state, draw(1), draw(1))
    assert only(state, draw(1)) == ("reserve_limit", "/type", {"limit": limit})


def test_s35_gold_comes_with_the_card() -> None:
    for action in (draw(1), reserve(FACE_UP)):
        state = after(dealt(), action)
        assert state.bank == (4, 4, 4, 4, 4, 4)
        assert state.players[0].tokens == (0, 0, 0, 0, 0, 1)


def test_s35_gold_above_the_limit_is_returned() -> None:
    state = after(dealt(token_limit=3), take("white", "blue", "green"), draw(1))
    owing = after(state, draw(1))
    assert (owing.phase, owing.drawn) == ("return_tokens", (0, 0, 0, 0, 0, 1))
    returned = after(state, draw(1, back={"gold": 1}))
    assert returned.players[0].tokens == (1, 1, 1, 0, 0, 0)
    assert returned.bank[5] == 4


def test_s36_without_gold_a_card_may_still_be_reserved() -> None:
    state = without_gold()
    assert state.bank[5] == 0
    later = after(state, draw(1))
    assert later.players[0].tokens == state.players[0].tokens
    assert len(later.players[0].reserved) == 2


def test_s36_not_where_gold_is_asked_for() -> None:
    state = without_gold(reserve_without_gold=False)
    assert only(state, draw(1)) == ("gold_unavailable", "/type", {})
    assert codes(state, reserve(22)) == ["gold_unavailable"]
    assert listed(state, "reserve") == []


def test_s36_with_gold_in_the_bank_it_may() -> None:
    assert is_legal(dealt(reserve_without_gold=False), draw(1))


@pytest.mark.parametrize("allowed", [False, True])
def test_s36_where_the_game_has_no_gold_it_always_may(allowed: bool) -> None:
    state = dealt(gold_tokens=0, reserve_without_gold=allowed)
    assert after(state, draw(1)).players[0].tokens == (0,) * 6


def test_s37_nothing_else_brings_gold() -> None:
    state = reached(lambda state: len(state.player.cards) > 2 and state.phase == "main")
    for action in listed(state):
        player = after(state, action).players[state.seat]
        assert (player.tokens[5] > state.player.tokens[5]) == (action.type == "reserve")


def test_s38_reserving_face_up_refills_the_slot() -> None:
    state = after(dealt(), reserve(22))
    assert state.market[0] == (16, NEXT, 33, 20)
    assert state.market[1:] == dealt().market[1:]
    assert state.decks[0] == deck(dealt(), 1)[:-1]


def test_s38_reserving_from_a_deck_changes_no_slot() -> None:
    assert after(dealt(), draw(1)).market == dealt().market


def test_s39_nothing_comes_from_an_empty_deck() -> None:
    state = emptied(3)
    assert only(state, draw(3)) == ("deck_empty", "/level", {"level": 3})
    assert draw(3) not in listed(state)
    assert listed(state, "reserve")


def test_s39_nor_from_an_empty_counted_deck() -> None:
    state = counted(emptied(3))
    assert codes(state, draw(3)) == ["deck_empty"]


def test_s39_nor_from_an_empty_slot() -> None:
    state = after(emptied(3), reserve(face_up(emptied(3), 3)))
    assert state.market[2][0] is None
    assert all(action.card for action in listed(state, "reserve") if action.level is None)


def test_s39_nor_a_card_that_lies_elsewhere() -> None:
    state = after(dealt(), draw(1), reserve(16))
    for card in (NEXT, 16, 12, 1):  # in either hand, on top of a deck, inside it
        assert only(state, reserve(card)) == ("card_not_available", "/card", {"card": card})


def test_s39_nor_a_bought_card() -> None:
    state = reached(lambda state: len(state.players[0].cards) > 1 and state.phase == "main")
    assert codes(state, reserve(state.players[0].cards[0])) == ["card_not_available"]


def test_s39_a_card_of_a_deck_is_not_named() -> None:
    assert codes(dealt(), reserve(NEXT)) == ["card_not_available"]


def test_a_full_hand_and_an_empty_deck_are_told_together() -> None:
    state = reached(
        lambda state: (
            state.phase == "main" and state.decks[2] == () and len(state.player.reserved) == 5
        ),
        liked=RESERVING,
        firmness=8,
        seats=4,
        reserve_limit=5,
        gold_tokens=1,
        reserve_without_gold=True,
    )
    assert codes(state, draw(3)) == ["reserve_limit", "deck_empty"]


def test_s40_a_reserved_card_stays_until_it_is_bought() -> None:
    states = played(steps=120)
    for before, later in pairwise(states):
        for old, new in zip(before.players, later.players, strict=True):
            gone = set(old.reserved) - set(new.reserved)
            assert {held.card for held in gone} <= set(new.cards)
    assert any(player.reserved for state in states for player in state.players)


def test_s41_a_card_may_be_reserved_though_it_could_be_bought() -> None:
    state = reached(lambda state: state.phase == "main" and bool(affordable(state)))
    card = next(card for card in affordable(state) if card in chain(*state.market))
    assert is_legal(state, reserve(card))


def test_s41_and_though_it_could_not() -> None:
    assert codes(dealt(), buy(FACE_UP)) == ["cannot_afford"]
    assert is_legal(dealt(), reserve(FACE_UP))


def test_what_is_told_of_a_face_up_card() -> None:
    assert events(dealt(), reserve(22)) == [
        {
            "type": "card_reserved",
            "seat": 0,
            "card": 22,
            "level": 1,
            "slot": 1,
            "hidden": False,
            "gold": 1,
        },
        {"type": "card_revealed", "level": 1, "slot": 1, "card": NEXT},
        {"type": "turn_ended", "seat": 0, "turn": 1},
    ]


def test_what_is_told_of_a_drawn_card() -> None:
    assert events(dealt(gold_tokens=0), draw(2))[0] == {
        "type": "card_reserved",
        "seat": 0,
        "card": 47,
        "level": 2,
        "slot": None,
        "hidden": True,
        "gold": 0,
    }


def test_a_card_drawn_from_a_counted_deck_has_no_face() -> None:
    state = after(counted(dealt()), draw(2))
    assert state.players[0].reserved == (Reserved(None, 2, hidden=True),)
    assert state.decks == (36, 25, 16)
    assert "card" not in events(counted(dealt()), draw(2))[0]


def test_the_choices_are_in_order() -> None:
    reserves = listed(dealt(), "reserve")
    assert reserves[:4] == [reserve(card) for card in (16, 22, 33, 20)]
    assert reserves[-3:] == [draw(1), draw(2), draw(3)]
    assert len(reserves) == 15


def test_tokens_stay_what_they_were_but_for_the_gold() -> None:
    state = after(dealt(), take("white", "blue", "green"), pair("red"), draw(1))
    assert state.players[0].tokens == (1, 1, 1, 0, 0, 1)
    assert state.bank == (3, 3, 3, 2, 4, 4)


def test_passing_is_no_way_to_gold() -> None:
    state = dealt(passing="always")
    assert after(state, passing()).players[0].tokens == (0,) * 6
