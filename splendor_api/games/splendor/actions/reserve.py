"""Reserve a card, face up or unseen, with a gold token if there is one (S33 to S41)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.splendor.actions import return_tokens
from splendor_api.games.splendor.actions.effect import Effect
from splendor_api.games.splendor.actions.refill import refilled, top_and_rest
from splendor_api.games.splendor.components import CARDS, LEVELS
from splendor_api.games.splendor.events import CardReserved, Event
from splendor_api.games.splendor.options import Options
from splendor_api.games.splendor.state import (
    Player,
    Reserved,
    State,
    deck_size,
    face_up,
    place_of,
    with_deck,
)
from splendor_api.games.splendor.tokens import GOLD, NONE, Tokens, minus, plus, tokens_of
from splendor_api.games.splendor.violations import (
    CARD_NOT_AVAILABLE,
    DECK_EMPTY,
    GOLD_UNAVAILABLE,
    RESERVE_LIMIT,
)
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class Reserve:
    """A face-up card by its id, or the top of the deck of a level: exactly one of the two."""

    type: ClassVar[str] = "reserve"
    card: int | None = None
    level: int | None = None
    returned: Tokens | None = None
    noble: int | None = None
    seat: int | None = None


FROM_MARKET = {card: Reserve(card=card) for card in CARDS}
FROM_DECK = tuple(Reserve(level=level) for level in LEVELS)

_ONE_GOLD = tokens_of((GOLD,))


def legal(state: State, player: Player) -> list[Reserve]:
    """Return every card that `player` might reserve: face up, then the top of the decks."""
    if _is_full(player, state.options) or _is_gold_missing(state):
        return []
    listed = [FROM_MARKET[card] for card in face_up(state.market)]
    # An empty deck, known or counted, is false.
    listed += [action for action, deck in zip(FROM_DECK, state.decks, strict=True) if deck]
    return listed


def with_returns(state: State, player: Player, action: Reserve) -> list[Reserve]:
    """Return the reserve once for each way to return what is beyond the limit then."""
    drawn = tokens_drawn(state)
    held = plus(player.tokens, drawn)
    if not return_tokens.beyond_limit(held, state.options):
        return [action]
    ways = return_tokens.returns(held, drawn, state.options)
    return [Reserve(action.card, action.level, returned) for returned in ways]


def violations(state: State, action: Reserve) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action."""
    if _is_full(state.player, state.options):
        yield RESERVE_LIMIT.at("/type", limit=state.options.reserve_limit)
    if _is_gold_missing(state):
        yield GOLD_UNAVAILABLE.at("/type")
    if action.level is not None and not deck_size(state.decks[action.level - 1]):
        yield DECK_EMPTY.at("/level", level=action.level)
    if action.card is not None and place_of(state.market, action.card) is None:
        yield CARD_NOT_AVAILABLE.at("/card", card=action.card)


def tokens_drawn(state: State) -> Tokens:
    """Return what comes with a reserved card: a gold token, if there is one (S36)."""
    return _ONE_GOLD if state.bank[GOLD] else NONE


def effect(state: State, action: Reserve) -> Effect:
    """Move the card, and gold if the bank has it, to the seat to act; `action` must be legal."""
    player, drawn = state.player, tokens_drawn(state)
    if action.card is None:
        assert action.level is not None, "a reserve names a card or a level"
        level, slot, hidden = action.level, None, True
        top, deck = top_and_rest(state.decks[level - 1])
        card = top if isinstance(top, int) else None
        market, decks = state.market, with_deck(state.decks, level, deck)
        revealed: tuple[Event, ...] = ()
    else:
        place = place_of(state.market, action.card)
        assert place is not None, "a legal reserve finds its card"
        card, (level, slot), hidden = action.card, place, False
        market, decks, revealed = refilled(state.market, state.decks, place)
    reserver = player.with_reserved(Reserved(card, level, hidden), plus(player.tokens, drawn))
    reserved = CardReserved(state.seat, card, level, slot, hidden, gold=drawn[GOLD])
    return Effect(minus(state.bank, drawn), reserver, market, decks, drawn, (reserved, *revealed))


def _is_full(player: Player, options: Options) -> bool:
    """Return whether the hand has no place for another card (S34)."""
    return len(player.reserved) >= options.reserve_limit


def _is_gold_missing(state: State) -> bool:
    """Return whether nothing may be reserved for want of gold (S36)."""
    options = state.options
    return not (state.bank[GOLD] or options.reserve_without_gold or not options.gold_tokens)
