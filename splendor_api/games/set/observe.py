"""What is hidden, in one place: the deck, and nothing else (T45, T46)."""

from __future__ import annotations

from splendor_api.games.protocol import Step
from splendor_api.games.set.components import sets_among
from splendor_api.games.set.events import CardsShown, Event, GameOver
from splendor_api.games.set.state import State, cards_on, deck_size


def observe(state: State, _: int | None) -> State:
    """Return what everybody sees: the deck as a count, until the game is over (T45, T46)."""
    return state if state.phase == "over" else state._replace(deck=deck_size(state.deck))


def observe_step(step: Step[State, Event], _: int | None) -> tuple[Event, ...]:
    """Return what everybody sees of the events: all, and at the end the cards never dealt."""
    deck = step.state.deck
    if not isinstance(step.events[-1], GameOver) or isinstance(deck, int) or not deck:
        return step.events
    return (*step.events[:-1], CardsShown(deck), step.events[-1])


def solutions(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return every set on the table, for an observer of everything only (T47)."""
    return tuple(sets_among(cards_on(state.table)))
