"""Random play: the same for every contender of a round, for it follows from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, count, islice
from typing import Any

import chess

from splendor_api.games.registry import GAMES

SPLENDOR = GAMES["splendor"]
RULESET = "gamerules"
LAST_HALF_MOVE = 150
"""Half moves without a capture or a move of a pawn after which chess is over (article 9.6.2)."""


def splendor(seats: int, seed: int, *, turns: bool = False, audit: bool = False) -> int:
    """Play a game to its end, through choices or complete turns; return the steps it took."""
    rules, chance = SPLENDOR.rules, random.Random(seed)
    state = rules.deal(seats, RULESET, {}, dealt_from(seed))
    steps = 0
    while rules.to_act(state) is not None:
        listed = [*rules.turns(state, None)] if turns else rules.choices(state, None)
        state = rules.apply(state, chance.choice(listed)).state
        if audit:
            findings = [*rules.audit(state)]
            assert not findings, "play reaches no impossible state"
        steps += 1
    return steps


def played(seats: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield each state of a game with the action taken in it, and the last with none."""
    rules, chance = SPLENDOR.rules, random.Random(seed)
    state = rules.deal(seats, RULESET, {}, dealt_from(seed))
    while rules.to_act(state) is not None:
        action = chance.choice(rules.choices(state, None))
        yield state, action
        state = rules.apply(state, action).state
    yield state, None


def dealt_from(seed: int) -> str:
    """Return the seed of the deal: long enough for a session to take it."""
    return f"benchmark of random play {seed}"


def positions(seats: int, size: int) -> list[dict[str, object]]:
    """Return so many bodies of `apply`: every third state of random games, with a legal action."""
    wire = SPLENDOR.wire
    moments = chain.from_iterable(played(seats, seed) for seed in count())
    bodies: Iterator[dict[str, object]] = (
        {"state": wire.dump_state(state), "action": wire.dump_action(action)}
        for state, action in islice(moments, 0, None, 3)
        if action is not None
    )
    return list(islice(bodies, size))


def chess_game(seed: int) -> int:
    """Play a game of chess with python-chess until nobody can move or nothing happens any more;
    return the half moves it took.
    """
    chance, board = random.Random(seed), chess.Board()
    steps = 0
    while board.halfmove_clock < LAST_HALF_MOVE:
        listed = [*board.legal_moves]
        if not listed:
            break
        board.push(chance.choice(listed))
        steps += 1
    return steps
