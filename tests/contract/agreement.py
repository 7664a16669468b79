"""One verdict on every body: that of the document's schema and that of the code that reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from splendor_api.app import hosted
from splendor_api.games.registry import GAMES
from splendor_api.http.operations import Served
from splendor_api.settings import Settings
from splendor_api.wire.bodies import BATCH, Body, session_creation
from splendor_api.wire.faults import InvalidRequest
from tests.contract.bodies import bodies, mutated, swept, vocabulary
from tests.contract.validation import contract

MUTATIONS: Final = 50  # of each body

KNOWN: Final = vocabulary(contract().data["components"]["schemas"])
SERVED: Final = {name: Served.of(entry) for name, entry in GAMES.items()}
ANY_GAME: Final[Mapping[str, Body[Any]]] = {
    "batch": BATCH,
    "sessions": session_creation(
        {name: hosted(entry) for name, entry in GAMES.items()},
        Settings().session_ttl_seconds,
    ),
}
"""Calls whose body says itself which game it is of."""


def compare(game: str, call: str, examples: int) -> Counter[bool]:
    """Compare the verdicts on `examples` bodies and their mutations; count both verdicts."""
    seen: Counter[bool] = Counter()

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],  # a mutation says all by itself; there is nothing to shrink
        suppress_health_check=list(HealthCheck),
    )
    @given(bodies(GAMES[game], call), st.randoms(use_true_random=True))
    def judge(body: Any, chance: Any) -> None:
        assert is_documented(game, call, body)
        assert is_read(game, call, body)
        for _ in range(MUTATIONS):
            mutant = mutated(body, KNOWN, chance)
            verdict = is_documented(game, call, mutant)
            assert is_read(game, call, mutant) == verdict, (mutant, verdict)
            seen[verdict] += 1

    judge()
    return seen


def sweep(game: str, call: str, body: Any) -> Counter[bool]:
    """Compare the verdicts on `body` with something else in each place; count both verdicts."""
    seen: Counter[bool] = Counter()
    for changed in swept(body, KNOWN):
        verdict = is_documented(game, call, changed)
        assert is_read(game, call, changed) == verdict, (changed, verdict)
        seen[verdict] += 1
    return seen


def is_documented(game: str, call: str, body: Any) -> bool:
    """Tell whether the document lets `body` be sent to `call`."""
    path = f"/v1/{call}" if call in ANY_GAME else f"/v1/games/{{game}}/{call}"
    return takes(path, "post", body, game)


def takes(path: str, method: str, body: Any, game: str = "") -> bool:
    """Tell whether the document lets `body` be sent to a path."""
    operation = contract().data["paths"][path][method]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return contract().schemas.accept(contract().of_game(schema, game), body)


def is_read(game: str, call: str, body: Any) -> bool:
    """Tell whether the service reads `body` as a request to `call`."""
    try:
        loaded = _body(game, call).load(body)
    except InvalidRequest:
        return False
    # Only a game with solutions takes this, of an observer of everything; the view knows.
    has_solutions = (
        call in ("observe", "explain") and GAMES[game].rules.solutions and loaded.seat is None
    )
    return has_solutions or not getattr(loaded, "solutions", False)


def _body(game: str, call: str) -> Body[Any]:
    if call in ANY_GAME:
        return ANY_GAME[call]
    body: Body[Any] = getattr(SERVED[game].bodies, call.replace("-", "_"))
    return body
