"""What a game hands over to be read and written: its wire half, and the ruleset in its states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from splendor_api.wire.fields import Object, StrictField, StrictSchema, Word, within
from splendor_api.wire.requests import OptionValue

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
OutcomeT = TypeVar("OutcomeT")
PreviewT = TypeVar("PreviewT")
OptionsT = TypeVar("OptionsT")

Values = range | tuple[int, ...] | tuple[str, ...]
"""What an option may be: a range of integers, or integers, booleans or words one by one."""


@dataclass(frozen=True, slots=True)
class GameWire(Generic[StateT, ActionT, EventT, OutcomeT, PreviewT]):
    """The wire half of a game: what loads its values, and what writes them.

    Whether a member is required is decided here, not by the fields. `options` loads the options of
    a deal, any of them, to a map from name to value. The functions return plain data for JSON.
    `observation` loads a state as a spectator sees it, where `state` does not: that is what a
    sealed state shows.
    """

    game: str
    state: StrictField[StateT]
    action: StrictField[ActionT]
    options: StrictField[Mapping[str, OptionValue]]
    rulesets: tuple[str, ...]
    fewest_seats: int
    most_seats: int
    dump_state: Callable[[StateT], dict[str, object]]
    dump_action: Callable[[ActionT], dict[str, object]]
    dump_event: Callable[[EventT], dict[str, object]]
    dump_outcome: Callable[[OutcomeT], dict[str, object]]
    dump_preview: Callable[[PreviewT], dict[str, object]]
    components: Callable[[], dict[str, object]]
    """Return what the game is played with, as it is answered."""
    observation: StrictField[StateT] | None = None


def spelled_ruleset(
    names: Iterable[str],
    options: Mapping[str, Values],
    make: Callable[[Mapping[str, OptionValue]], OptionsT],
) -> StrictField[tuple[str, OptionsT]]:
    """Return the field of the ruleset in a state: its name, and every option, spelled out.

    The value is the name, and what `make` returns for a map of all `options`.
    """
    spelled = {name: within(values, required=True) for name, values in options.items()}
    members: dict[str, StrictField[Any]] = {
        "name": Word(tuple(names), required=True),
        "options": Object(
            StrictSchema.from_dict(spelled), lambda **given: make(given), required=True
        ),
    }
    return Object(
        StrictSchema.from_dict(members), lambda name, options: (name, options), required=True
    )
