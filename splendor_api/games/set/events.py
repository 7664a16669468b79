"""Every event of SET: what an interface animates, and enough to follow a game by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from splendor_api.games.protocol import Kind, Outcome


class Standing(NamedTuple):
    """One seat's line in the ranking."""

    seat: int
    rank: int
    score: int


class Move(NamedTuple):
    """A card that moves from slot to slot as the table shrinks (T30)."""

    card: int
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class SetCalled:
    """The seat has called: the cards are its own until it picks (T14)."""

    type: ClassVar[str] = "set_called"
    seat: int


@dataclass(frozen=True, slots=True)
class SetClaimed:
    """The seat has picked a set and keeps it (T23)."""

    type: ClassVar[str] = "set_claimed"
    seat: int
    cards: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SetRejected:
    """The seat has picked what is no set, as each of `features` shows (T10, T24)."""

    type: ClassVar[str] = "set_rejected"
    seat: int
    cards: tuple[int, int, int]
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallForfeited:
    """The caller has no set to show (T19, T24)."""

    type: ClassVar[str] = "call_forfeited"
    seat: int


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Cards were dealt into these slots (T28, T32)."""

    type: ClassVar[str] = "cards_dealt"
    slots: tuple[int, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableShrunk:
    """The last three slots are gone; their cards moved (T30)."""

    type: ClassVar[str] = "table_shrunk"
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class NoSetSaid:
    """The seat says that there is no set (T36)."""

    type: ClassVar[str] = "no_set_said"
    seat: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """The seat resigned; `timeout` if it was made to."""

    type: ClassVar[str] = "resigned"
    seat: int
    timeout: bool


@dataclass(frozen=True, slots=True)
class CardsShown:
    """The game is over and the deck, hidden until now, is shown; only told where cards are left."""

    type: ClassVar[str] = "cards_shown"
    deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    type: ClassVar[str] = "game_over"
    outcome: Outcome[Standing]


Event = (
    SetCalled
    | SetClaimed
    | SetRejected
    | CallForfeited
    | CardsDealt
    | TableShrunk
    | NoSetSaid
    | Resigned
    | CardsShown
    | GameOver
)

EVENTS = (
    Kind("set_called", "The seat has called."),
    Kind("set_claimed", "The seat has picked a set and keeps it."),
    Kind("set_rejected", "The seat has picked what is no set; `features` says why."),
    Kind("call_forfeited", "The caller has no set to show."),
    Kind("cards_dealt", "Cards were dealt into these slots."),
    Kind("table_shrunk", "The last three slots are gone; their cards moved."),
    Kind("no_set_said", "The seat says that there is no set."),
    Kind("resigned", "The seat resigned, or was made to (`timeout`)."),
    Kind("cards_shown", "The deck, shown at the end where cards are left in it."),
    Kind("game_over", "The game has ended."),
)


def is_revealing(event: Event) -> bool:
    """Return whether the event shows cards that were hidden."""
    return isinstance(event, CardsDealt)
