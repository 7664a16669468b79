"""Whatever a game writes is as the document says: states, actions, events, previews, components."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from splendor_api.contract.generated import schema_name
from splendor_api.games.protocol import Step
from splendor_api.games.registry import GAMES, Entry
from tests.contract.bodies import plain
from tests.contract.validation import contract
from tests.strategies.playing import Play
from tests.strategies.profiles import tries
from tests.strategies.states import plays

GAMES_PLAYED = tries(40, 120)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_is_documented(game: str) -> None:
    entry = GAMES[game]
    seen: Counter[str] = Counter()

    @settings(max_examples=GAMES_PLAYED, suppress_health_check=list(HealthCheck))
    @given(plays(entry))
    def write(played: Play) -> None:
        for state in (played.states[0], played.last):
            _write_state(entry, state, seen)
        for before, action in zip(played.states, played.actions, strict=False):
            _conform(game, "action", entry.wire.dump_action(action), seen)
            _write_step(entry, entry.rules.apply(before, action), seen)

    write()
    assert {kind.type for kind in entry.rules.events} <= set(seen)
    assert {kind.type for kind in entry.rules.actions} <= set(seen)


def test_components_are_documented() -> None:
    for game, entry in GAMES.items():
        _conform(game, "components", entry.wire.components(), Counter())


def _write_state(entry: Entry, state: Any, seen: Counter[str]) -> None:
    """Write a state as every seat sees it, and everything that may be done in it."""
    rules, wire = entry.rules, entry.wire
    observed = "state" if rules.observations_are_states else "observed_state"
    for seat in (None, *range(rules.seats_of(state))):
        _conform(rules.name, observed, wire.dump_state(rules.observe(state, seat)), seen)
    _conform(rules.name, "state", wire.dump_state(state), seen)
    for action in rules.choices(state, None):
        _conform(rules.name, "action", wire.dump_action(action), seen)
        preview = wire.dump_preview(rules.preview(state, action))
        _conform(rules.name, "preview", preview, seen)
    for action in rules.shown(state, None):
        _conform(rules.name, "action", wire.dump_action(action), seen)


def _write_step(entry: Entry, step: Step[Any, Any], seen: Counter[str]) -> None:
    """Write the events of a step, as they are and as every seat sees them."""
    rules = entry.rules
    for seat in range(rules.seats_of(step.state)):
        for event in rules.observe_step(step, seat):
            _conform(rules.name, "event", entry.wire.dump_event(event), seen)
    for event in step.events:
        _conform(rules.name, "event", entry.wire.dump_event(event), seen)


def _conform(game: str, what: str, value: dict[str, Any], seen: Counter[str]) -> None:
    schema = {"$ref": f"#/components/schemas/{schema_name(game, what)}"}
    assert contract().schemas.faults(schema, plain(value)) == [], value
    seen[value.get("type", what)] += 1
