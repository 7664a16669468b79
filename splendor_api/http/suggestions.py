"""Suggestions: what a seat had better do, and why.

Whoever suggests is given what the seat sees, and so cannot tell what the seat does not know.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from splendor_api.games import referee
from splendor_api.games.opponents import Advice, Effort, Opponents, Reason
from splendor_api.games.referee import Refusal
from splendor_api.http.operations import Answer, Operation, Served, refusal
from splendor_api.http.positions import Position, onlooker, position_of, seat_faults
from splendor_api.http.problems import BUSY, NOT_OFFERED, JsonObject, invalid
from splendor_api.http.rules import refused
from splendor_api.i18n.catalogue import sentence
from splendor_api.opponents.searchers import Busy
from splendor_api.sessions.store import RETRY_AFTER
from splendor_api.wire.faults import REQUIRED, Fault
from splendor_api.wire.requests import Suggest

MOST_RANKED: Final = 20
"""Actions that one suggestion ranks."""

_UNIT: Final = 1_000  # a value is told in thousandths, for no number here has a fraction


def suggest(game: Served, body: Suggest[Any]) -> Answer:
    """Answer with the actions that an opponent of this level would consider, the best first."""
    opponents = game.opponents
    if opponents is None or body.level not in opponents.levels:
        return refusal(NOT_OFFERED.document())
    position = position_of(game, body.state)
    if isinstance(position, Answer):
        return position
    seat = game.rules.to_act(position.state) if body.seat is None else body.seat
    faults = tuple(_faults(game, position, seat))
    if faults:
        return refusal(invalid(faults))
    denial = onlooker(game, position, seat, body.seat_key)
    if denial is not None:
        return denial
    findings = referee.audit(game.rules, position.state)
    if findings:
        return refused(game, Refusal("impossible_state", findings))
    seed = secrets.token_hex(16) if body.seed is None else body.seed
    advice = _advice(game, opponents, position, seat, body, seed)
    return advice if isinstance(advice, Answer) else _told(game, advice, seat, body.level, seed)


def _faults(game: Served, position: Position, seat: int | None) -> Iterator[Fault]:
    """Yield what is wrong with the seat: there is none like it, or it must be named."""
    if seat is None and game.rules.outcome(position.state) is None:
        yield REQUIRED.at("/seat", fields=("seat",))
    yield from seat_faults(game, position, seat)


def _advice(
    game: Served,
    opponents: Opponents[Any, Any],
    position: Position,
    seat: int | None,
    body: Suggest[Any],
    seed: str,
) -> Advice[Any] | Answer:
    """Return the advice: at once, or from a process that searches, if one is free."""
    if seat is None:
        return Advice()
    seen = game.rules.observe(position.state, seat)
    if body.level not in opponents.searches:
        return opponents.advise(seen, seat, body.level, seed, Effort(body.playouts))
    try:
        advice: Advice[Any] = game.searchers.ask(
            opponents.advise,
            *(seen, seat, body.level, seed),
            playouts=body.playouts,
            seconds=body.budget_ms / 1000,
        )
    except Busy:
        fields = (("Retry-After", str(RETRY_AFTER)),)
        return refusal(BUSY.document("All places for those who search are taken."), fields)
    return advice


def _told(game: Served, advice: Advice[Any], seat: int | None, level: str, seed: str) -> Answer:
    ranked = [
        {
            "action": game.wire.dump_action(one.action),
            "value": round(one.value * _UNIT),
            "reasons": list(map(_told_reason, one.reasons)),
        }
        for one in advice.ranked[:MOST_RANKED]
    ]
    return Answer(
        200,
        {
            "seat": seat,
            "level": level,
            "seed": seed,
            "action": ranked[0]["action"] if ranked else None,
            "ranked": ranked,
            "playouts": advice.playouts,
        },
    )


def _told_reason(reason: Reason) -> JsonObject:
    return {
        "code": reason.fact.name,
        "params": dict(reason.params),
        "message": sentence(reason.fact.says, reason.params),
    }


OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/games/{game}/suggest",
        "suggest",
        suggest,
        reads=attrgetter("bodies.suggest"),
        speaks=True,
    ),
)
