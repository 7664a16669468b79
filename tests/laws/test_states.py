"""What is true of every state that play reaches, and of no other."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games import referee
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import Entry
from tests.strategies.habits import HABITS, Json
from tests.strategies.playing import Play, as_json, read_action, read_state
from tests.strategies.states import actions, dealt_states, played_states, plays


@given(st.data())
def test_a_state_that_play_reaches_passes_the_audit(entry: Entry, data: st.DataObject) -> None:
    game: Play = data.draw(plays(entry))
    for state in game.states:
        assert referee.audit(entry.rules, state) == ()


@given(st.data())
def test_a_damaged_state_is_refused(entry: Entry, data: st.DataObject) -> None:
    state = data.draw(played_states(entry))
    whole: Json = as_json(entry.wire.dump_state(state))
    damaged = data.draw(HABITS[entry.rules.name].damages(whole))
    faults: list[Any] = []
    loaded = entry.wire.state.read(damaged, faults)
    if faults or loaded == state:
        return
    findings = referee.audit(entry.rules, loaded)
    assert findings
    action = read_action(entry, data.draw(HABITS[entry.rules.name].actions(state)))
    impossible = Refusal("impossible_state", findings)
    assert referee.check(entry.rules, loaded, action) == impossible
    assert referee.apply(entry.rules, loaded, action) == impossible
    assert referee.replay(entry.rules, loaded, [action]) == impossible
    assert referee.legal_actions(entry.rules, loaded) == impossible


@given(st.data())
def test_a_finding_says_what_its_code_promises(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    whole: Json = as_json(entry.wire.dump_state(data.draw(played_states(entry))))
    damaged = data.draw(HABITS[rules.name].damages(whole))
    faults: list[Any] = []
    loaded = entry.wire.state.read(damaged, faults)
    if faults:
        return
    findings = list(rules.audit(loaded))
    order = [rules.findings.index(finding.code) for finding in findings]
    assert order == sorted(order)
    assert len({repr(finding) for finding in findings}) == len(findings)
    for finding in findings:
        assert tuple(finding.params) == finding.code.params
        assert finding.code.says.format_map(finding.params)
        assert _value_at(damaged, finding.pointer) is not Ellipsis
        assert as_json(dict(finding.params)) == as_json(dict(finding.params))


def _value_at(value: Any, pointer: str) -> object:
    """Return what a pointer names, or `...` where it names nothing."""
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value.get(step, ...)
    return value


@given(st.data())
def test_a_state_is_read_as_it_was_written(entry: Entry, data: st.DataObject) -> None:
    state = data.draw(played_states(entry))
    written = as_json(entry.wire.dump_state(state))
    read = read_state(entry, written)
    assert read == state
    assert as_json(entry.wire.dump_state(read)) == written


@given(st.data())
def test_an_action_is_read_as_it_was_written(entry: Entry, data: st.DataObject) -> None:
    action = data.draw(actions(entry, data.draw(played_states(entry))))
    written = as_json(entry.wire.dump_action(action))
    assert read_action(entry, written) == action
    assert as_json(entry.wire.dump_action(read_action(entry, written))) == written


@given(st.data())
def test_a_state_goes_on_as_it_would_have_after_being_written(
    entry: Entry, data: st.DataObject
) -> None:
    state = data.draw(played_states(entry))
    action = data.draw(actions(entry, state))
    read = read_state(entry, as_json(entry.wire.dump_state(state)))
    assert referee.apply(entry.rules, read, action) == referee.apply(entry.rules, state, action)


@given(st.data())
def test_a_deal_follows_from_what_is_asked_for(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    seats = data.draw(st.sampled_from(rules.seats))
    ruleset = data.draw(st.sampled_from(tuple(rules.rulesets)))
    seed = data.draw(st.text(min_size=1, max_size=128).filter(_is_encodable))
    first = rules.deal(seats, ruleset, {}, seed)
    assert first == rules.deal(seats, ruleset, {}, seed)
    assert rules.seats_of(first) == seats
    assert referee.audit(rules, first) == ()
    assert bool(rules.acting(first)) == (rules.outcome(first) is None)
    for option in rules.options:
        spelled = rules.deal(seats, ruleset, {option.name: option.default(ruleset, seats)}, seed)
        assert spelled == first


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


@given(st.data())
def test_nothing_is_made_and_nothing_is_lost(entry: Entry, data: st.DataObject) -> None:
    inventory = HABITS[entry.rules.name].inventory
    game: Play = data.draw(plays(entry))
    expected = inventory(as_json(entry.wire.dump_state(game.states[0])))
    for state in game.states:
        assert inventory(as_json(entry.wire.dump_state(state))) == expected


@given(st.data())
def test_every_value_of_an_option_makes_a_game(entry: Entry, data: st.DataObject) -> None:
    state = data.draw(dealt_states(entry))
    assert referee.audit(entry.rules, state) == ()
    assert bool(entry.rules.acting(state)) == (entry.rules.outcome(state) is None)
