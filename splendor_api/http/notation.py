"""Actions and records as lines of text, both ways: written from JSON, read into JSON.

The grammar is the games' own; here a text is only put into the shapes of requests and answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from splendor_api import __version__
from splendor_api.games import notation
from splendor_api.games.notation import Notation, NotationError
from splendor_api.http import limits
from splendor_api.http.operations import Answer, Operation, Served, refusal
from splendor_api.http.problems import NOT_OFFERED, JsonObject, invalid
from splendor_api.wire import json_text
from splendor_api.wire.faults import UNREADABLE_NOTATION, Fault, InvalidRequest
from splendor_api.wire.json_text import Malformed
from splendor_api.wire.requests import FORMAT, Notated, Record, Ruleset

ENGINE: Final = f"splendor-api {__version__}"
"""Who writes the records of this service."""

_POINTER: Final = "/notation"


def convert_notation(game: Served, body: Notated[Any, Any]) -> Answer:
    """Answer with an action or a record both ways: as a line of text, and as JSON."""
    style = game.notation
    if style is None:
        return refusal(NOT_OFFERED.document())
    if body.action is not None:
        return _action(game, style, body.action)
    if body.record is not None:
        return _record(game, style, body.record)
    assert body.notation is not None, "the body has one of the three"
    if notation.is_record(body.notation):
        record = read(game, body.notation)
        return record if isinstance(record, Answer) else _record(game, style, record)
    try:
        action = notation.read_action(style, body.notation)
    except NotationError as error:
        return _unreadable(error)
    return _action(game, style, action)


def read(game: Served, text: str) -> Record[Any, Any] | Answer:
    """Return the record that a text is of, or why it is none."""
    if game.notation is None:
        return refusal(NOT_OFFERED.document())
    try:
        found = notation.read_record(game.rules, game.notation, text)
    except NotationError as error:
        return _unreadable(error)
    state = None
    if found.state is not None:
        faults: list[Fault] = []
        state = _state(game, found.state, text.index(found.state), faults)
        if faults:
            return refusal(invalid(faults))
    told = found.told
    return Record(
        game=game.rules.name,
        format=FORMAT,
        engine=told.engine or ENGINE,
        seats=found.seats,
        ruleset=Ruleset(found.ruleset, found.options),
        actions=found.actions,
        seed=found.seed,
        state=state,
        nonce=told.nonce,
        commitment=told.commitment,
        seed_source=told.source,
        complete=found.is_complete,
    )


def line(game: Served, record: JsonObject) -> str | None:
    """Return the line of text that a record in JSON is, `None` if the game has no notation."""
    style = game.notation
    if style is None:
        return None
    faults: list[Fault] = []
    actions = tuple(game.wire.action.read(action, faults) for action in record["actions"])
    assert not faults, "actions that were played can be read"
    ruleset = record["ruleset"]
    return _line(game, style, record, Ruleset(ruleset["name"], ruleset["options"]), actions)


def _line(
    game: Served,
    style: Notation[Any],
    record: Mapping[str, Any],
    ruleset: Ruleset,
    actions: tuple[Any, ...],
) -> str:
    state = record.get("state")
    options = game.rules.resolve(ruleset.name, record["seats"], ruleset.options)
    told = notation.Told(
        engine=record["engine"],
        source=record.get("seed_source"),
        commitment=record.get("commitment"),
        nonce=record.get("nonce"),
    )
    return notation.write_record(
        game.rules,
        style,
        notation.Record(
            ruleset=ruleset.name,
            options=options,
            seats=record["seats"],
            actions=actions,
            seed=record.get("seed"),
            state=None if state is None else json_text.write(state).decode(),
            told=told,
            is_complete=record["complete"],
        ),
    )


def _action(game: Served, style: Notation[Any], action: Any) -> Answer:
    return Answer(200, {"notation": style.write(action), "action": game.wire.dump_action(action)})


def _record(game: Served, style: Notation[Any], record: Record[Any, Any]) -> Answer:
    told = _dumped(game, record)
    text = _line(game, style, told, record.ruleset, record.actions)
    return Answer(200, {"notation": text, "record": told})


def _dumped(game: Served, record: Record[Any, Any]) -> JsonObject:
    """Return a record as JSON, with every option, and without what it does not tell."""
    ruleset, seats = record.ruleset, record.seats
    options = game.rules.resolve(ruleset.name, seats, ruleset.options)
    told = {
        "seed": record.seed,
        "state": None if record.state is None else game.wire.dump_state(record.state),
        "nonce": record.nonce,
        "commitment": record.commitment,
        "seed_source": record.seed_source,
    }
    return {
        "game": record.game,
        "format": record.format,
        "engine": record.engine,
        "seats": seats,
        "ruleset": {"name": ruleset.name, "options": options},
        "actions": [game.wire.dump_action(action) for action in record.actions],
        "complete": record.complete,
        **{name: value for name, value in told.items() if value is not None},
    }


def _state(game: Served, text: str, place: int, faults: list[Fault]) -> Any:
    """Return the state that stands at a place as JSON; pointers go on into it."""
    try:
        given = json_text.read(text.encode())
    except Malformed as error:
        position = place + (error.position or 0)
        faults.append(
            UNREADABLE_NOTATION.at(_POINTER, position=position, expected=("state",), found=None)
        )
        return None
    except InvalidRequest as error:
        faults += [fault.under(_POINTER) for fault in error.faults]
        return None
    since: list[Fault] = []
    state = game.wire.state.read(given, since)
    faults += [fault.under(_POINTER) for fault in since]
    return state


def _unreadable(error: NotationError) -> Answer:
    fault = UNREADABLE_NOTATION.at(
        _POINTER, position=error.position, expected=error.expected, found=error.found
    )
    return refusal(invalid([fault]))


OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/games/{game}/notation",
        "convert_notation",
        convert_notation,
        reads=attrgetter("bodies.notation"),
        limit=limits.of_replay,
    ),
)
