from __future__ import annotations

from typing import Any

from splendor_api.games import referee
from splendor_api.games.protocol import Game, Step
from splendor_api.games.referee import Candidate, Refusal
from splendor_api.games.registry import GAMES
from tests.games.splendor.table import (
    SPLENDOR,
    after,
    dealt,
    loaded,
    pair,
    resign,
    take,
    written,
)

RULES: Game[Any, Any, Any] = SPLENDOR.rules
IMPOSSIBLE = loaded(written(dealt()) | {"to_act": 1})


def test_a_possible_state_has_no_finding() -> None:
    assert referee.audit(RULES, dealt()) == ()


def test_findings_lie_under_the_state() -> None:
    (finding,) = referee.audit(RULES, IMPOSSIBLE)
    assert (finding.code.name, finding.pointer) == ("turn_mismatch", "/state/to_act")


def test_an_impossible_state_is_refused_by_every_question() -> None:
    refusal = Refusal("impossible_state", referee.audit(RULES, IMPOSSIBLE))
    assert refusal.index is None
    assert referee.check(RULES, IMPOSSIBLE, pair("red")) == refusal
    assert referee.apply(RULES, IMPOSSIBLE, pair("red")) == refusal
    assert referee.replay(RULES, IMPOSSIBLE, []) == refusal
    assert referee.legal_actions(RULES, IMPOSSIBLE) == refusal


def test_violations_lie_under_the_action() -> None:
    broken = referee.check(RULES, dealt(), take("white"))
    assert isinstance(broken, tuple)
    assert [violation.pointer for violation in broken] == ["/action/colors"]
    assert referee.check(RULES, dealt(), pair("red")) == ()


def test_an_illegal_action_is_refused() -> None:
    refusal = referee.apply(RULES, dealt(), take("white"))
    assert isinstance(refusal, Refusal)
    assert refusal.kind == "illegal_action"
    assert refusal.index is None
    assert refusal.violations == referee.check(RULES, dealt(), take("white"))


def test_a_legal_one_makes_a_step() -> None:
    step = referee.apply(RULES, dealt(), pair("red"))
    assert step == RULES.apply(dealt(), pair("red"))


def test_a_replay_adds_the_events_up() -> None:
    step = referee.replay(RULES, dealt(), [pair("red"), pair("black")])
    assert isinstance(step, Step)
    assert step.state == after(dealt(), pair("red"), pair("black"))
    assert [event.type for event in step.events] == ["tokens_taken", "turn_ended"] * 2
    assert referee.replay(RULES, dealt(), []) == Step(dealt(), ())


def test_a_replay_names_the_first_illegal_action() -> None:
    refusal = referee.replay(RULES, dealt(), [pair("red"), pair("red"), take("white")])
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.index) == ("illegal_action", 1)
    assert [violation.pointer for violation in refusal.violations] == ["/actions/1/color"]


def found(**how: Any) -> list[Candidate[Any]]:
    candidates = referee.legal_actions(RULES, dealt(token_limit=3), **how)
    assert not isinstance(candidates, Refusal)
    return list(candidates)


def test_choices_and_turns() -> None:
    assert [each.action for each in found()] == RULES.choices(dealt(token_limit=3), None)
    turns = list(RULES.turns(dealt(token_limit=3), None))
    assert [each.action for each in found(detail="turns")] == turns
    assert all(each.violations == () for each in found())


def test_a_seat_that_is_not_to_act_has_none() -> None:
    assert found(seat=1, include_illegal=True) == []
    assert found(seat=0) == found()


def test_what_is_illegal_comes_after_with_its_reasons() -> None:
    both = found(include_illegal=True)
    legal = found()
    assert both[: len(legal)] == legal
    illegal = both[len(legal) :]
    assert all(each.violations for each in illegal)
    assert all(violation.pointer[0] == "/" for each in illegal for violation in each.violations)
    assert {each.action.type for each in illegal} == {"buy", "pass"}


def test_nothing_is_listed_after_the_end() -> None:
    over = after(dealt(), resign(0))
    candidates = referee.legal_actions(RULES, over, include_illegal=True)
    assert not isinstance(candidates, Refusal)
    assert list(candidates) == []


def test_the_registry_is_the_way_in() -> None:
    assert GAMES["splendor"].rules.name == "splendor"
    assert GAMES["splendor"].wire.game == "splendor"
