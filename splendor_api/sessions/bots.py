"""Seats that opponents play: when the next of them is due, and what it does then.

No process waits for its turn to come. What an opponent has to do is done by whoever comes next: a
request, or a stream that is woken when it is due, as with time limits. What is thought of is the
same for all: it follows from what the seat sees and from a seed that nobody outside knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from splendor_api.games.opponents import Effort, Level, Opponents
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.opponents.searchers import Searchers
from splendor_api.sessions import tokens
from splendor_api.wire.requests import MOST_PLAYOUTS

SEARCH_SECONDS: Final = 1.0  # that an opponent searches for an action

Bots = Mapping[int, Level]
"""The level of the opponent that has a seat, by seat."""


@dataclass(frozen=True, slots=True)
class Due:
    """An opponent that has something to do, and when."""

    seat: int
    level: Level
    after_ms: int


def seed_of(salt: str, actions: int) -> str:
    """Return what chance follows from for opponents, after so many actions of a session."""
    return tokens.short_hash("opponents", salt, str(actions))


def due_at(
    game: GameEntry, bots: Bots, state: Any, salt: str, actions: int, now_ms: int
) -> int | None:
    """Return when the next opponent is due in a state that came about now."""
    due = next_due(game, bots, state, seed_of(salt, actions)) if bots else None
    return None if due is None else now_ms + due.after_ms


def next_due(game: GameEntry, bots: Bots, state: Any, seed: str) -> Due | None:
    """Return the opponent that is the first to act in a state, if any is to."""
    dues = list(_dues(game, bots, state, seed))
    return min(dues, key=lambda due: (due.after_ms, due.seat)) if dues else None


def action_of(game: GameEntry, searchers: Searchers, due: Due, state: Any, seed: str) -> Any:
    """Return the action of an opponent that is due; raise `Busy` if it must search and cannot."""
    opponents = _opponents(game)
    seen = game.rules.observe(state, due.seat)
    if due.level not in opponents.searches:
        return opponents.play(seen, due.seat, due.level, seed, Effort(MOST_PLAYOUTS))
    return searchers.ask(
        opponents.play,
        *(seen, due.seat, due.level, seed),
        playouts=MOST_PLAYOUTS,
        seconds=SEARCH_SECONDS,
    )


def is_searching(game: GameEntry, due: Due) -> bool:
    """Return whether it takes time to find out what the opponent does."""
    return due.level in _opponents(game).searches


def _dues(game: GameEntry, bots: Bots, state: Any, seed: str) -> Iterator[Due]:
    for seat, level in bots.items():
        seen = game.rules.observe(state, seat)
        after_ms = _opponents(game).patience(seen, seat, level, seed)
        if after_ms is not None:
            yield Due(seat, level, after_ms)


def _opponents(game: GameEntry) -> Opponents[Any, Any]:
    assert game.opponents is not None, "a session has opponents of a game that has some"
    return game.opponents
