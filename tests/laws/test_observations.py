"""What is hidden stays hidden, and what is seen suffices."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games import referee
from splendor_api.games.protocol import Step
from splendor_api.games.registry import Entry
from tests.strategies.habits import HABITS, Json
from tests.strategies.playing import Play, as_json, read_state
from tests.strategies.states import played_states, plays


def observers(entry: Entry, state: Any) -> list[int | None]:
    """Return every seat, and the spectator."""
    return [None, *range(entry.rules.seats_of(state))]


def seen(entry: Entry, state: Any, seat: int | None) -> Json:
    """Return what the seat sees of a state, as JSON."""
    observed = entry.rules.observe(state, seat)
    data: Json = as_json(entry.wire.dump_state(observed))
    return data


def seen_events(entry: Entry, step: Step[Any, Any], seat: int | None) -> list[Json]:
    """Return what the seat sees of the events of a step, as JSON."""
    events = entry.rules.observe_step(step, seat)
    data: list[Json] = as_json([entry.wire.dump_event(each) for each in events])
    return data


@given(st.data())
def test_states_that_differ_in_what_is_hidden_look_the_same(
    entry: Entry, data: st.DataObject
) -> None:
    state = data.draw(played_states(entry))
    seat = data.draw(st.sampled_from(observers(entry, state)))
    other = data.draw(HABITS[entry.rules.name].rearranged(state, seat))
    assert entry.rules.observe(other, seat) == entry.rules.observe(state, seat)


@given(st.data())
def test_nothing_hidden_is_named(entry: Entry, data: st.DataObject) -> None:
    habits = HABITS[entry.rules.name]
    game: Play = data.draw(plays(entry))
    for state in game.states:
        whole = habits.named(as_json(entry.wire.dump_state(state)))
        for seat in observers(entry, state):
            named = habits.named(seen(entry, state, seat))
            assert named == whole - habits.hidden(state, seat)


@given(st.data())
def test_no_event_names_what_is_hidden_after_it_unless_all_saw_it(
    entry: Entry, data: st.DataObject
) -> None:
    rules, habits = entry.rules, HABITS[entry.rules.name]
    game: Play = data.draw(plays(entry))
    for state, action in zip(game.states, game.actions, strict=False):
        step = rules.apply(state, action)
        for seat in observers(entry, state):
            events = seen_events(entry, step, seat)
            told = {card for each in events for card in habits.told(each)}
            was_open = habits.named(seen(entry, state, None))
            assert not (told - was_open) & habits.hidden(step.state, seat)


@given(st.data())
def test_an_observation_observed_is_itself(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    spectated = rules.observe(state, None)
    for seat in observers(entry, state):
        observed = rules.observe(state, seat)
        assert rules.observe(observed, seat) == observed
        assert rules.observe(observed, None) == spectated


@given(st.data())
def test_an_observation_is_a_state_where_a_game_says_so(entry: Entry, data: st.DataObject) -> None:
    state = data.draw(played_states(entry))
    seat = data.draw(st.sampled_from(observers(entry, state)))
    observed = entry.rules.observe(state, seat)
    assert referee.audit(entry.rules, observed) == ()
    if entry.rules.observations_are_states or observed == state:
        assert read_state(entry, seen(entry, state, seat)) == observed
        return
    faults: list[Any] = []
    entry.wire.state.read(seen(entry, state, seat), faults)
    assert faults


@given(st.data())
def test_what_is_seen_follows_from_what_was_seen_and_the_events(
    entry: Entry, data: st.DataObject
) -> None:
    follow = HABITS[entry.rules.name].follow
    game: Play = data.draw(plays(entry))
    seat = data.draw(st.sampled_from(observers(entry, game.last)))
    followed = seen(entry, game.states[0], seat)
    for state, action in zip(game.states, game.actions, strict=False):
        step = entry.rules.apply(state, action)
        followed = follow(followed, seen_events(entry, step, seat), seat)
        assert followed == seen(entry, step.state, seat)
