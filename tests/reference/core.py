"""The core and its wire half as the other implementation of `differential.Rules`."""

from collections.abc import Collection, Sequence
from typing import Any

import orjson

from splendor_api.games.registry import GAMES
from splendor_api.wire.faults import Fault
from splendor_api.wire.json_text import write

Json = dict[str, Any]


def _plain(value: object) -> Any:
    """Return the value as it arrives at the other end of the wire."""
    return orjson.loads(write(value))


class Core:
    """The rules of one game, asked in JSON values."""

    def __init__(self, game: str) -> None:
        self._rules = GAMES[game].rules
        self._wire = GAMES[game].wire

    def _state(self, state: Json) -> Any:
        faults: list[Fault] = []
        loaded = self._wire.state.read(state, faults)
        assert not faults, faults
        return loaded

    def _action(self, action: Json) -> Any:
        faults: list[Fault] = []
        loaded = self._wire.action.read(action, faults)
        assert not faults, faults
        return loaded

    def deal(self, seats: int, ruleset: str, options: Json | None, seed: str) -> Json:
        """Return the first state."""
        state: Json = _plain(
            self._wire.dump_state(self._rules.deal(seats, ruleset, options or {}, seed))
        )
        return state

    def violations(self, state: Json, action: Json) -> Sequence[tuple[str, str]]:
        """Return code and pointer of every violation, in order."""
        found = self._rules.violations(self._state(state), self._action(action))
        return [(violation.code.name, violation.pointer) for violation in found]

    def apply(self, state: Json, action: Json) -> tuple[Json, list[Json]]:
        """Return next state and events for a legal action."""
        after, events = self._rules.apply(self._state(state), self._action(action))
        told = _plain([*map(self._wire.dump_event, events)])
        for event in told:
            event.pop("place", None)  # more than formats asks for
        return _plain(self._wire.dump_state(after)), told

    def legal_choices(self, state: Json) -> list[Json]:
        """Return the legal actions in detail `choices`."""
        listed: list[Json] = _plain(
            [*map(self._wire.dump_action, self._rules.choices(self._state(state), None))]
        )
        return listed

    def legal_turns(self, state: Json) -> list[Json]:
        """Return the legal actions in detail `turns`."""
        listed: list[Json] = _plain(
            [*map(self._wire.dump_action, self._rules.turns(self._state(state), None))]
        )
        return listed

    def audit(self, state: Json) -> Collection[str] | None:
        """Return the codes of the findings; None if the schema refuses the state already."""
        faults: list[Fault] = []
        loaded = self._wire.state.read(state, faults)
        if faults:
            return None
        return {finding.code.name for finding in self._rules.audit(loaded)}

    def observe(self, state: Json, seat: int | None) -> Json:
        """Return what a seat sees, or a spectator."""
        seen: Json = _plain(self._wire.dump_state(self._rules.observe(self._state(state), seat)))
        return seen
