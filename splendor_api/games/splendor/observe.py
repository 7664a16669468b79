"""What is hidden, in one place: what a seat sees of a state and of the events (S76 to S82)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from splendor_api.games.protocol import Step
from splendor_api.games.splendor.components import CARDS, LEVELS
from splendor_api.games.splendor.events import CardReserved, CardsShown, Event, GameOver
from splendor_api.games.splendor.options import Options
from splendor_api.games.splendor.state import (
    Player,
    Reserved,
    State,
    deck_size,
    is_concealed,
)


def observe(state: State, seat: int | None) -> State:
    """Return what the seat (`None`: a spectator) sees: decks as counts, of hidden cards the level.

    When the game is over nothing is hidden (S82).
    """
    return state if state.phase == "over" else _seen(state, seat)


def observe_step(step: Step[State, Event], seat: int | None) -> tuple[Event, ...]:
    """Return what the seat sees of the events of a step.

    At the end the event `cards_shown`, before `game_over`, tells what was hidden until then.
    """
    options = step.state.options
    seen = tuple(_event_from_outside(event, options, seat) for event in step.events)
    if not step.events or not isinstance(step.events[-1], GameOver):
        return seen
    return (*seen[:-1], _cards_shown(step.state), seen[-1])


def split(state: State) -> tuple[State, bytes]:
    """Return what a spectator sees while the game goes on, and the rest: decks, then hands.

    The second half, a byte a card, is as long as there are cards, so that it tells nothing by that.
    """
    options = state.options
    hidden = [card for deck in state.decks if not isinstance(deck, int) for card in deck]
    hidden += [
        held.card if held.hidden else held.card | _FACE_WAS_SEEN
        for player in state.players
        for held in player.reserved
        if held.card is not None and is_concealed(held, options)
    ]
    return _seen(state, None), bytes(hidden).ljust(len(CARDS), b"\0")


def join(seen: State, hidden: bytes) -> State:
    """Return the state of which these are the halves; raise `ValueError` if they are not."""
    cards = iter(hidden)
    first, second, third = (tuple(islice(cards, deck_size(deck))) for deck in seen.decks)
    players = tuple(_with_cards(player, cards) for player in seen.players)
    if any(cards) or len(hidden) != len(CARDS):
        raise ValueError("there are more hidden cards than places for them")
    return seen._replace(decks=(first, second, third), players=players)


_BACKS = {level: Reserved(None, level, hidden=True) for level in LEVELS}
_FACE_WAS_SEEN = 0x80  # a card that all saw go into a hand (S78); ids are smaller


def _with_cards(player: Player, cards: Iterator[int]) -> Player:
    if all(held.card is not None for held in player.reserved):
        return player
    return player._replace(
        reserved=tuple(
            held if held.card is not None else _uncovered(held, next(cards))
            for held in player.reserved
        )
    )


def _uncovered(held: Reserved, byte: int) -> Reserved:
    card = byte & ~_FACE_WAS_SEEN
    return Reserved(card, held.level, hidden=not byte & _FACE_WAS_SEEN)


def _seen(state: State, seat: int | None) -> State:
    first, second, third = map(deck_size, state.decks)
    players = tuple(
        player if holder == seat else _from_outside(player, state.options)
        for holder, player in enumerate(state.players)
    )
    return state._replace(decks=(first, second, third), players=players)


def _from_outside(player: Player, options: Options) -> Player:
    if not any(is_concealed(held, options) for held in player.reserved):
        return player
    return player._replace(
        reserved=tuple(
            _BACKS[held.level] if is_concealed(held, options) else held for held in player.reserved
        )
    )


def _event_from_outside(event: Event, options: Options, seat: int | None) -> Event:
    """Leave out the face of a card drawn unseen by another seat (S77).

    A card reserved from the market is named under every option: all saw it go (S78).
    """
    if not isinstance(event, CardReserved) or event.seat == seat or event.slot is not None:
        return event
    return event if options.reserve_visibility == "open" else replace(event, card=None)


def _cards_shown(state: State) -> CardsShown:
    return CardsShown(state.decks, tuple(player.reserved for player in state.players))
