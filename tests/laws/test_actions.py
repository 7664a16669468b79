"""What may be done, and what doing it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from splendor_api.games import referee
from splendor_api.games.protocol import Listed
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import Entry
from tests.strategies.habits import HABITS
from tests.strategies.playing import as_json
from tests.strategies.states import actions, legal_actions, played_states, plays

MOST_TURNS = 300  # complete turns of one state that are looked at


def listed(entry: Entry, state: Any, **how: Any) -> Iterator[Any]:
    """Yield the actions that the referee lists as legal."""
    candidates = referee.legal_actions(entry.rules, state, **how)
    assert not isinstance(candidates, Refusal)
    return (candidate.action for candidate in candidates)


def list_of(entry: Entry, action: Any) -> Listed:
    """Return where actions of this type are listed when they are legal."""
    kinds = {kind.type: kind.listed for kind in entry.rules.actions}
    return kinds[action.type]


@given(st.data())
def test_an_action_is_legal_exactly_if_it_breaks_no_rule_and_is_listed(
    entry: Entry, data: st.DataObject
) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    action = data.draw(actions(entry, state))
    broken = referee.check(rules, state, action)
    event(f"{action.type}: {'illegal' if broken else 'legal'}")
    choices = list(listed(entry, state))
    if broken:
        assert action not in choices
        assert isinstance(referee.apply(rules, state, action), Refusal)
        return
    after = rules.apply(state, action).state
    where = list_of(entry, action)
    if where == "choices":
        assert HABITS[rules.name].bare(state, action) in choices
    is_whole = rules.acting(after) != rules.acting(state) or rules.outcome(after)
    if where == "turns" or (where == "choices" and is_whole):
        turns = listed(entry, state, detail="turns")
        assert rules.normal(state, action) in turns


@given(st.data())
def test_what_is_listed_is_legal_distinct_and_in_its_one_spelling(
    entry: Entry, data: st.DataObject
) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    for detail in ("choices", "turns"):
        found = list(islice(listed(entry, state, detail=detail), MOST_TURNS))
        assert len(set(found)) == len(found)
        for action in found:
            assert list_of(entry, action) in ("choices", detail)
            assert rules.seat_of(state, action) in rules.acting(state)
            assert not list(rules.violations(state, action))
            if detail == "turns":
                assert rules.normal(state, action) == action


@given(st.data())
def test_complete_turns_of_one_choice_lead_to_different_states(
    entry: Entry, data: st.DataObject
) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    choices = set(rules.choices(state, None))
    led: dict[tuple[Any, Any], Any] = {}
    for action in islice(rules.turns(state, None), MOST_TURNS):
        choice = HABITS[rules.name].bare(state, action)
        assert (choice in choices) == (list_of(entry, action) == "choices")
        reached = (choice, rules.apply(state, action).state)
        assert reached not in led
        led[reached] = action
    assert choices <= {choice for choice, _ in led} or len(led) == MOST_TURNS


@given(st.data())
def test_what_has_to_be_found_is_legal_and_no_choice(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    for action in HABITS[rules.name].found(state):
        assert not list(rules.violations(state, action))
        assert list_of(entry, action) == "turns"


@given(st.data())
def test_somebody_may_act_until_there_is_an_outcome(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    acting = rules.acting(state)
    assert bool(acting) == (rules.outcome(state) is None)
    assert bool(acting) == _is_anything_listed(entry, state, None)
    assert rules.to_act(state) in (None, *acting)
    for seat in range(rules.seats_of(state)):
        assert _is_anything_listed(entry, state, seat) == (seat in acting)


def _is_anything_listed(entry: Entry, state: Any, seat: int | None) -> bool:
    """Return whether there is a choice or, in a game of finding, perhaps only a turn."""
    is_found = any(kind.listed == "turns" for kind in entry.rules.actions)
    detail = "turns" if is_found else "choices"
    return next(listed(entry, state, seat=seat, detail=detail), None) is not None


@given(st.data())
def test_what_is_shown_beside_is_illegal_and_not_listed(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    candidates = referee.legal_actions(rules, state, include_illegal=True)
    assert not isinstance(candidates, Refusal)
    found = list(candidates)
    legal = [candidate.action for candidate in found if not candidate.violations]
    illegal = [candidate.action for candidate in found if candidate.violations]
    assert legal == list(listed(entry, state))
    assert not set(legal) & set(illegal)
    assert len(set(illegal)) == len(illegal)
    for action in rules.shown(state, None):
        assert action in legal or action in illegal


@given(st.data())
def test_a_choice_can_be_previewed(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    for action in rules.choices(state, None):
        assert entry.wire.dump_preview(rules.preview(state, action))


@given(st.data())
def test_applying_is_pure(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry).filter(rules.acting))
    action = data.draw(legal_actions(entry, state))
    before = repr((state, action))
    first, second = rules.apply(state, action), rules.apply(state, action)
    assert first == second
    assert repr((state, action)) == before
    assert first.events


@given(st.data())
def test_a_normal_action_leads_where_the_action_does(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry).filter(rules.acting))
    action = data.draw(actions(entry, state))
    if any(rules.violations(state, action)):
        return
    normal = rules.normal(state, action)
    assert not any(rules.violations(state, normal))
    assert rules.apply(state, normal) == rules.apply(state, action)
    assert rules.normal(state, normal) == normal


@given(st.data())
def test_a_violation_says_what_its_code_promises(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    state = data.draw(played_states(entry))
    action = data.draw(actions(entry, state))
    broken = list(rules.violations(state, action))
    order = [rules.codes.index(violation.code) for violation in broken]
    assert order == sorted(order)
    assert len({repr(violation) for violation in broken}) == len(broken)
    written = as_json(entry.wire.dump_action(action))
    for violation in broken:
        assert tuple(violation.params) == violation.code.params
        assert violation.code.says.format_map(violation.params)
        assert violation.pointer == "" or _is_there(written, violation.pointer)


def _is_there(value: Any, pointer: str) -> bool:
    """Return whether the pointer leads somewhere; a colour may be left out of a token map."""
    *path, last = pointer.removeprefix("/").split("/")
    for step in path:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return int(last) < len(value) if isinstance(value, list) else last in value


@given(st.data())
def test_a_replay_is_a_fold_of_the_actions(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    game = data.draw(plays(entry))
    events: list[Any] = []
    state = game.states[0]
    for action, expected in zip(game.actions, game.states[1:], strict=True):
        state, happened = rules.apply(state, action)
        events += happened
        assert state == expected
    replayed = referee.replay(rules, game.states[0], game.actions)
    assert replayed == (game.last, tuple(events))


@given(st.data())
def test_a_replay_stops_at_the_first_illegal_action(entry: Entry, data: st.DataObject) -> None:
    rules = entry.rules
    game = data.draw(plays(entry))
    action = data.draw(actions(entry, game.last))
    replayed = referee.replay(rules, game.states[0], (*game.actions, action, *game.actions))
    broken = referee.check(rules, game.last, action)
    assert not isinstance(broken, Refusal)
    if broken:
        index = len(game.actions)
        assert isinstance(replayed, Refusal)
        assert replayed.index == index
        assert [v.under("") for v in replayed.violations] == [
            v.code.at(v.pointer.replace("/action", f"/actions/{index}", 1), **v.params)
            for v in broken
        ]
