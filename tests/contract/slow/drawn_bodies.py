"""Mends in drawn bodies what a schema cannot say; schemathesis loads this as its hooks.

And reads streams as the document has them: as text, whose events have data of a schema each.
"""

from __future__ import annotations

from typing import Any

import schemathesis
from schemathesis import Case, HookContext, Response

from splendor_api.games.registry import GAMES
from splendor_api.wire import json_text
from tests.contract.agreement import is_documented
from tests.contract.validation import DEEPEST, contract

_STREAM = contract().data["paths"]["/v1/sessions/{session}/events"]["get"]["responses"]["200"]
EVENTS: dict[str, Any] = _STREAM["content"]["text/event-stream"]["schema"]["x-events"]

FURTHER = tuple(str(seat) for seat in range(1, 20))
"""Seats that not every game has."""

LINE = "splendor/1 gamerules seats=2 seed=abc : +wug R?3"
LONGEST_LINE = contract().data["components"]["schemas"]["NotationOnly"]["properties"]["notation"][
    "maxLength"
]


@schemathesis.deserializer("text/event-stream")
def read_events(context: object, response: Response) -> list[str]:
    """Return the data of every event; raise `ValueError` if one is not of its event's schema."""
    del context
    *blocks, _ = response.content.decode().split("\n\n")
    read = []
    for block in blocks:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if "data" not in fields:
            continue
        read.append(fields["data"])
        data = json_text.read(fields["data"].encode(), max_depth=DEEPEST)
        faults = contract().schemas.faults(EVENTS[fields["event"]], data)
        if faults:
            raise ValueError(f"{fields['event']}: {faults}")
    return read


@schemathesis.hook
def before_call(context: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Change the body where this service takes less than the document can say."""
    case.body = _integral(case.body)
    if isinstance(case.body, dict):
        _mend(case.operation.path, case.body)
        _find_game(case)
        _write_line(case, case.body)


def _find_game(case: Case[Any]) -> None:
    """Address a body to a game that takes it: the document says that of all games one must."""
    path, _, call = case.operation.path.rpartition("/")
    names = case.path_parameters
    if path != "/v1/games/{game}" or names.get("game") not in GAMES:
        return
    taking = [game for game in GAMES if is_documented(game, call, case.body)]
    if taking and names["game"] not in taking:
        names["game"] = taking[0]


def _write_line(case: Case[Any], body: dict[str, Any]) -> None:
    """Put a line that can be read where there may be any: which can be, no schema says."""
    drawn = body.get("notation")
    if isinstance(drawn, str) and 0 < len(drawn) <= LONGEST_LINE and "\0" not in drawn:
        body["notation"] = LINE
        if case.path_parameters.get("game") in GAMES:
            case.path_parameters["game"] = LINE.partition("/")[0]


def _integral(value: Any) -> Any:
    """JSON Schema takes 1.0 for an integer; this service does not (tests/contract)."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _integral(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_integral(item) for item in value]
    return value


def _mend(path: str, body: dict[str, Any]) -> None:
    if path.endswith("/legal-actions"):
        # Only a cursor that was given is one; a text that is drawn never is.
        cursor = body.get("cursor")
        if isinstance(cursor, str) and 0 < len(cursor) <= 512 and "\0" not in cursor:
            body["cursor"] = "from-2000"
    if path.endswith(("/observe", "/picture", "/explain")):
        # How many seats there are, the state says.
        seat = body.get("seat")
        if type(seat) is int and 1 < seat < 20:
            body["seat"] = 1
    if path.endswith("/explain") and body.get("solutions") is True:
        # Only of a whole state there are solutions, not of what is seen of one.
        state = body.get("state")
        if isinstance(state, dict) and isinstance(state.get("deck"), dict):
            body["solutions"] = False
    if path == "/v1/sessions" and isinstance(body.get("bots"), dict):
        # These seats, too, are of those that play: one in the least game.
        body["bots"] = {seat: bot for seat, bot in body["bots"].items() if seat not in FURTHER}
