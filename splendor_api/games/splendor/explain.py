"""What Splendor tells to those who ask why: facts, needs, and the options that decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from splendor_api.games.protocol import Explaining, Value
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    Pass,
    Reserve,
    Resign,
    TakeDifferent,
    TakeSame,
)
from splendor_api.games.splendor.facts import facts
from splendor_api.games.splendor.needs import NEEDS, lacking
from splendor_api.games.splendor.options import option_map, spelled_out
from splendor_api.games.splendor.state import State

_DUTIES: Final = ("token_limit", "returns")
_JUDGES: Final[Mapping[type[Action], tuple[str, ...]]] = {
    TakeDifferent: ("take_fewer",),
    TakeSame: ("take_two_minimum",),
    Reserve: ("reserve_limit", "gold_tokens", "reserve_without_gold"),
    Buy: ("gold_payment",),
    Pass: (
        *("reserve_limit", "gold_tokens", "take_fewer", "take_two_minimum"),
        *("reserve_without_gold", "pass"),
    ),
}
"""The options that have a say in whether an action is legal, its return and noble left aside."""


def judges(action: Action) -> tuple[str, ...]:
    """Return the options that have a say in whether `action` is legal; no other has."""
    own = _JUDGES.get(type(action), ())
    if isinstance(action, Resign) or (action.returned is None and action.noble is None):
        return own
    return (*own, *_DUTIES)


def under(state: State, values: Mapping[str, Value]) -> State:
    """Return the same table under other options."""
    return state._replace(options=spelled_out({**option_map(state.options), **values}))


EXPLAINING: Final[Explaining[State, Action]] = Explaining(
    needs=NEEDS,
    facts=facts,
    lacking=lacking,
    judges=judges,
    options=lambda state: option_map(state.options),
    under=under,
)
