"""Every event of Splendor: what an interface animates, and enough to follow a game by.

Where a card is `None` its face is not known to whom the event is told, except in `CardRevealed`,
where it means that the deck has run out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from splendor_api.games.protocol import Kind, Outcome
from splendor_api.games.splendor.tokens import Tokens


class Standing(NamedTuple):
    """One seat's line in the ranking; `cards` are the bought ones."""

    seat: int
    rank: int
    prestige: int
    cards: int


class Place(NamedTuple):
    """A slot of the market, counted from 0, in the row of its level."""

    level: int
    slot: int


@dataclass(frozen=True, slots=True)
class TokensTaken:
    """The seat took tokens from the bank."""

    type: ClassVar[str] = "tokens_taken"
    seat: int
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class TokensReturned:
    """The seat gave surplus tokens back to the bank."""

    type: ClassVar[str] = "tokens_returned"
    seat: int
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class CardReserved:
    """The seat reserved a card, from a slot or (`slot: null`) from a deck, with 0 or 1 gold."""

    type: ClassVar[str] = "card_reserved"
    seat: int
    card: int | None
    level: int
    slot: int | None
    hidden: bool
    gold: int


@dataclass(frozen=True, slots=True)
class CardBought:
    """The seat bought a card, from a slot or (`slot: null`) from its own reserve.

    `place` is where in the reserve it lay, counted from 0, if only its holder saw it there.
    """

    type: ClassVar[str] = "card_bought"
    seat: int
    card: int
    level: int
    slot: int | None
    payment: Tokens
    place: int | None = None


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """A slot was refilled, or (`card: null`) its deck has run out."""

    type: ClassVar[str] = "card_revealed"
    level: int
    slot: int
    card: int | None


@dataclass(frozen=True, slots=True)
class NobleVisited:
    """A noble came to the seat."""

    type: ClassVar[str] = "noble_visited"
    seat: int
    noble: int


@dataclass(frozen=True, slots=True)
class Passed:
    """The seat passed."""

    type: ClassVar[str] = "passed"
    seat: int


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """The seat's turn was skipped: it is stuck and may not pass (S20), or it has resigned."""

    type: ClassVar[str] = "turn_skipped"
    seat: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """The seat resigned; `timeout` if it was made to."""

    type: ClassVar[str] = "resigned"
    seat: int
    timeout: bool


@dataclass(frozen=True, slots=True)
class FinalRoundStarted:
    """The seat has reached the target prestige; this round is the last."""

    type: ClassVar[str] = "final_round_started"
    seat: int


@dataclass(frozen=True, slots=True)
class ReturnOwed:
    """The seat must return `count` tokens before its turn can end."""

    type: ClassVar[str] = "return_owed"
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class NobleOwed:
    """The seat must choose one of `nobles` before its turn can end."""

    type: ClassVar[str] = "noble_owed"
    seat: int
    nobles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RevealOwed:
    """The cards now lying in `slots` must be told before the turn can go on."""

    type: ClassVar[str] = "reveal_owed"
    seat: int
    slots: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The seat's turn is over; `turn` turns are now completed."""

    type: ClassVar[str] = "turn_ended"
    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class CardsShown:
    """The game is over and nothing is hidden any more (S82): decks, and reserves by seat.

    A reserved card is (card, level, hidden), as in a state. Only told to those who observe.
    """

    type: ClassVar[str] = "cards_shown"
    decks: tuple[tuple[int, ...] | int, ...]
    reserved: tuple[tuple[tuple[int | None, int, bool], ...], ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    type: ClassVar[str] = "game_over"
    outcome: Outcome[Standing]


Event = (
    TokensTaken
    | TokensReturned
    | CardReserved
    | CardBought
    | CardRevealed
    | NobleVisited
    | Passed
    | TurnSkipped
    | Resigned
    | FinalRoundStarted
    | ReturnOwed
    | NobleOwed
    | RevealOwed
    | TurnEnded
    | CardsShown
    | GameOver
)

EVENTS = (
    Kind("tokens_taken", "The seat took tokens from the bank."),
    Kind("tokens_returned", "The seat gave surplus tokens back to the bank."),
    Kind("card_reserved", "The seat reserved a card, with 0 or 1 gold."),
    Kind("card_bought", "The seat bought a card."),
    Kind("card_revealed", "A slot was refilled, or its deck has run out (`card: null`)."),
    Kind("noble_visited", "A noble came to the seat."),
    Kind("passed", "The seat passed."),
    Kind("turn_skipped", "The turn of a stuck or resigned seat was skipped."),
    Kind("resigned", "The seat resigned, or was made to (`timeout`)."),
    Kind("final_round_started", "The seat has reached the target prestige."),
    Kind("return_owed", "The seat must return tokens."),
    Kind("noble_owed", "The seat must choose one of several nobles."),
    Kind("reveal_owed", "The cards in these slots must be told."),
    Kind("turn_ended", "The seat's turn is over."),
    Kind("cards_shown", "What was hidden from the observer, shown at the end."),
    Kind("game_over", "The game has ended."),
)


def is_revealing(event: Event) -> bool:
    """Return whether the event shows a card that was hidden: to all, or to the seat itself."""
    if isinstance(event, CardReserved):
        return event.slot is None
    return isinstance(event, CardRevealed) and event.card is not None
