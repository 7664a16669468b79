"""What the laws have to be told of a game beside its protocol: one line a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from tests.laws import follow_set, follow_splendor
from tests.strategies import set as set_game
from tests.strategies import splendor

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Habits:
    """A game's answers to what every law asks. States are values, or JSON where it says so."""

    first_states: Callable[[Any], SearchStrategy[Any]]
    """Other states that a game may begin with than the one dealt, and that one."""
    actions: Callable[[Any], SearchStrategy[Json]]
    """Any well-formed action, legal or absurd, as JSON."""
    extras: Callable[[Json], Collection[str]]
    """The members that an action of this type may carry, as JSON."""
    found: Callable[[Any], Sequence[Any]]
    """Legal actions that are not among the choices, for a player has to find them: good ones."""
    bare: Callable[[Any, Any], Any]
    """The choice in a legal action of a state: without what may come with it."""
    damages: Callable[[Json], SearchStrategy[Json]]
    """A state as JSON in which something cannot be true any more."""
    rearranged: Callable[[Any, int | None], SearchStrategy[Any]]
    """The same state, but for what is hidden from the seat."""
    hidden: Callable[[Any, int | None], frozenset[int]]
    """The ids that are hidden from the seat."""
    named: Callable[[Json], frozenset[int]]
    """The ids that are named in a state, as JSON."""
    told: Callable[[Json], frozenset[int]]
    """The ids that are named in an event, as JSON."""
    inventory: Callable[[Json], Mapping[str, int]]
    """How many there are of everything that no action makes or destroys."""
    follow: Callable[[Json, list[Json], int | None], Json]
    """What the seat sees after the events that it has seen, as JSON."""


HABITS: Final[Mapping[str, Habits]] = {
    "splendor": Habits(
        first_states=splendor.first_states,
        actions=splendor.actions,
        extras=splendor.extras,
        found=lambda _: (),
        bare=splendor.bare,
        damages=splendor.damages,
        rearranged=splendor.rearranged,
        hidden=splendor.hidden,
        named=splendor.named,
        told=splendor.told,
        inventory=splendor.inventory,
        follow=follow_splendor.follow,
    ),
    "set": Habits(
        first_states=set_game.first_states,
        actions=set_game.actions,
        extras=set_game.extras,
        found=set_game.found,
        bare=set_game.bare,
        damages=set_game.damages,
        rearranged=set_game.rearranged,
        hidden=set_game.hidden,
        named=set_game.named,
        told=set_game.told,
        inventory=set_game.inventory,
        follow=follow_set.follow,
    ),
}
