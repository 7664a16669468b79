"""Deal cards from the top of the deck (T28, T32, T36)."""

from __future__ import annotations

from splendor_api.games.set.components import SET_SIZE
from splendor_api.games.set.events import CardsDealt, Event
from splendor_api.games.set.state import State


def dealt_into(state: State, slots: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
    """Return the state with the next cards in these slots, in their order, and what is seen."""
    assert not isinstance(state.deck, int), "only a known deck deals"
    cards = state.deck[: -len(slots) - 1 : -1]
    table = list(state.table)
    for slot, card in zip(slots, cards, strict=True):
        table[slot] = card
    after = state._replace(table=tuple(table), deck=state.deck[: -len(slots)], no_set=())
    return after, (CardsDealt(slots, cards),)


def with_extra_cards(state: State) -> tuple[State, tuple[Event, ...]]:
    """Return the state with three more cards in new slots after the last, and what is seen."""
    size = len(state.table)
    wider = state._replace(table=(*state.table, *(None,) * SET_SIZE))
    return dealt_into(wider, tuple(range(size, size + SET_SIZE)))
