"""The state of a game of SET, and what follows from it."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from splendor_api.games.protocol import Outcome
from splendor_api.games.set.events import Standing
from splendor_api.games.set.options import Options

Phase = Literal["open", "called", "over"]
PHASES: tuple[Phase, ...] = ("open", "called", "over")

FORMAT: Final = 1
"""Of a state in JSON."""

Deck = tuple[int, ...] | int
"""Card ids, the last one on top, or in an observation how many there are."""

Triple = tuple[int, int, int]


class Player(NamedTuple):
    """What a seat has: its sets, each ascending, failed and forfeited calls, and the score."""

    sets: tuple[Triple, ...]
    failed: int
    score: int
    resigned: bool


class State(NamedTuple):
    """A game in progress or over; the fields are those of its JSON form."""

    ruleset: str
    options: Options
    turn: int
    phase: Phase
    to_act: int | None
    table: tuple[int | None, ...]
    deck: Deck
    no_set: tuple[int, ...]
    outcome: Outcome[Standing] | None
    players: tuple[Player, ...]

    @property
    def is_solo(self) -> bool:
        """Return whether a seat plays alone (T40)."""
        return len(self.players) == 1

    @property
    def is_lost_without_set(self) -> bool:
        """Return whether a table without a set would be the end of a seat alone (T40)."""
        return self.is_solo and self.options.solo_no_set == "lose"


NEW_PLAYER = Player((), 0, 0, resigned=False)


def cards_on(table: tuple[int | None, ...]) -> list[int]:
    """Return the cards on the table, slot by slot."""
    return [card for card in table if card is not None]


def deck_size(deck: Deck) -> int:
    """Return how many cards the deck has, known or not."""
    return deck if isinstance(deck, int) else len(deck)


def with_player(state: State, seat: int, player: Player) -> State:
    """Return the state with another player in a seat."""
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return state._replace(players=players)


def active_seats(state: State) -> tuple[int, ...]:
    """Return the seats that have not resigned."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.resigned)
