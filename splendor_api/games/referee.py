"""What is asked of any game: audit first, then the violations, then the step.

The core knows no request; here its pointers are put under the member that they speak of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal

from splendor_api.games.protocol import (
    ActionT,
    EventT,
    Explaining,
    Game,
    Option,
    StateT,
    Step,
    Value,
)
from splendor_api.games.violations import Violation

Detail = Literal["choices", "turns"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was done: the state contradicts itself, or the action breaks rules.

    `index` is the place of the first illegal action, where several were given.
    """

    kind: Literal["impossible_state", "illegal_action"]
    violations: tuple[Violation, ...]
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate(Generic[ActionT]):
    """An action that an interface shows, and what forbids it; nothing if it is legal."""

    action: ActionT
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Explanation(Generic[ActionT]):
    """What an action lacks, nothing if it is legal, and what would be said of it elsewhere."""

    action: ActionT
    needs: tuple[Violation, ...]
    rulesets: Mapping[str, bool]
    """For each ruleset, whether the action would be legal under its defaults."""
    options: tuple[tuple[str, Value], ...]
    """Single options that would turn the verdict, each with a value that does."""


def audit(game: Game[StateT, ActionT, EventT], state: StateT) -> tuple[Violation, ...]:
    """Return every contradiction in the state, under `/state`."""
    return tuple(finding.under("/state") for finding in game.audit(state))


def check(
    game: Game[StateT, ActionT, EventT], state: StateT, action: ActionT
) -> tuple[Violation, ...] | Refusal:
    """Return everything that forbids the action, under `/action`: nothing if it is legal.

    Refused only where the state is impossible.
    """
    findings = audit(game, state)
    if findings:
        return Refusal("impossible_state", findings)
    return _violations(game, state, action, "/action")


def apply(
    game: Game[StateT, ActionT, EventT], state: StateT, action: ActionT
) -> Step[StateT, EventT] | Refusal:
    """Return the step that the action makes, or why it makes none."""
    judged = check(game, state, action)
    if isinstance(judged, Refusal):
        return judged
    if judged:
        return Refusal("illegal_action", judged)
    return game.apply(state, action)


def proceed(
    game: Game[StateT, ActionT, EventT], state: StateT, action: ActionT
) -> Step[StateT, EventT] | Refusal:
    """Do as `apply` in a state that play has reached, which needs no audit."""
    broken = _violations(game, state, action, "/action")
    return Refusal("illegal_action", broken) if broken else game.apply(state, action)


def replay(
    game: Game[StateT, ActionT, EventT], state: StateT, actions: Sequence[ActionT]
) -> Step[StateT, EventT] | Refusal:
    """Return where the actions lead, one after the other, with all events, or the first refusal."""
    findings = audit(game, state)
    if findings:
        return Refusal("impossible_state", findings)
    events: list[EventT] = []
    for index, action in enumerate(actions):
        broken = _violations(game, state, action, f"/actions/{index}")
        if broken:
            return Refusal("illegal_action", broken, index)
        state, happened = game.apply(state, action)
        events += happened
    return Step(state, tuple(events))


def legal_actions(
    game: Game[StateT, ActionT, EventT],
    state: StateT,
    seat: int | None = None,
    *,
    detail: Detail = "choices",
    include_illegal: bool = False,
) -> Iterator[Candidate[ActionT]] | Refusal:
    """Return what the seat (`None`: whoever may act) may do, then, if asked, what it may not.

    The list is made while it is read. Refused only where the state is impossible.
    """
    findings = audit(game, state)
    if findings:
        return Refusal("impossible_state", findings)
    return candidates(game, state, seat, detail, include_illegal=include_illegal)


def candidates(
    game: Game[StateT, ActionT, EventT],
    state: StateT,
    seat: int | None,
    detail: Detail,
    *,
    include_illegal: bool,
) -> Iterator[Candidate[ActionT]]:
    """Do as `legal_actions` in a state that play has reached, which needs no audit."""
    listed = game.choices(state, seat) if detail == "choices" else game.turns(state, seat)
    for action in listed:
        yield Candidate(action, ())
    if not include_illegal:
        return
    for action in game.shown(state, seat):
        broken = _violations(game, state, action, "")
        if broken:
            yield Candidate(action, broken)


def explain(
    game: Game[StateT, ActionT, EventT],
    explaining: Explaining[StateT, ActionT],
    state: StateT,
    action: ActionT,
) -> Explanation[ActionT]:
    """Return why the action is not legal, if it is not, and where it would be judged otherwise.

    A ruleset is judged with all its defaults. An option is named with each word, or with the
    nearest number, under which the verdict is another one, all other options being as they are.
    """
    own, seats = explaining.options(state), game.seats_of(state)
    is_legal = _is_legal(game, state, action)
    rulesets = {name: game.resolve(name, seats, {}) for name in game.rulesets}
    judges = explaining.judges(action)
    turning = (
        (option.name, value)
        for option in game.options
        if option.name in judges
        for value in _others(option, own[option.name])
        if _is_legal(game, explaining.under(state, {option.name: value}), action) != is_legal
    )
    return Explanation(
        action,
        explaining.lacking(state, action),
        {
            name: _is_legal(game, explaining.under(state, values), action)
            for name, values in rulesets.items()
        },
        tuple(_nearest(turning)),
    )


def _others(option: Option, own: Value) -> list[Value]:
    """Return the other values of an option, of numbers the nearest first."""
    values = [value for value in option.values if value != own]
    if isinstance(option.values, range):
        values.sort(key=lambda value: (abs(int(value) - int(own)), value))
    return values


def _nearest(turning: Iterator[tuple[str, Value]]) -> Iterator[tuple[str, Value]]:
    """Yield every word, but of numbers only the first for each option."""
    seen = set[str]()
    for name, value in turning:
        if isinstance(value, str | bool) or name not in seen:
            yield name, value
        seen.add(name)


def _is_legal(game: Game[StateT, ActionT, EventT], state: StateT, action: ActionT) -> bool:
    return not any(game.violations(state, action))


def _violations(
    game: Game[StateT, ActionT, EventT], state: StateT, action: ActionT, prefix: str
) -> tuple[Violation, ...]:
    return tuple(violation.under(prefix) for violation in game.violations(state, action))
