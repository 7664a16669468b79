"""What a game is, and what it answers with: the one protocol behind which every game stands.

A game is pure: same input, same output. Randomness enters as a seed or as an explicit action, time
does not enter at all. States, actions and events are immutable values of the game's own types, of
which nobody outside the game knows more than what is said here. A game may have turns or none:
`acting` names every seat that may act, `seat_of` the seat that an action is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar

from splendor_api.games.violations import Code, Violation

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
StandingT_co = TypeVar("StandingT_co", covariant=True)

Value = int | bool | str
"""The value of an option."""


class Step(NamedTuple, Generic[StateT, EventT]):
    """What a legal action leads to: the next state, and what happened on the way, in order."""

    state: StateT
    events: tuple[EventT, ...]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[StandingT_co]):
    """How a game ended: why, who won (seats, ascending), and each seat's standing, best first."""

    reason: str
    winners: tuple[int, ...]
    ranking: tuple[StandingT_co, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A point at which tables play differently.

    `values` is a range of integers, or a tuple: of integers, both booleans, or words. `defaults`
    has an entry for each ruleset: a value, or a map from the number of seats to a value.
    """

    name: str
    values: range | tuple[int, ...] | tuple[str, ...]
    defaults: Mapping[str, Value | Mapping[int, Value]]
    says: str
    rules: tuple[str, ...]

    def default(self, ruleset: str, seats: int) -> Value:
        """Return the value that `ruleset` gives this option for so many seats, where no other
        option is given; see `Game.resolve`.
        """
        default = self.defaults[ruleset]
        return default[seats] if isinstance(default, Mapping) else default


Listed = Literal["choices", "turns", "never"]
"""Where legal actions of a type are listed: among the choices, among the turns alone, nowhere."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of action or event: its word in JSON, and a sentence for documentation.

    `listed` is said of actions only. What is not among the choices is what a player has to find,
    or what is open at any time.
    """

    type: str
    says: str
    listed: Listed = "choices"


@dataclass(frozen=True, slots=True)
class Explaining(Generic[StateT, ActionT]):
    """What a game tells beyond what may be done, of states as a seat sees them."""

    needs: tuple[Code, ...]
    """Everything that an illegal action may lack."""
    facts: Callable[[StateT], Mapping[str, object]]
    """What follows from the state for each seat, as plain JSON values."""
    lacking: Callable[[StateT, ActionT], tuple[Violation, ...]]
    """The least that would have to be otherwise for an action to be legal; nothing if it is."""
    judges: Callable[[ActionT], tuple[str, ...]]
    """The options that have a say in whether an action is legal; no other has."""
    options: Callable[[StateT], Mapping[str, Value]]
    """The options of a state, by name."""
    under: Callable[[StateT, Mapping[str, Value]], StateT]
    """The same things on the table under these options, the others as they are."""


@dataclass(frozen=True, slots=True)
class Game(Generic[StateT, ActionT, EventT]):
    """A game: its vocabulary, then its functions. Functions that take an action want a legal one,
    unless they say otherwise, and an audited state.
    """

    name: str
    title: str
    seats: range
    rulesets: Mapping[str, str]
    """Each ruleset with a sentence; the first is the default."""
    options: tuple[Option, ...]
    actions: tuple[Kind, ...]
    codes: tuple[Code, ...]
    """Every violation, in the order of report."""
    findings: tuple[Code, ...]
    """Every finding of the audit, in the order of report."""
    events: tuple[Kind, ...]
    outcomes: Mapping[str, str]
    """Each reason for the end with a sentence."""

    resolve: Callable[[str, int, Mapping[str, Value]], Mapping[str, Value]]
    """Ruleset, seats, options that are given → every option; one that is not given may follow from
    those before it that are."""
    deal: Callable[[int, str, Mapping[str, Value], str], StateT]
    """Seats, ruleset, options that are given, seed → the first state."""
    audit: Callable[[StateT], Iterator[Violation]]
    """Everything that no play can have produced; pointers start at the state."""
    violations: Callable[[StateT, ActionT], Iterator[Violation]]
    """Everything that forbids an action, legal or not; pointers start at the action."""
    apply: Callable[[StateT, ActionT], Step[StateT, EventT]]
    choices: Callable[[StateT, int | None], Sequence[ActionT]]
    """What the seat (`None`: any) may choose now, one step at a time; always legal."""
    turns: Callable[[StateT, int | None], Iterator[ActionT]]
    """Every complete turn of the seat that differs in where it leads or how; always legal."""
    shown: Callable[[StateT, int | None], Iterator[ActionT]]
    """What an interface shows, if only disabled; legal or not."""
    preview: Callable[[StateT, ActionT], Mapping[str, object]]
    """What a legal action would bring, as plain JSON values."""
    normal: Callable[[StateT, ActionT], ActionT]
    """The one spelling of a legal action: of two that do the same, the same."""
    acting: Callable[[StateT], tuple[int, ...]]
    """The seats that may act now, ascending; empty when the game is over."""
    seat_of: Callable[[StateT, ActionT], int | None]
    """The seat that the action is for; `None` where there is no seat to act."""
    to_act: Callable[[StateT], int | None]
    """The one seat that must act now, if there is one."""
    seats_of: Callable[[StateT], int]
    """How many seats play."""
    seats_left: Callable[[StateT], tuple[int, ...]]
    """The seats that have not resigned, ascending."""
    outcome: Callable[[StateT], Outcome[object] | None]
    observe: Callable[[StateT, int | None], StateT]
    """What a seat sees (`None`: a spectator)."""
    observe_step: Callable[[Step[StateT, EventT], int | None], tuple[EventT, ...]]
    """What a seat sees of the events that led to a state."""
    observations_are_states: bool
    """Whether what a seat sees may be played on like a state, by whoever knows what is hidden."""
    resign: Callable[[int, bool], ActionT]
    """The action by which a seat leaves, by itself or because it was made to."""
    has_turns: bool
    """Whether there always is one seat to act, so that an action must name what it acts on."""
    time_limit: str
    """What the seconds are called that the seat to act has."""
    overdue: Callable[[StateT], ActionT]
    """What is done for the seat to act once they are over."""
    turn_of: Callable[[StateT], int]
    """How many turns, or calls, are over: what belongs together when it is taken back."""
    is_revealing: Callable[[EventT], bool]
    """Whether the event shows somebody a card that was hidden; that cannot be taken back."""
    split: Callable[[StateT], tuple[StateT, bytes]]
    """A state → what a spectator sees while the game goes on, and the rest, always as long."""
    join: Callable[[StateT, bytes], StateT]
    """Both halves → the state. Raise `ValueError` if they do not belong together."""
    solutions: Callable[[StateT], tuple[tuple[int, ...], ...]] | None = None
    """What a player is to find, where the game is one of finding; for observers of everything."""
    explaining: Explaining[StateT, ActionT] | None = None
    """What is told to those who ask why, where the game can tell."""
