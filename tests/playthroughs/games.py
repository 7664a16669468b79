"""Whole games as text, to be read where a change shows in them; and counts of legal turns by depth.

A playthrough names the deal, then of each action what was done, what happened, and what of the
table is no longer as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from splendor_api.games.registry import GAMES as REGISTRY
from splendor_api.games.registry import Entry
from splendor_api.games.splendor.state import State
from splendor_api.games.splendor.tokens import COLOR_WORDS
from splendor_api.wire.game import GameWire
from tests.playthroughs.tables import TABLES, tokens
from tests.strategies.playing import Manner, moves

HERE: Final = Path(__file__).parent
SPLENDOR: Final = REGISTRY["splendor"]
DEPTH: Final = 3  # actions, counted to
COUNTED: Final = (("splendor", 2), ("perft", 4))
"""Seeds and seats of the deals whose legal turns are counted."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that plays itself, always in the same way."""

    seats: int
    ruleset: str
    seed: str
    options: Mapping[str, Any]
    manner: Manner
    game: str = "splendor"

    @property
    def entry(self) -> Entry:
        """Return the game that is played."""
        return REGISTRY[self.game]


GAMES: Final[Mapping[str, Played]] = {
    "two-seats": Played(
        2,
        "gamerules",
        "playthrough two",
        {},
        Manner(("choose_noble", "buy", "take_different", "reserve"), firmness=6, whole_turns=4),
    ),
    "three-seats": Played(
        3,
        "publisher",
        "playthrough three 5",
        {"nobles_revealed": 10, "target_prestige": 25, "token_limit": 14},
        Manner(("choose_noble", "buy", "take_same", "take_different"), firmness=6),
    ),
    "four-seats": Played(
        4,
        "publisher",
        "playthrough four",
        {"target_prestige": 10, "pass": "never"},
        Manner(("choose_noble", "buy", "reserve", "take_different"), firmness=5, resigning=1),
    ),
    "set-three-seats": Played(
        3,
        "gamerules",
        "73",  # whose first twelve cards hold no set
        {},
        Manner(("claim", "call", "forfeit"), firmness=5, whole_turns=4),
        "set",
    ),
    "set-agreed": Played(
        2,
        "publisher",
        "playthrough of an agreement",
        {"deck": "quick", "penalty": 2},
        Manner(("claim", "no_set"), firmness=1, whole_turns=2),
        "set",
    ),
}


def text_of(name: str) -> str:
    """Return the playthrough of that name."""
    return "".join(f"{line}\n" for line in _lines(GAMES[name]))


def counts_text() -> str:
    """Return how many complete turns there are from the published deals on, by depth."""
    lines = ["Complete turns of all seats in order, by the number of turns."]
    for seed, seats in COUNTED:
        first = SPLENDOR.rules.deal(seats, "publisher", {}, seed)
        lines.append(f"publisher, {seats} seats, seed {seed}:")
        lines += [f"  {depth}: {count_turns(first, depth)}" for depth in range(1, DEPTH + 1)]
    return "".join(f"{line}\n" for line in lines)


def count_turns(state: State, depth: int) -> int:
    """Return how many sequences of so many complete turns may follow."""
    turns = SPLENDOR.rules.turns(state, None)
    if depth == 1:
        return sum(1 for _ in turns)
    apply = SPLENDOR.rules.apply
    return sum(count_turns(apply(state, action).state, depth - 1) for action in turns)


def _lines(game: Played) -> Iterator[str]:
    rules, wire = game.entry.rules, game.entry.wire
    state = rules.deal(game.seats, game.ruleset, game.options, game.seed)
    options = ", ".join(f"{name} {value}" for name, value in game.options.items())
    yield f"{game.seats} seats, {game.ruleset}, seed: {game.seed}"
    yield f"options: {options or 'as in the ruleset'}"
    yield ""
    shown = tuple(TABLES[game.game](state))
    yield from shown
    for action, _ in moves(game.entry, state, game.manner, game.seed):
        step = rules.apply(state, action)
        yield ""
        yield f"[{state.turn}] seat {rules.seat_of(state, action)}: {_action(wire, action)}"
        for event in step.events:
            yield f"    {_written(wire.dump_event(event))}"
        state, before = step.state, shown
        shown = tuple(TABLES[game.game](state))
        yield from (line for line in shown if line not in before)


def _action(wire: GameWire[Any, Any, Any, Any, Any], action: Any) -> str:
    return _written(wire.dump_action(action))


def _written(data: Mapping[str, Any]) -> str:
    """Return the type of an action or event, and what it says besides."""
    rest = [f"{name}={_value(value)}" for name, value in data.items() if name != "type"]
    return " ".join((data["type"], *rest))


def _value(value: Any) -> str:
    if isinstance(value, dict) and value.keys() <= set(COLOR_WORDS):
        return tokens(tuple(value.get(word, 0) for word in COLOR_WORDS))
    if isinstance(value, dict):
        return "{" + " ".join(f"{name}={_value(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + " ".join(map(_value, value)) + "]"
    return "-" if value is None else str(value)
