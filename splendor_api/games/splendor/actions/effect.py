"""What a choice does by itself, before the rest of the turn (S15)."""

from __future__ import annotations

from typing import NamedTuple

from splendor_api.games.splendor.events import Event
from splendor_api.games.splendor.state import Decks, Market, Player, State
from splendor_api.games.splendor.tokens import NONE, Tokens


class Effect(NamedTuple):
    """The things of the game and of the seat to act after the choice, and what the seat drew."""

    bank: Tokens
    player: Player
    market: Market
    decks: Decks
    drawn: Tokens
    events: tuple[Event, ...]

    def with_player(self, player: Player, bank: Tokens) -> Effect:
        """Return the effect with the seat to act and the bank as they are by then."""
        return Effect(bank, player, self.market, self.decks, self.drawn, self.events)


def unchanged(state: State, *events: Event) -> Effect:
    """Return the effect of a choice that moves nothing by itself."""
    drawn = state.drawn or NONE
    return Effect(state.bank, state.player, state.market, state.decks, drawn, events)
