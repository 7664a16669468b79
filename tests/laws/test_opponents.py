"""Opponents, whoever's: they do what is legal, by what they see, the same each time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games.opponents import LEVELS, Advice, Effort, Level
from splendor_api.games.registry import Entry
from tests.strategies.habits import HABITS
from tests.strategies.states import played_states, seeds

EFFORT = Effort(playouts=12)


def advised(entry: Entry, state: Any, seat: int, level: Level, seed: str) -> Advice[Any]:
    """Return the advice that the seat gets in a state, of which it sees its part."""
    assert entry.opponents is not None
    seen = entry.rules.observe(state, seat)
    return entry.opponents.advise(seen, seat, level, seed, EFFORT)


@given(st.data())
def test_what_is_suggested_is_legal(entry: Entry, data: st.DataObject) -> None:
    state, level = data.draw(played_states(entry)), data.draw(st.sampled_from(LEVELS))
    for seat in range(entry.rules.seats_of(state)):
        for one in advised(entry, state, seat, level, data.draw(seeds())).ranked:
            assert entry.rules.seat_of(state, one.action) == seat
            assert not list(entry.rules.violations(state, one.action))


@given(st.data())
def test_who_may_not_act_is_not_advised(entry: Entry, data: st.DataObject) -> None:
    state, level = data.draw(played_states(entry)), data.draw(st.sampled_from(LEVELS))
    for seat in set(range(entry.rules.seats_of(state))) - set(entry.rules.acting(state)):
        assert advised(entry, state, seat, level, "any").ranked == ()


@given(st.data())
def test_what_is_hidden_changes_no_advice(entry: Entry, data: st.DataObject) -> None:
    """Whoever could see the deck, or another's hand, would play by it."""
    state, level = data.draw(played_states(entry)), data.draw(st.sampled_from(LEVELS))
    seed = data.draw(seeds())
    for seat in entry.rules.acting(state):
        other = data.draw(HABITS[entry.rules.name].rearranged(state, seat))
        assert advised(entry, other, seat, level, seed) == advised(entry, state, seat, level, seed)


@given(st.data())
def test_who_waits_has_something_to_do_and_who_has_waits(entry: Entry, data: st.DataObject) -> None:
    assert entry.opponents is not None
    state, level = data.draw(played_states(entry)), data.draw(st.sampled_from(LEVELS))
    if not entry.opponents.is_playable(state):
        return
    for seat in range(entry.rules.seats_of(state)):
        seen, seed = entry.rules.observe(state, seat), data.draw(seeds())
        action = entry.opponents.play(seen, seat, level, seed, EFFORT)
        assert (action is None) == (entry.opponents.patience(seen, seat, level, seed) is None)


@given(st.data())
def test_advice_is_ranked_and_says_why(entry: Entry, data: st.DataObject) -> None:
    assert entry.opponents is not None
    state, level = data.draw(played_states(entry)), data.draw(st.sampled_from(LEVELS))
    for seat in entry.rules.acting(state):
        ranked = advised(entry, state, seat, level, "any").ranked
        facts = {reason.fact for one in ranked for reason in one.reasons}
        assert facts <= set(entry.opponents.facts)
        if level not in entry.opponents.searches:
            values = [one.value for one in ranked]
            assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_between_opponents_ends(entry: Entry, level: Level) -> None:
    rules, opponents = entry.rules, entry.opponents
    assert opponents is not None
    state, actions = rules.deal(2, "gamerules", {}, "opponents"), 0
    effort = replace(EFFORT, playouts=1)
    while rules.outcome(state) is None:
        seat = rules.acting(state)[actions % len(rules.acting(state))]
        seen = rules.observe(state, seat)
        action = opponents.play(seen, seat, level, f"{actions}", effort)
        assert action is not None
        wait = opponents.patience(seen, seat, level, f"{actions}")
        assert wait is not None
        assert wait >= 0
        assert not list(rules.violations(state, action))
        state, actions = rules.apply(state, action).state, actions + 1
        assert actions < 1_000


def test_every_level_is_offered_and_every_fact_is_named_once(entry: Entry) -> None:
    assert entry.opponents is not None
    assert tuple(entry.opponents.levels) == LEVELS
    names = [fact.name for fact in entry.opponents.facts]
    assert len(set(names)) == len(names)
