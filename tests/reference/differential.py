"""Ask two implementations of a game the same questions and report where their answers differ.

The reference leads: it chooses what is played and its next state goes on, so that one difference
does not hide the next. At each step both judge the same state and the same batch of actions,
legal, nearly legal and absurd, and both audit the state as it is and with small damages.
Everything follows from the seed, so a difference can be played again.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol, TypeVar

Json = dict[str, Any]
T = TypeVar("T")


class Rules(Protocol):
    """What is compared: functions from JSON values to JSON values. Arguments may be changed."""

    def deal(self, seats: int, ruleset: str, options: Json | None, seed: str) -> Json:
        """Return the first state."""

    def violations(self, state: Json, action: Json) -> Sequence[tuple[str, str]]:
        """Return code and pointer of every violation, in order; pointers start at the action."""

    def apply(self, state: Json, action: Json) -> tuple[Json, list[Json]]:
        """Return next state and events for a legal action."""

    def legal_choices(self, state: Json) -> list[Json]:
        """Return the legal actions in detail `choices`, in any order."""

    def legal_turns(self, state: Json) -> list[Json]:
        """Return the legal actions in detail `turns`, in any order."""

    def audit(self, state: Json) -> Collection[str] | None:
        """Return the codes of the findings; None if the schema refuses the state already."""

    def observe(self, state: Json, seat: int | None) -> Json:
        """Return what a seat sees, or a spectator."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two answers to one question."""

    what: str
    seed: str
    step: int
    state: Json | None
    asked: Any
    expected: Any
    answered: Any

    def __str__(self) -> str:
        """Return a text from which a person can repeat the question."""
        return "\n".join(
            (
                f"{self.what} differs in game {self.seed!r} at step {self.step}",
                f"  asked: {self.asked!r}",
                *(f"  {line}" for line in _contrast(self.expected, self.answered)),
                f"  state: {self.state!r}",
            )
        )


class Reference(Rules, Protocol):
    """The implementation that leads."""

    def normal(self, state: Json, action: Json) -> Json:
        """Return the one spelling of a legal action."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A game as it is compared: the implementation that leads, and what is drawn of it."""

    reference: Reference
    deal: Callable[["Chance", str], tuple[int, str, Json, str]]
    """The arguments of a deal with this seed."""
    start: Callable[[Json, "Chance"], Json]
    """The state as dealt, or a later one."""
    advance: Callable[[Json, list[Json], "Chance"], Json | None]
    """The state after one of the legal choices, or None after the end."""
    batch: Callable[[Json, list[Json], "Chance", int], Iterator[Json]]
    """So many actions to judge: some played well, some nearly so, some out of thin air."""
    damages: tuple[Callable[[Json, "Chance"], None], ...]
    """What changes a state into one that is perhaps impossible."""


@dataclass(slots=True)
class Tally:
    """How many answers were compared, by what was asked."""

    compared: Counter[str] = field(default_factory=Counter)

    @property
    def actions(self) -> int:
        """Return how many actions were judged by both."""
        return self.compared["violations"]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is asked at each step."""

    actions: int = 24
    damages: int = 6
    turns_every: int = 10  # steps; whole turns are many


class Chance:
    """Numbers that follow from a seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._drawn = 0

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self._drawn += 1
        digest = hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % n

    def happens(self, percent: int) -> bool:
        """Return True in so many of a hundred cases."""
        return self.below(100) < percent

    def one_of(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.below(len(values))]

    def some_of(self, values: Sequence[T], count: int) -> list[T]:
        """Return so many of the values, each at most once, in any order."""
        left = list(values)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]


def play(
    subject: Subject,
    seed: str,
    steps: int,
    other: Rules,
    *,
    most: int = 1,
    effort: Effort | None = None,
    tally: Tally | None = None,
) -> list[Difference]:
    """Play `steps` actions, beginning new games as they end; return the first differences."""
    found = differences(subject, seed, steps, other, effort or Effort(), tally or Tally())
    return list(islice(found, most))


def differences(
    subject: Subject, seed: str, steps: int, other: Rules, effort: Effort, tally: Tally
) -> Iterator[Difference]:
    """Yield every difference between the other implementation and the reference."""
    reference, chance = subject.reference, Chance(seed)
    state: Json | None = None
    for step in range(steps):
        if state is None:
            deal = subject.deal(chance, f"{seed}/{step}")
            dealt, answer = reference.deal(*deal), _ask("deal", other.deal, *deal)
            tally.compared["deal"] += 1
            if dealt != answer:
                yield Difference("deal", seed, step, None, deal, dealt, answer)
            state = subject.start(dealt, chance)
        choices = reference.legal_choices(state)
        whole_turns = step % effort.turns_every == 0
        for what, asked, *answers in _answers(
            subject, other, state, choices, chance, effort, whole_turns
        ):
            tally.compared[what] += 1
            if answers[0] != answers[1]:
                yield Difference(what, seed, step, state, asked, *answers)
        state = subject.advance(state, choices, chance)


Answers = tuple[str, Any, Any, Any]
"""What was compared, what was asked, the reference's answer, the other's answer."""


def _answers(
    subject: Subject,
    other: Rules,
    state: Json,
    choices: list[Json],
    chance: Chance,
    effort: Effort,
    whole_turns: bool,
) -> Iterator[Answers]:
    reference = subject.reference
    yield "audit of the reference itself", None, set(), reference.audit(state)
    yield from _audit_answers(reference, other, state, "audit")
    for seat in (None, *range(len(state["players"]))):
        seen = reference.observe(state, seat)
        yield "observe", seat, seen, _ask("observe", other.observe, state, seat)
    answer = _ask("legal_choices", other.legal_choices, state)
    yield (
        "legal_choices",
        None,
        _listed(reference, state, choices),
        _listed(reference, state, answer),
    )
    if whole_turns:
        turns = _listed(reference, state, reference.legal_turns(state))
        answer = _ask("legal_turns", other.legal_turns, state)
        yield "legal_turns", None, turns, _listed(reference, state, answer)
    for action in subject.batch(state, choices, chance, effort.actions):
        yield from _action_answers(reference, other, state, action)
    for _ in range(effort.damages):
        damaged = copied(state)
        chance.one_of(subject.damages)(damaged, chance)
        yield from _audit_answers(reference, other, damaged, "audit of a damaged state")


def _audit_answers(reference: Reference, other: Rules, state: Json, what: str) -> Iterator[Answers]:
    """Yield first whether the state is possible at all, then by which names it is not."""
    codes = _ask("audit", other.audit, state)
    if codes is None:
        return
    expected, answered = sorted(reference.audit(state) or ()), sorted(set(codes))
    if bool(expected) != bool(answered):
        yield what, state, expected, answered
    else:
        yield f"codes of the {what}", state, expected, answered


def _action_answers(
    reference: Reference, other: Rules, state: Json, action: Json
) -> Iterator[Answers]:
    broken = reference.violations(state, action)
    answer = [tuple(each) for each in _ask("violations", other.violations, state, action)]
    yield "violations", action, broken, answer
    if broken or answer:
        return
    after, events = reference.apply(state, action)
    other_after, other_events = _ask("apply", other.apply, state, action)
    yield "next state", action, after, other_after
    yield "events", action, events, other_events


def copied(value: Any) -> Any:
    """Return a JSON value that shares nothing with this one."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list) else value


def _ask(what: str, question: Callable[..., Any], *arguments: Any) -> Any:
    """Ask with copies, so that no answer can change the next question."""
    try:
        return question(*map(copied, arguments))
    except Exception as error:
        error.add_note(f"asked for {what} with {arguments!r}")
        raise


def _listed(reference: Reference, state: Json, actions: Sequence[Json]) -> list[str]:
    return sorted(_text(reference.normal(state, action)) for action in actions)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(value[key])}" for key in sorted(value)) + "}"
    return str(value)


def _contrast(expected: Any, answered: Any, at: str = "") -> Iterator[str]:
    """Yield a line for each place where two answers differ."""
    if isinstance(expected, dict) and isinstance(answered, dict):
        for key in {**expected, **answered}:
            if expected.get(key, "absent") != answered.get(key, "absent"):
                yield from _contrast(
                    expected.get(key, "absent"), answered.get(key, "absent"), f"{at}/{key}"
                )
    elif _are_long_lists(expected, answered):
        yield f"{at} only the reference: {[each for each in expected if each not in answered]}"
        yield f"{at} only the other: {[each for each in answered if each not in expected]}"
    else:
        yield f"{at} the reference: {expected!r}"
        yield f"{at} the other: {answered!r}"


def _are_long_lists(expected: Any, answered: Any) -> bool:
    lists = isinstance(expected, list) and isinstance(answered, list)
    return lists and max(len(expected), len(answered)) > 5 and expected != answered
