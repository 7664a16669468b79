"""Mends in drawn bodies what a schema cannot say; schemathesis loads this as its hooks."""

from __future__ import annotations

from typing import Any

import schemathesis
from schemathesis import Case, HookContext

from splendor_api.games.registry import GAMES
from tests.contract.agreement import is_documented


@schemathesis.hook
def before_call(context: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Change the body where this service takes less than the document can say."""
    case.body = _integral(case.body)
    if isinstance(case.body, dict):
        _mend(case.operation.path, case.body)
        _find_game(case)


def _find_game(case: Case[Any]) -> None:
    """Address a body to a game that takes it: the document says that of all games one must."""
    path, _, call = case.operation.path.rpartition("/")
    names = case.path_parameters
    if path != "/v1/games/{game}" or names.get("game") not in GAMES:
        return
    taking = [game for game in GAMES if is_documented(game, call, case.body)]
    if taking and names["game"] not in taking:
        names["game"] = taking[0]


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
    if path.endswith("/observe"):
        # How many seats there are, the state says.
        seat = body.get("seat")
        if type(seat) is int and 1 < seat < 20:
            body["seat"] = 1
