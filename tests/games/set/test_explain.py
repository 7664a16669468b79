"""What is said of a table without saying where a set is; what an action lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games import referee
from splendor_api.games.registry import GAMES
from splendor_api.games.set.actions import Action, Call, Claim, Forfeit, NoSet, Resign
from splendor_api.games.set.components import sets_among
from splendor_api.games.set.explain import EXPLAINING, NEEDS, facts, judges, lacking, under
from splendor_api.games.set.state import State, cards_on
from splendor_api.games.set.turn import choices, violations
from tests.games.set.table import (
    AGREED,
    ROWS,
    WITHOUT_SET,
    after,
    claim,
    dealt,
    laid,
    last,
    played,
    right,
    wrong,
)
from tests.strategies.states import actions, played_states

SET = GAMES["set"]


def needs(state: State, action: Action) -> list[tuple[str, dict[str, Any]]]:
    """Return code and parameters of each need."""
    return [(need.code.name, dict(need.params)) for need in lacking(state, action)]


def told(state: State) -> dict[str, Any]:
    """Return what is said of a state."""
    return dict(facts(state))


def test_no_more_sets_are_won_than_are_said_to_be_left() -> None:
    """T7, T23: each takes three of the cards that are left."""
    state = dealt()
    first = told(state)
    for made in played(state):
        now = told(made.state)
        won = len(made.state.players[0].sets) + len(made.state.players[1].sets)
        assert now["cards_left"] == 81 - 3 * won
        assert won + now["sets_left"] <= first["sets_left"] == 27
    assert now["sets_left"] == 0
    assert now["cards_left"] == len(cards_on(last(state).table))


def test_a_seat_reaches_what_it_has_and_all_that_is_left() -> None:
    """T26."""
    state = dealt()
    state = after(state, wrong(state, 1), right(state, 0))
    seats = told(state)["seats"]
    assert [(seat["score"], seat["reachable_score"]) for seat in seats] == [(1, 27), (-1, 25)]
    assert [seat["reachable_score"] for seat in told(last(dealt()))["seats"]] == [
        player.score for player in last(dealt()).players
    ]


@given(st.data())
def test_a_seat_may_do_what_is_legal(data: st.DataObject) -> None:
    state = data.draw(played_states(SET))
    for seat in told(state)["seats"]:
        listed = {action.type for action in choices(state, seat["seat"])}
        cards = cards_on(state.table)
        if cards and not any(violations(state, claim(seat["seat"], *cards[:3]))):
            listed.add("claim")
        assert set(seat["may"]) == listed


def test_those_are_waited_for_who_have_said_nothing() -> None:
    """T36."""
    state = after(dealt(3, **AGREED), NoSet(1))
    assert told(state)["waiting_for"] == [0, 2]
    assert told(after(state, Resign(0)))["waiting_for"] == [2]
    assert told(after(state, Call(0)))["waiting_for"] == []
    assert told(dealt(3))["waiting_for"] == []


@given(st.data())
def test_nothing_says_where_a_set_is(data: st.DataObject) -> None:
    """T47: every three cards are told of alike."""
    state = data.draw(played_states(SET))
    cards = cards_on(state.table)
    seat = state.to_act or 0
    if state.phase == "over" or not cards or state.players[seat].resigned:
        return
    spoken = {
        repr(referee.explain(SET.rules, EXPLAINING, state, each)).replace(repr(each), "")
        for each in (claim(seat, *next(sets_among(cards), cards[:3])), claim(seat, *cards[-3:]))
    }
    assert len(spoken) == 1
    assert not {"claim", "cards"} & {action.type for action in SET.rules.shown(state, None)}


def test_another_call_must_be_decided() -> None:
    """T14, T15."""
    state = after(dealt(), Call(1))
    for action in (Call(0), right(state, 0), Call(1)):
        assert needs(state, action) == [("call_decided", {"seat": 1})]
    assert needs(after(dealt(**AGREED), Call(1)), NoSet(1)) == [("call_decided", {"seat": 1})]


def test_only_a_call_is_forfeited() -> None:
    """T19, T18."""
    assert needs(dealt(), Forfeit(0)) == [("call_first", {})]
    for action in (Call(0), Forfeit(0)):
        assert needs(dealt(caller_window="none"), action) == [("impossible", {})]


def test_a_card_must_be_dealt_if_it_can_be() -> None:
    """T22."""
    state = laid(tuple(card for row in ROWS[:4] for card in row), won=[(0, ROWS[5])])
    assert needs(state, claim(0, 1, 2, 80)) == [("card_dealt", {"card": 80})]
    assert needs(state, claim(0, 79, 80, 80)) == [
        ("card_dealt", {"card": 79}),
        ("card_dealt", {"card": 80}),
        ("three_cards", {}),
    ]
    assert needs(state, claim(0, 1, 2, ROWS[5][0])) == [("impossible", {})]
    assert needs(state, claim(0, 1, 2, 1)) == [("three_cards", {})]
    assert needs(dealt(deck="quick"), claim(0, 4, 5, 6)) == [("impossible", {})]


def test_who_has_said_so_waits_for_other_cards() -> None:
    """T37, T38, T36."""
    state = after(dealt(**AGREED), NoSet(0))
    assert needs(state, NoSet(0)) == [("table_changed", {})]
    assert needs(dealt(), NoSet(0)) == [("impossible", {})]
    many = laid((*WITHOUT_SET, 81), **AGREED)
    assert needs(many, NoSet(0)) == [("fewer_cards", {"count": 3})]
    assert needs(laid(WITHOUT_SET[:18], **AGREED), NoSet(0)) == []


def test_who_is_out_stays_out() -> None:
    state = after(dealt(3), Resign(2))
    for action in (Call(2), right(state, 2), Resign(2)):
        assert needs(state, action) == [("impossible", {})]
    assert needs(last(dealt()), Call(0)) == [("impossible", {})]


@given(st.data())
def test_an_action_lacks_something_exactly_if_it_is_illegal(data: st.DataObject) -> None:
    state = data.draw(played_states(SET))
    action = data.draw(actions(SET, state))
    lacks = dict(needs(state, action))
    assert bool(lacks) == any(violations(state, action))
    dealt_cards = [need.params["card"] for need in lacking(state, action) if "card" in need.params]
    if isinstance(action, Claim) and dealt_cards and "three_cards" not in lacks:
        wider = state._replace(table=(*state.table, *dealt_cards))
        assert not list(violations(wider, action))


@given(st.data())
def test_no_other_option_has_a_say(data: st.DataObject) -> None:
    state = data.draw(played_states(SET))
    action = data.draw(actions(SET, state))
    is_legal = not any(violations(state, action))
    turning = {
        (option.name, value)
        for option in SET.rules.options
        for value in option.values
        if any(violations(under(state, {option.name: value}), action)) == is_legal
    }
    explained = referee.explain(SET.rules, EXPLAINING, state, action)
    assert {name for name, _ in turning} <= set(judges(action))
    assert set(explained.options) == turning


def test_another_ruleset_lets_the_seats_agree() -> None:
    """T36."""
    explained = referee.explain(SET.rules, EXPLAINING, dealt(), NoSet(0))
    assert explained.rulesets == {"gamerules": False, "publisher": True}
    assert explained.options == (("extra_cards", "agreed"),)


def test_every_need_has_been_met() -> None:
    """Each code of `NEEDS` stands in a test above."""
    source = Path(__file__).read_text("utf-8")
    assert [code.name for code in NEEDS if f'"{code.name}"' not in source] == []
