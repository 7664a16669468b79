"""Opponents: what a game offers to whoever wants an action suggested, or a seat played.

An opponent is pure like everything here. It is given what its seat sees, a seed, and how much it
may search; the same of all three make the same advice. It never sees a state with more in it than
an observation, so that it cannot know what its seat does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")

Level = Literal["random", "greedy", "strong"]
LEVELS: Final[tuple[Level, ...]] = ("random", "greedy", "strong")
"""How well an opponent plays, the weakest first."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that can be said for an action; `says` is the English, parameters in braces."""

    name: str
    says: str
    means: str
    params: tuple[str, ...] = ()

    def of(self, **params: object) -> Reason:
        """Return the fact about one action; raise `TypeError` unless just `params` are given."""
        if tuple(params) != self.params:
            raise TypeError(f"{self.name} takes {self.params}, not {tuple(params)}")
        return Reason(self, params)


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact about an action; the values are what JSON can say."""

    fact: Fact
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranked(Generic[ActionT]):
    """An action, what it is worth beside the others of the same advice, and what speaks for it."""

    action: ActionT
    value: float
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice(Generic[ActionT]):
    """The actions considered, the suggested one first; none where the seat has nothing to decide.

    `playouts` is how many games were played to the end for it.
    """

    ranked: tuple[Ranked[ActionT], ...] = ()
    playouts: int = 0


@dataclass(frozen=True, slots=True)
class Effort:
    """How much may be searched: playouts, and as long as `has_time` says so.

    The clock that `has_time` looks at belongs to the caller. Advice that it did not cut short
    depends on `playouts` alone.
    """

    playouts: int
    has_time: Callable[[], bool] = lambda: True


@dataclass(frozen=True, slots=True)
class Opponents(Generic[StateT, ActionT]):
    """The opponents of one game."""

    levels: Mapping[Level, str]
    """Each level with a sentence."""
    facts: tuple[Fact, ...]
    """Everything that is ever said for an action."""
    advise: Callable[[StateT, int, Level, str, Effort], Advice[ActionT]]
    """What the seat sees, the seat, level, seed, effort → advice; every action in it is legal."""
    play: Callable[[StateT, int, Level, str, Effort], ActionT | None]
    """The same → what an opponent that has the seat does, which need not be the best it knows."""
    searches: frozenset[Level]
    """The levels for which effort makes a difference, and which take time."""
    patience: Callable[[StateT, int, Level, str], int | None]
    """What the seat sees, the seat, level, seed → milliseconds until an opponent that has the seat
    acts, `None` if it has nothing to do."""
    is_playable: Callable[[StateT], bool]
    """Whether opponents can play a state to its end with nobody's help."""


BY_CHANCE: Final = Fact(
    "by_chance",
    says="It was drawn by chance.",
    means="Nothing speaks for this action rather than another.",
)
ONLY_CHOICE: Final = Fact(
    "only_choice",
    says="There is nothing else to choose.",
    means="The seat has one legal choice.",
)
PLAYOUTS_WON: Final = Fact(
    "playouts_won",
    params=("won", "playouts"),
    says="Games won: {won} of {playouts} that were played on from here.",
    means="What is not seen was made up, and all seats played on to the end. A shared win is none.",
)
