"""Whole games as those who watch them see them, for reducers in other languages.

A game is a line of JSON: who looks, what is seen before and after every action, and what is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any, Final

from splendor_api.games.protocol import Step
from splendor_api.games.registry import GAMES, Entry
from splendor_api.games.shuffle import shuffled
from splendor_api.wire import json_text
from tests.strategies.playing import Manner, moves, read_state

LONGEST: Final = 400  # actions; nearly every game is over by then
OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "splendor": (
        {},
        {"reserve_visibility": "all_hidden", "token_limit": 4, "nobles_revealed": 10},
        {"pass": "always", "reserve_visibility": "open", "target_prestige": 5},
        {"pass": "never", "gems_per_color": 1, "reserve_limit": 1, "token_limit": 3},
    ),
    "set": (
        {},
        {"deck": "quick", "table_size": 9, "extra_cards": "agreed"},
        {"caller_window": "none", "penalty": 2},
    ),
}


def write(path: Path, seeds: range) -> None:
    """Write a game for each seed, choice of options, way to begin and onlooker."""
    with path.open("wb") as file:
        for name, entry in GAMES.items():
            for number, options in product(seeds, OPTIONS[name]):
                for first in _first_states(entry, options, number):
                    for seat in (None, 0):
                        file.write(json_text.write(_game(entry, first, number, seat)) + b"\n")


def _first_states(entry: Entry, options: dict[str, Any], number: int) -> Iterator[Any]:
    rules = entry.rules
    seats = rules.seats[number % min(3, len(rules.seats))]
    dealt = rules.deal(seats, "publisher", options, f"observed {number}")
    yield dealt
    if rules.observations_are_states and not options:
        counted = rules.observe(dealt, None)
        yield counted
        data = json_text.read(json_text.write(entry.wire.dump_state(counted)))
        assert isinstance(data, dict)
        data |= {"phase": "reveal"}
        data["market"]["1"][0] = data["market"]["3"][3] = "unknown"
        yield read_state(entry, data)


def _game(entry: Entry, first: Any, number: int, seat: int | None) -> dict[str, Any]:
    rules, seed = entry.rules, f"observed {number}"
    order = shuffled(list(range(len(rules.actions))), seed, "manner")
    liked = tuple(rules.actions[place].type for place in order)
    manner = Manner(liked, firmness=number % 6, whole_turns=number % 3, resigning=number % 2)
    states, events = [rules.observe(first, seat)], []
    state = first
    for action, _ in islice(moves(entry, first, manner, seed), LONGEST):
        step: Step[Any, Any] = rules.apply(state, action)
        state = step.state
        states.append(rules.observe(state, seat))
        events.append([entry.wire.dump_event(each) for each in rules.observe_step(step, seat)])
    seen = [entry.wire.dump_state(each) for each in states]
    return {"seat": seat, "states": seen, "events": events}
