"""What forbids an action, or contradicts a state: codes, and where they occur."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of violation or finding, with a name that never changes its meaning.

    `rule` is the number in the rule specification (`S24`), or empty where no single rule stands
    behind it. `params` names what an occurrence tells besides its place. `says` is the English
    sentence, with the parameters in braces. `means` says when it occurs, for documentation.
    """

    name: str
    rule: str
    says: str
    means: str
    params: tuple[str, ...] = ()

    def at(self, pointer: str = "", /, **params: object) -> Violation:
        """Return an occurrence at `pointer`; raise `TypeError` unless just `params` are given."""
        if tuple(params) != self.params:
            raise TypeError(f"{self.name} takes {self.params}, not {tuple(params)}")
        return Violation(self, pointer, params)


@dataclass(frozen=True, slots=True)
class Violation:
    """A code at a place: `pointer` is a JSON Pointer (RFC 6901) into the action or the state.

    The values in `params` are what JSON can say: numbers, words, lists and maps of them.
    """

    code: Code
    pointer: str
    params: Mapping[str, object] = field(default_factory=dict)

    def under(self, prefix: str) -> Violation:
        """Return the same violation seen from further up, with `prefix` before its pointer."""
        return Violation(self.code, prefix + self.pointer, self.params)


GAME_OVER = Code(
    "game_over",
    rule="",
    says="The game is over.",
    means="The game has ended; nobody may act any more.",
)
WRONG_SEAT = Code(
    "wrong_seat",
    rule="",
    params=("seat", "to_act"),
    says="Seat {seat} may not act; the seat to act is {to_act}.",
    means="`seat` is not the seat to act, has resigned, or there is no such seat.",
)
WRONG_PHASE = Code(
    "wrong_phase",
    rule="",
    params=("phase", "expected"),
    says="This cannot be done in phase {phase}, only in phase {expected}.",
    means="An action of this type is not possible in this phase.",
)

IMPOSSIBLE = Code(
    "impossible",
    rule="",
    says="Nothing can make this possible any more.",
    means="Neither the course of the game nor another wording of the action would make it legal.",
)
"""What an action lacks that can never be had."""
