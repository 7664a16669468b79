"""What is hidden, in one place: the deck, and nothing else (T45, T46)."""

from __future__ import annotations

from splendor_api.games.protocol import Step
from splendor_api.games.set.components import CARDS, sets_among
from splendor_api.games.set.events import CardsShown, Event, GameOver
from splendor_api.games.set.state import State, cards_on, deck_size


def observe(state: State, _: int | None) -> State:
    """Return what everybody sees: the deck as a count, until the game is over (T45, T46)."""
    return state if state.phase == "over" else _from_outside(state)


def observe_step(step: Step[State, Event], _: int | None) -> tuple[Event, ...]:
    """Return what everybody sees of the events: all, and at the end the cards never dealt."""
    deck = step.state.deck
    is_over = bool(step.events) and isinstance(step.events[-1], GameOver)
    if not is_over or isinstance(deck, int) or not deck:
        return step.events
    return (*step.events[:-1], CardsShown(deck), step.events[-1])


def split(state: State) -> tuple[State, bytes]:
    """Return what everybody sees while the game goes on, and the deck, a byte a card.

    The second half is as long as there are cards in the box, so that its length tells nothing.
    """
    deck = () if isinstance(state.deck, int) else state.deck
    return _from_outside(state), bytes(deck).ljust(len(CARDS), b"\0")


def join(seen: State, hidden: bytes) -> State:
    """Return the state of which these are the halves; raise `ValueError` if they are not."""
    size = deck_size(seen.deck)
    if len(hidden) != len(CARDS) or any(hidden[size:]):
        raise ValueError("there are more hidden cards than places for them")
    return seen._replace(deck=tuple(hidden[:size]))


def solutions(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return every set on the table, for an observer of everything only (T47)."""
    return tuple(sets_among(cards_on(state.table)))


def _from_outside(state: State) -> State:
    return state._replace(deck=deck_size(state.deck))
