"""Reserve a card, face up or unseen, with a gold token if there is one (S33 to S41)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.splendor.actions.effect import Effect
from splendor_api.games.splendor.actions.refill import refilled, top_and_rest
from splendor_api.games.splendor.components import CARDS, LEVELS
from splendor_api.games.splendor.events import CardReserved, Event
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


def candidates(state: State) -> Iterator[Reserve]:
    """Yield every card that lies there to be reserved: face up, then the decks."""
    for card in face_up(state.market):
        yield FROM_MARKET[card]
    for action, deck in zip(FROM_DECK, state.decks, strict=True):
        if deck_size(deck):
            yield action


def legal(state: State, player: Player) -> list[Reserve]:
    """Return every card that `player` might reserve."""
    return [] if any(_hand_violations(state, player)) else list(candidates(state))


def is_possible(state: State, player: Player) -> bool:
    """Return whether `player` might reserve any card."""
    return not any(_hand_violations(state, player)) and any(candidates(state))


def violations(state: State, action: Reserve) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action."""
    yield from _hand_violations(state, state.player)
    if action.level is not None and not deck_size(state.decks[action.level - 1]):
        yield DECK_EMPTY.at("/level", level=action.level)
    if action.card is not None and place_of(state.market, action.card) is None:
        yield CARD_NOT_AVAILABLE.at("/card", card=action.card)


def effect(state: State, action: Reserve) -> Effect:
    """Move the card, and gold if the bank has it, to the seat to act; `action` must be legal."""
    player = state.player
    drawn = _ONE_GOLD if state.bank[GOLD] else NONE
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
    held = player._replace(
        tokens=plus(player.tokens, drawn),
        reserved=(*player.reserved, Reserved(card, level, hidden)),
    )
    reserved = CardReserved(state.seat, card, level, slot, hidden, gold=drawn[GOLD])
    return Effect(minus(state.bank, drawn), held, market, decks, drawn, (reserved, *revealed))


def _hand_violations(state: State, player: Player) -> Iterator[Violation]:
    """Yield what forbids `player` to reserve any card at all (S34, S36)."""
    options = state.options
    if len(player.reserved) >= options.reserve_limit:
        yield RESERVE_LIMIT.at("/type", limit=options.reserve_limit)
    if not (state.bank[GOLD] or options.reserve_without_gold) and options.gold_tokens:
        yield GOLD_UNAVAILABLE.at("/type")
