"""Whole games, step by step: whatever is tried, state, observation and record stay together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from splendor_api.games import referee
from splendor_api.games.protocol import Step
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import GAMES, Entry
from tests.strategies.habits import HABITS, Json
from tests.strategies.playing import Manner, as_json, moves, read_action, read_state
from tests.strategies.states import actions, dealt_states, legal_actions, manners, seeds

MOST_AT_ONCE = 12  # actions that a game goes on by itself


class Table(RuleBasedStateMachine):
    """A game with everybody who watches it."""

    entry: Entry

    @initialize(data=st.data())
    def deal(self, data: st.DataObject) -> None:
        """Sit down."""
        dealt = data.draw(dealt_states(self.entry))
        self.first = data.draw(HABITS[self.entry.rules.name].first_states(dealt))
        self.state = self.first
        self.actions: list[Any] = []
        self.observers = (None, *range(self.entry.rules.seats_of(self.first)))
        self.seen = {seat: self._observed(seat) for seat in self.observers}

    def _observed(self, seat: int | None) -> Json:
        observed = self.entry.rules.observe(self.state, seat)
        data: Json = as_json(self.entry.wire.dump_state(observed))
        return data

    def _is_going_on(self) -> bool:
        return bool(self.entry.rules.acting(self.state))

    def _act(self, action: Any) -> None:
        step = referee.apply(self.entry.rules, self.state, action)
        if isinstance(step, Refusal):
            assert step.kind == "illegal_action"
            assert step.violations
            return
        self.actions.append(action)
        self.state = step.state
        self._tell(step)

    def _tell(self, step: Step[Any, Any]) -> None:
        for seat in self.observers:
            events = self.entry.rules.observe_step(step, seat)
            told = as_json([self.entry.wire.dump_event(event) for event in events])
            self.seen[seat] = HABITS[self.entry.rules.name].follow(self.seen[seat], told, seat)

    @precondition(_is_going_on)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Do something that may be done."""
        self._act(data.draw(legal_actions(self.entry, self.state)))

    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        """Do something that perhaps may not be done."""
        self._act(data.draw(actions(self.entry, self.state)))

    @precondition(_is_going_on)
    @rule(data=st.data(), seed=seeds(), count=st.integers(1, MOST_AT_ONCE))
    def go_on(self, data: st.DataObject, seed: str, count: int) -> None:
        """Let the game be played for a while."""
        manner: Manner = data.draw(manners(self.entry))
        going = moves(self.entry, self.state, manner, seed)
        for action, _ in (pair for _, pair in zip(range(count), going, strict=False)):
            self._act(action)

    @precondition(_is_going_on)
    @rule(seat=st.integers(0, 3))
    def resign(self, seat: int) -> None:
        """Leave, or try to."""
        self._act(read_action(self.entry, {"type": "resign", "seat": seat}))

    @rule()
    def write_down(self) -> None:
        """Put the state away and take it out again."""
        self.state = read_state(self.entry, as_json(self.entry.wire.dump_state(self.state)))

    @invariant()
    def passes_the_audit(self) -> None:
        """Hold the state against everything that no play can have produced."""
        assert referee.audit(self.entry.rules, self.state) == ()

    @invariant()
    def is_followed(self) -> None:
        """Hold what everybody has followed against what there is to see."""
        for seat, followed in self.seen.items():
            assert followed == self._observed(seat)

    def teardown(self) -> None:
        """Hold the record against the state."""
        if hasattr(self, "state"):
            replayed = referee.replay(self.entry.rules, self.first, self.actions)
            assert isinstance(replayed, Step)
            assert replayed.state == self.state


@pytest.mark.parametrize("game", GAMES)
def test_a_table_stays_in_order(game: str) -> None:
    machine = type(f"TableOf{game.title()}", (Table,), {"entry": GAMES[game]})
    run_state_machine_as_test(machine)
