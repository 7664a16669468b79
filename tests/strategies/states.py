"""Games, states and actions of any game, drawn by playing."""

from __future__ import annotations

from itertools import islice
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from splendor_api.games.protocol import Option, Value
from splendor_api.games.registry import Entry
from tests.strategies.habits import HABITS, Json
from tests.strategies.playing import Manner, Play, as_json, play, read_action

FEW_SEATS = 4  # more are drawn, too, but make games slower, not different
LONGEST = 150  # actions of a game that is drawn
MOST_LISTED = 200  # complete turns among which one is drawn


def option_values(option: Option) -> SearchStrategy[Value]:
    """Draw any value that the option can have."""
    if isinstance(option.values, range):
        return st.integers(option.values[0], option.values[-1])
    return st.sampled_from(option.values)


def options(entry: Entry) -> SearchStrategy[dict[str, Value]]:
    """Draw what a deal may say of options: nothing, one of them, or any."""
    values = {option.name: option_values(option) for option in entry.rules.options}
    one = [st.fixed_dictionaries({name: value}) for name, value in values.items()]
    return st.one_of(st.just({}), st.one_of(one), st.fixed_dictionaries({}, optional=values))


@st.composite
def dealt_states(draw: DrawFn, entry: Entry, *, default_options: bool = False) -> Any:
    """Draw a first state, of any number of seats, ruleset and options."""
    rules = entry.rules
    few = rules.seats[:FEW_SEATS]
    seats = draw(st.one_of(*[st.sampled_from(few)] * 3, st.sampled_from(rules.seats)))
    ruleset = draw(st.sampled_from(tuple(rules.rulesets)))
    given = {} if default_options else draw(options(entry))
    return rules.deal(seats, ruleset, given, draw(seeds()))


def seeds() -> SearchStrategy[str]:
    """Draw the seed of a shuffle."""
    return st.integers(0, 9_999).map(str)


def manners(entry: Entry) -> SearchStrategy[Manner]:
    """Draw a way to play."""
    kinds = [kind.type for kind in entry.rules.actions]
    return st.builds(
        Manner,
        liked=st.permutations(kinds).map(tuple),
        firmness=st.integers(0, 7),
        whole_turns=st.sampled_from((0, 1, 4)),
        resigning=st.sampled_from((0, 0, 0, 1, 8)),
    )


@st.composite
def plays(draw: DrawFn, entry: Entry) -> Play:
    """Draw a game in progress or over, from a deal or another first state, played in any manner."""
    first = draw(HABITS[entry.rules.name].first_states(draw(dealt_states(entry))))
    steps = draw(st.integers(0, LONGEST))
    return play(entry, first, draw(manners(entry)), draw(seeds()), steps)


def played_states(entry: Entry) -> SearchStrategy[Any]:
    """Draw a state that play can reach."""
    return plays(entry).map(lambda game: game.last)


@st.composite
def legal_actions(draw: DrawFn, entry: Entry, state: Any) -> Any:
    """Draw a choice or a complete turn of a game that goes on."""
    rules = entry.rules
    listed = (
        islice(rules.turns(state, None), MOST_LISTED)
        if draw(st.booleans())
        else (*rules.choices(state, None), *HABITS[rules.name].found(state))
    )
    by_type: dict[str, list[Any]] = {}
    for action in listed:
        by_type.setdefault(action.type, []).append(action)
    return draw(st.sampled_from(by_type[draw(st.sampled_from(sorted(by_type)))]))


@st.composite
def actions(draw: DrawFn, entry: Entry, state: Any) -> Any:
    """Draw any action: a legal one, one that is nearly legal, an absurd one."""
    habits = HABITS[entry.rules.name]
    data: Json
    kind = draw(st.sampled_from(("legal", "near", "absurd")))
    if kind == "absurd" or not entry.rules.acting(state):
        data = draw(habits.actions(state))
    else:
        data = as_json(entry.wire.dump_action(draw(legal_actions(entry, state))))
        if kind == "near":
            other = draw(habits.actions(state))
            data |= {name: other[name] for name in other if name in habits.extras(data)}
    return read_action(entry, data)
