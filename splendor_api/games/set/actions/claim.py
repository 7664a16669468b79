"""Pick three cards: a set is won, anything else costs points (T16 to T31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from splendor_api.games.set.actions.deal_cards import dealt_into
from splendor_api.games.set.actions.effect import Effect, decided
from splendor_api.games.set.components import SET_SIZE, is_set, spoiling_features
from splendor_api.games.set.events import Event, Move, SetClaimed, SetRejected, TableShrunk
from splendor_api.games.set.state import State, Triple, cards_on, with_player
from splendor_api.games.set.violations import CARD_NOT_ON_TABLE, DUPLICATE_CARD
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class Claim:
    """Three cards, in the order of the request: pointers count on it."""

    type: ClassVar[str] = "claim"
    seat: int
    cards: Triple


def candidates(state: State, seat: int) -> Iterator[Claim]:
    """Yield every three cards of the table: all are legal, right or wrong (T21)."""
    for cards in combinations(sorted(cards_on(state.table)), SET_SIZE):
        first, second, third = cards
        yield Claim(seat, (first, second, third))


def violations(state: State, action: Claim) -> Iterator[Violation]:
    """Yield what forbids a seat that may act to pick these cards (T22)."""
    cards = action.cards
    for place, card in enumerate(cards):
        if card not in state.table and card not in cards[:place]:
            yield CARD_NOT_ON_TABLE.at(f"/cards/{place}", card=card)
    for place, card in enumerate(cards):
        if card in cards[:place]:
            yield DUPLICATE_CARD.at(f"/cards/{place}", card=card)


def effect(state: State, action: Claim) -> Effect:
    """Decide the call: give the set, or take the penalty."""
    first, second, third = sorted(action.cards)
    cards = (first, second, third)
    player = state.players[action.seat]
    after = decided(state)
    if not is_set(cards):
        failed = player._replace(
            failed=player.failed + 1, score=player.score - state.options.penalty
        )
        rejected = SetRejected(action.seat, cards, spoiling_features(cards))
        return Effect(with_player(after, action.seat, failed), (rejected,))
    richer = player._replace(sets=(*player.sets, cards), score=player.score + 1)
    won = with_player(after, action.seat, richer)._replace(no_set=())
    left, events = _replaced(won, cards)
    return Effect(left, (SetClaimed(action.seat, cards), *events))


def _replaced(state: State, taken: Triple) -> tuple[State, tuple[Event, ...]]:
    """Return the state with the gaps filled, closed, or left open (T28 to T31)."""
    gaps = tuple(slot for slot, card in enumerate(state.table) if card in taken)
    table = tuple(None if card in taken else card for card in state.table)
    if len(table) > state.options.table_size:
        return _shrunk(state, table, gaps)
    opened = state._replace(table=table)
    return dealt_into(opened, gaps) if state.deck else (opened, ())


def _shrunk(
    state: State, table: tuple[int | None, ...], gaps: tuple[int, ...]
) -> tuple[State, tuple[Event, ...]]:
    """Return the state without its last three slots, their cards moved into the gaps (T30)."""
    size = len(table) - SET_SIZE
    origins = [slot for slot in range(size, len(table)) if table[slot] is not None]
    targets = [slot for slot in gaps if slot < size]
    slots, moves = list(table), []
    for origin, target in zip(origins, targets, strict=True):
        card = slots[origin]
        assert card is not None, "only cards move"
        slots[target] = card
        moves.append(Move(card, origin, target))
    return state._replace(table=tuple(slots[:size])), (TableShrunk(tuple(moves)),)
