from __future__ import annotations

import pytest

from splendor_api.games.set.components import DECKS, holds_set
from splendor_api.games.set.options import SEATS
from splendor_api.games.set.state import NEW_PLAYER, cards_on, deck_size
from splendor_api.games.shuffle import shuffled
from tests.games.set.table import AGREED, DEALT_WITHOUT_SET, dealt


@pytest.mark.parametrize("seats", SEATS)
def test_t4_one_to_twenty_seats_play(seats: int) -> None:
    assert len(dealt(seats).players) == seats
    assert (SEATS[0], SEATS[-1]) == (1, 20)


def test_t5_twelve_cards_are_dealt_from_the_top_slot_by_slot() -> None:
    state = dealt(seed="set")
    deck = shuffled(range(1, 82), "set", "set/deck")
    assert state.table == tuple(reversed(deck))[:12]
    assert state.deck == deck[:-12]


def test_t5_the_box_deals_nine_cards_of_the_quick_deck() -> None:
    assert len(dealt(ruleset="publisher", deck="quick").table) == 9
    assert len(dealt(ruleset="publisher", deck="full").table) == 12
    assert len(dealt(ruleset="publisher").table) == 12
    assert len(dealt(ruleset="gamerules", deck="quick").table) == 12
    assert len(dealt(ruleset="publisher", deck="quick", table_size=15).table) == 15


def test_t6_every_seat_starts_with_nothing() -> None:
    state = dealt(3)
    assert state.players == (NEW_PLAYER,) * 3
    assert NEW_PLAYER == ((), 0, 0, False)
    assert (state.turn, state.phase, state.to_act, state.no_set) == (0, "open", None, ())


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("size", [9, 12, 15])
def test_t7_the_deck_is_a_multiple_of_three(deck: str, size: int) -> None:
    state = dealt(deck=deck, table_size=size)
    assert deck_size(state.deck) == len(DECKS[deck]) - len(state.table)
    assert deck_size(state.deck) % 3 == 0


@pytest.mark.parametrize("seed", DEALT_WITHOUT_SET)
def test_t8_three_more_cards_come_before_anybody_acts(seed: str) -> None:
    state = dealt(seed=seed)
    deck = shuffled(range(1, 82), seed, "set/deck")
    assert not holds_set(deck[-12:])
    assert state.table == tuple(reversed(deck))[:15]
    assert holds_set(cards_on(state.table))


@pytest.mark.parametrize("seed", DEALT_WITHOUT_SET)
def test_t8_where_the_seats_decide_nothing_comes_by_itself(seed: str) -> None:
    state = dealt(seed=seed, **AGREED)
    assert (len(state.table), state.phase) == (12, "open")


@pytest.mark.parametrize("seed", DEALT_WITHOUT_SET)
@pytest.mark.parametrize("extra_cards", ["automatic", "agreed"])
def test_t8_t40_a_seat_alone_can_have_lost_at_once(seed: str, extra_cards: str) -> None:
    state = dealt(1, seed=seed, solo_no_set="lose", extra_cards=extra_cards)
    assert (len(state.table), state.phase, state.to_act) == (12, "over", None)
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winners) == ("lost", ())


def test_other_seeds_deal_other_cards() -> None:
    assert len({dealt(seed=str(number)).table for number in range(50)}) == 50
