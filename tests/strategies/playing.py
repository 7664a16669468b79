"""Playing any game by itself: the same deal, manner and seed give the same game.

Chance comes from the stream that deals are shuffled by, so that whatever a test finds can be
played again anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from splendor_api.games.registry import Entry
from splendor_api.games.shuffle import draw_below, stream
from splendor_api.wire import json_text
from tests.strategies.habits import HABITS

MOST_TURNS_READ = 300  # of the complete turns of a state, which may be thousands


@dataclass(frozen=True, slots=True)
class Manner:
    """How a game is played by itself.

    `liked` are types of action, the best first; in `firmness` of 8 cases the first of them that
    can be had is taken, else any type is. `whole_turns`: in how many of 16 cases returns and the
    like come with the action. `resigning`: in how many of 64 cases some seat resigns.
    """

    liked: tuple[str, ...] = ()
    firmness: int = 7
    whole_turns: int = 0
    resigning: int = 0


@dataclass(frozen=True, slots=True)
class Play:
    """A game so far: `states` has one more than `actions`, the first being the deal."""

    states: tuple[Any, ...]
    actions: tuple[Any, ...]

    @property
    def last(self) -> Any:
        """Return the state that the actions led to."""
        return self.states[-1]

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        """Write, as hypothesis asks, what a failing test should show: not every state between."""
        printer.text(f"<{len(self.actions)} actions from {self.states[0]} to {self.last}>")


def play(entry: Entry, first: Any, manner: Manner, seed: str, steps: int) -> Play:
    """Return the game from `first` on, until it is over or has seen so many actions."""
    states, actions = [first], []
    for action, state in islice(moves(entry, first, manner, seed), steps):
        actions.append(action)
        states.append(state)
    return Play(tuple(states), tuple(actions))


def moves(entry: Entry, first: Any, manner: Manner, seed: str) -> Iterator[tuple[Any, Any]]:
    """Yield each action with the state after it, until the game is over."""
    rules, state, numbers = entry.rules, first, stream(seed, "play")
    while rules.outcome(state) is None:
        action = pick(entry, state, manner, numbers)
        state = rules.apply(state, action).state
        yield action, state


def pick(entry: Entry, state: Any, manner: Manner, numbers: Iterator[int]) -> Any:
    """Return a legal action of a game that goes on."""
    if manner.resigning and draw_below(64, numbers) < manner.resigning:
        seat = draw_below(entry.rules.seats_of(state), numbers)
        resign = read_action(entry, {"type": "resign", "seat": seat})
        if not any(entry.rules.violations(state, resign)):
            return resign
    by_type: dict[str, list[Any]] = {}
    for action in _offered(entry, state, manner, numbers):
        by_type.setdefault(action.type, []).append(action)
    liked = [kind for kind in manner.liked if kind in by_type]
    if liked and draw_below(8, numbers) < manner.firmness:
        kind = liked[0]
    else:
        kind = _one_of(sorted(by_type), numbers)
    return _one_of(by_type[kind], numbers)


def as_json(data: object) -> Any:
    """Return what another program reads of plain data that is written."""
    return json_text.read(json_text.write(data))


def read_action(entry: Entry, data: dict[str, Any]) -> Any:
    """Return the action that `data` stands for; it must be well formed."""
    faults: list[Any] = []
    action = entry.wire.action.read(data, faults)
    assert not faults, faults
    return action


def read_state(entry: Entry, data: object) -> Any:
    """Return the state that `data` stands for; it must be well formed."""
    faults: list[Any] = []
    state = entry.wire.state.read(data, faults)
    assert not faults, faults
    return state


def _offered(entry: Entry, state: Any, manner: Manner, numbers: Iterator[int]) -> Sequence[Any]:
    if manner.whole_turns and draw_below(16, numbers) < manner.whole_turns:
        return list(islice(entry.rules.turns(state, None), MOST_TURNS_READ))
    return (*entry.rules.choices(state, None), *HABITS[entry.rules.name].found(state))


def _one_of(items: Sequence[Any], numbers: Iterator[int]) -> Any:
    return items[draw_below(len(items), numbers)]
