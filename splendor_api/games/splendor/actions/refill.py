"""Take a card from its slot, and fill the slot again (S16, S17)."""

from __future__ import annotations

from splendor_api.games.splendor.events import CardRevealed, Event, Place
from splendor_api.games.splendor.state import (
    UNKNOWN,
    Deck,
    Decks,
    Market,
    Slot,
    with_deck,
    with_slot,
)


def refilled(market: Market, decks: Decks, place: Place) -> tuple[Market, Decks, tuple[Event, ...]]:
    """Return market and decks with the next card of the level in the slot, and what is seen.

    Where the deck is only counted nothing is seen: the card is owed as a reveal.
    """
    level, slot = place
    card, deck = top_and_rest(decks[level - 1])
    told = () if card == UNKNOWN else (CardRevealed(level, slot, card),)
    return with_slot(market, place, card), with_deck(decks, level, deck), told


def top_and_rest(deck: Deck) -> tuple[Slot, Deck]:
    """Return the top card and the deck without it: `None` from an empty one, `UNKNOWN` from a
    counted one.
    """
    if isinstance(deck, int):
        return (UNKNOWN, deck - 1) if deck else (None, 0)
    return (deck[-1], deck[:-1]) if deck else (None, deck)
