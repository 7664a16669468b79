"""A legal action with what came of it, as JSON values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """A state, what was done in it, what it led to, and what happened on the way."""

    state: Json
    action: Json
    after: Json
    events: list[Json]

    @property
    def kind(self) -> str:
        """Return the type of the action."""
        return str(self.action["type"])

    @property
    def outcome(self) -> Json:
        """Return how the game ended by this action, empty if it goes on."""
        outcome: Json = self.after["outcome"] or {}
        return outcome

    def option(self, name: str) -> Any:
        """Return the value of an option."""
        return self.state["ruleset"]["options"][name]

    def has(self, *kinds: str) -> bool:
        """Return whether events of all these types happened, in this order."""
        happened = iter(event["type"] for event in self.events)
        return all(kind in happened for kind in kinds)

    def first(self, kind: str) -> Json:
        """Return the first event of a type, empty if there is none."""
        return next((event for event in self.events if event["type"] == kind), {})


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Where each numbered rule of a game is at work, so that a kit can say what it covers."""

    applied: Mapping[str, Callable[[Turn], object]]
    """For each rule that governs actions whether it is at work in one."""
    refused: Callable[[Json, Json, list[str]], set[str]]
    """The rules behind a refusal that its codes do not name: state, action, codes."""
    observed: Callable[[Json, Json, int | None], set[str]]
    """The rules by which an observation is what it is: state, what is seen, by whom."""
    audited: Callable[[Json, list[str]], set[str]]
    """The rules behind findings that their codes do not name: state, codes."""
    dealt: tuple[str, ...]
    """The rules of components and setup, all of which make a deal."""
