"""The calls of the rules API: deal, judge, apply. Nothing is stored between two of them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import Any, Final

from splendor_api.games import referee
from splendor_api.games.referee import Candidate, Explanation, Refusal
from splendor_api.games.shuffle import commitment
from splendor_api.games.violations import Violation
from splendor_api.http import limits, notation, parameters
from splendor_api.http.operations import Answer, Operation, Served, refusal
from splendor_api.http.positions import (
    Position,
    dumped,
    onlooker,
    position_of,
    seat_faults,
    seen,
    stranger,
    strangers,
    told_step,
)
from splendor_api.http.problems import (
    FORBIDDEN,
    MEDIA_TYPE,
    MOST_VIOLATIONS,
    NOT_OFFERED,
    PROBLEMS,
    JsonObject,
    invalid,
    told,
    told_need,
)
from splendor_api.wire.faults import (
    CONFLICTING_FIELDS,
    NOT_ONE_OF,
    REQUIRED,
    UNKNOWN_FIELD,
    Fault,
)
from splendor_api.wire.requests import (
    Audit,
    Deal,
    Explain,
    LegalActions,
    Observe,
    Record,
    Replay,
    StateAndAction,
)

PAGE: Final = 2_000
"""Items of a list of legal actions that come at once."""


def deal(game: Served, body: Deal) -> Answer:
    """Answer with the first state; with the seed that it follows from, or what it is hidden by."""
    seed = body.seed if body.seed is not None else secrets.token_hex(32)
    source = "caller" if body.seed is not None else "service"
    if body.secrecy == "sealed" and not game.seals.is_on:
        return refusal(invalid([NOT_ONE_OF.at("/secrecy", value="sealed", allowed=("open",))]))
    state = game.rules.deal(body.seats, body.ruleset, body.options, seed)
    if body.secrecy == "open":
        dealt = {"state": game.wire.dump_state(state), "seed": seed, "seed_source": source}
        return Answer(200, dealt)
    sealed = game.seals.begin(seed, is_locked=body.lock_seats)
    return Answer(
        200,
        {
            "state": dumped(game, sealed, state),
            "seat_keys": game.seals.seat_keys(sealed, body.seats),
            "commitment": commitment(sealed.nonce, seed),
            "seed_source": source,
        },
    )


def apply_action(game: Served, body: StateAndAction[Any, Any]) -> Answer:
    """Answer with the next state and its events, or with every rule the action breaks."""
    position = _position_to_act(game, body)
    if isinstance(position, Answer):
        return position
    judge = referee.apply if position.deal is None else referee.proceed
    verdict = judge(game.rules, position.state, body.action)
    if isinstance(verdict, Refusal):
        return refused(game, verdict)
    return Answer(200, told_step(game, position.deal, verdict))


def check(game: Served, body: StateAndAction[Any, Any]) -> Answer:
    """Answer whether the action is legal, and with every rule it breaks."""
    position = _position_to_act(game, body)
    if isinstance(position, Answer):
        return position
    verdict = referee.check(game.rules, position.state, body.action)
    if isinstance(verdict, Refusal):
        return refused(game, verdict)
    name = game.rules.name
    return Answer(
        200,
        {"legal": not verdict, "violations": [told(name, violation) for violation in verdict]},
        broken=_broken(game, verdict),
    )


def list_legal_actions(game: Served, body: LegalActions[Any]) -> Answer:
    """Answer with what may be done, ready to be sent back, a page at a time."""
    start = _start(body.cursor)
    if isinstance(start, Fault):
        return refusal(invalid([start]))
    position = position_of(game, body.state)
    if isinstance(position, Answer):
        return position
    state, seat, key = position.state, body.seat, body.seat_key
    asked = game.rules.to_act(state) if seat is None else seat
    denial = stranger(game, position, asked, key)
    if denial is not None:
        return denial
    if position.deal is not None and (key is None or game.rules.outcome(state) is not None):
        state = seen(game, position, None)  # nobody has shown that more may be told
        candidates = referee.candidates(
            game.rules, state, seat, body.detail, include_illegal=body.include_illegal
        )
        return Answer(200, page_of(game, state, candidates, start))
    listed = referee.legal_actions(
        game.rules, state, seat, detail=body.detail, include_illegal=body.include_illegal
    )
    if isinstance(listed, Refusal):
        return refused(game, listed)
    return Answer(200, page_of(game, state, listed, start))


def page_of(
    game: Served, state: Any, candidates: Iterator[Candidate[Any]], start: int
) -> JsonObject:
    """Return a page of a list of legal actions, and the cursor of the next."""
    page = list(islice(candidates, start, start + PAGE + 1))
    has_more = len(page) > PAGE
    return {
        "actions": [_candidate(game, state, each) for each in page[:PAGE]],
        "next_cursor": f"from-{start + PAGE}" if has_more else None,
    }


def replay(game: Served, body: Replay[Any, Any]) -> Answer:
    """Answer with where the actions lead, or with the first that is illegal."""
    if body.record is not None:
        return _replayed(game, body.record, lambda place: f"/record{place}")
    if body.notation is not None:
        record = notation.read(game, body.notation)
        if isinstance(record, Answer):
            return record
        if record.seed is None and record.state is None:
            return refusal(invalid([REQUIRED.at("/notation", fields=("seed", "state"))]))
        return _replayed(game, record, lambda _: "/notation")
    position = position_of(game, body.state)
    if isinstance(position, Answer):
        return position
    denial = strangers(game, position, body.seat_keys)
    if denial is not None:
        return denial
    verdict = referee.replay(game.rules, position.state, body.actions)
    if isinstance(verdict, Refusal):
        return refused(game, verdict)
    has_keys = body.seat_keys is not None
    return Answer(200, told_step(game, position.deal, verdict, for_all=has_keys))


def _replayed(game: Served, record: Record[Any, Any], pointer: Callable[[str], str]) -> Answer:
    """Answer with where a record leads; `pointer` says where in the body a place in it is."""
    verdict = referee.replay(game.rules, _first_state(game, record), record.actions)
    if not isinstance(verdict, Refusal):
        return Answer(200, told_step(game, None, verdict))
    within = tuple(
        replace(violation, pointer=pointer(violation.pointer)) for violation in verdict.violations
    )
    return refused(game, Refusal(verdict.kind, within, verdict.index))


def observe(game: Served, body: Observe[Any]) -> Answer:
    """Answer with what a seat sees of the state, to a spectator with its solutions if asked."""
    position = _position_to_see(game, body)
    if isinstance(position, Answer):
        return position
    shown = seen(game, position, body.seat)
    observed: JsonObject = {"state": game.wire.dump_state(shown)}
    if body.solutions and game.rules.solutions is not None:
        observed["solutions"] = game.rules.solutions(position.state)
    return Answer(200, observed)


def explain(game: Served, body: Explain[Any, Any]) -> Answer:
    """Answer with what follows from what a seat sees, and with what illegal actions lack."""
    explaining = game.rules.explaining
    if explaining is None:
        return refusal(NOT_OFFERED.document())
    position = _position_to_see(game, body)
    if isinstance(position, Answer):
        return position
    shown = seen(game, position, body.seat)
    explained = {
        **explaining.facts(shown),
        "actions": [
            _explained(game, referee.explain(game.rules, explaining, shown, action))
            for action in _asked_about(game, shown, body)
        ],
    }
    if body.solutions and game.rules.solutions is not None:
        explained["solutions"] = len(game.rules.solutions(position.state))
    return Answer(200, explained)


def audit(game: Served, body: Audit[Any]) -> Answer:
    """Answer with every contradiction in the state, up to as many as a problem lists."""
    position = position_of(game, body.state)
    if isinstance(position, Answer):
        return position
    findings = referee.audit(game.rules, position.state)
    name = game.rules.name
    listed: JsonObject = {
        "findings": [told(name, finding) for finding in findings[:MOST_VIOLATIONS]]
    }
    if len(findings) > MOST_VIOLATIONS:
        listed["truncated"] = True
    return Answer(200, listed)


def refused(game: Served, verdict: Refusal) -> Answer:
    """Return the problem that a refusal of the referee is."""
    members: JsonObject = {} if verdict.index is None else {"index": verdict.index}
    name = game.rules.name
    document = PROBLEMS[verdict.kind].listing(
        (told(name, violation) for violation in verdict.violations), **members
    )
    return Answer(
        document["status"],
        document,
        MEDIA_TYPE,
        problems=(document,),
        broken=_broken(game, verdict.violations),
    )


def _broken(game: Served, violations: Iterable[Violation]) -> tuple[tuple[str, str], ...]:
    return tuple((game.rules.name, violation.code.name) for violation in violations)


def _position_to_act(game: Served, body: StateAndAction[Any, Any]) -> Position | Answer:
    """Return the position in which an action is proposed, or why it may not be."""
    position = position_of(game, body.state)
    if isinstance(position, Answer) or position.deal is None:
        return position
    acting = game.rules.seat_of(position.state, body.action)
    if body.seat is not None and body.seat != acting:
        return refusal(FORBIDDEN.document("The action is for another seat than `seat`."))
    return stranger(game, position, acting, body.seat_key) or position


def _position_to_see(game: Served, body: Observe[Any] | Explain[Any, Any]) -> Position | Answer:
    """Return the position of which something is to be told, or why it may not be."""
    position = position_of(game, body.state)
    if isinstance(position, Answer):
        return position
    faults = tuple(_faults(game, position, body))
    if faults:
        return refusal(invalid(faults))
    denial = onlooker(game, position, body.seat, body.seat_key)
    if denial is not None:
        return denial
    findings = referee.audit(game.rules, position.state)
    if findings:
        return refused(game, Refusal("impossible_state", findings))
    return position


def _candidate(game: Served, state: Any, candidate: Candidate[Any]) -> JsonObject:
    """Return the JSON of an action on the list; pointers of its violations start at it."""
    action, violations = candidate.action, candidate.violations
    listed: JsonObject = {
        "action": game.wire.dump_action(action),
        "legal": not violations,
        "preview": None
        if violations
        else game.wire.dump_preview(game.rules.preview(state, action)),
    }
    if violations:
        listed["violations"] = [told(game.rules.name, violation) for violation in violations]
    return listed


def _asked_about(game: Served, shown: Any, body: Explain[Any, Any]) -> Iterator[Any]:
    """Yield the action that is asked about, or every illegal one that an interface shows."""
    if body.action is not None:
        yield body.action
        return
    for action in game.rules.shown(shown, body.seat):
        if any(game.rules.violations(shown, action)):
            yield action


def _explained(game: Served, explanation: Explanation[Any]) -> JsonObject:
    return {
        "action": game.wire.dump_action(explanation.action),
        "legal": not explanation.needs,
        "needs": [told_need(need) for need in explanation.needs],
        "would_be": {
            "rulesets": dict(explanation.rulesets),
            "options": [{"option": name, "value": value} for name, value in explanation.options],
        },
    }


def _start(cursor: str | None) -> int | Fault:
    """Return the place in the list that a cursor stands for."""
    start = parameters.start_of(cursor)
    if start is None:
        return NOT_ONE_OF.at("/cursor", value=cursor, allowed=("a next_cursor of this list",))
    return start


def _first_state(game: Served, record: Record[Any, Any]) -> Any:
    """Return the state that a record begins with."""
    if record.seed is None:
        return record.state
    ruleset = record.ruleset
    return game.rules.deal(record.seats, ruleset.name, ruleset.options, record.seed)


def _faults(
    game: Served, position: Position, body: Observe[Any] | Explain[Any, Any]
) -> Iterator[Fault]:
    """Yield what only the game can say of the shape of a question for what is seen."""
    yield from seat_faults(game, position, body.seat)
    if not body.solutions:
        return
    if game.rules.solutions is None:
        yield UNKNOWN_FIELD.at("/solutions", name="solutions")
    elif body.seat is not None:
        yield CONFLICTING_FIELDS.at(fields=("seat", "solutions"))
    elif position.deal is not None or _is_observation(game, position.state):
        yield CONFLICTING_FIELDS.at(fields=("state", "solutions"))


def _is_observation(game: Served, state: Any) -> bool:
    """Return whether a state is what somebody sees of one that goes on."""
    return game.rules.outcome(state) is None and game.rules.split(state)[0] == state


def _work_of_list(body: LegalActions[Any]) -> int:
    return limits.WORK_OF_TURNS if body.detail == "turns" else 1


def _work_of_replay(body: Replay[Any, Any]) -> int:
    if body.notation is not None:
        return max(1, len(body.notation.split()))
    actions = body.actions if body.record is None else body.record.actions
    return max(1, len(actions))


_PATH: Final = "/v1/games/{game}"

OPERATIONS: Final = (
    Operation("POST", f"{_PATH}/deal", "deal", deal, reads=attrgetter("bodies.deal")),
    Operation("POST", f"{_PATH}/apply", "apply", apply_action, reads=attrgetter("bodies.apply")),
    Operation(
        "POST", f"{_PATH}/check", "check", check, reads=attrgetter("bodies.check"), speaks=True
    ),
    Operation(
        "POST",
        f"{_PATH}/legal-actions",
        "list_legal_actions",
        list_legal_actions,
        reads=attrgetter("bodies.legal_actions"),
        work=_work_of_list,
        speaks=True,
        is_compressed=True,
    ),
    Operation(
        "POST",
        f"{_PATH}/replay",
        "replay",
        replay,
        reads=attrgetter("bodies.replay"),
        limit=limits.of_replay,
        work=_work_of_replay,
    ),
    Operation("POST", f"{_PATH}/observe", "observe", observe, reads=attrgetter("bodies.observe")),
    Operation(
        "POST", f"{_PATH}/audit", "audit", audit, reads=attrgetter("bodies.audit"), speaks=True
    ),
    Operation(
        "POST",
        f"{_PATH}/explain",
        "explain",
        explain,
        reads=attrgetter("bodies.explain"),
        work=lambda _: limits.WORK_OF_EXPLAINING,
        speaks=True,
    ),
)
