"""The checker: what clients were told, against the history that the service has in the end.

A session is a list of versions that only grows. Whoever acts makes the next one, whoever reads sees
the last one. So a run is right (linearizable) if each acknowledged action stands in the history
exactly once, as it was sent; if nothing else stands there but what was sent and never answered; and
if whatever was asked after an answer had come knows at least the version of that answer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]


@dataclass(frozen=True)
class Deed:
    """One request of a client, repeated until it was answered; times by the monotonic clock.

    `version` and `body` are None if no answer has come. A read has no key and no action.
    """

    kind: Literal["act", "read"]
    sent: float
    answered: float | None
    version: str | None
    seat: int | None = None
    action: Json | None = None
    key: str | None = None
    body: bytes | None = None
    attempts: int = 1
    replayed: bool = False


@dataclass(frozen=True)
class Made:
    """A version in the history; `action` has its seat and is None for what is no action."""

    version: str
    action: Json | None


@dataclass
class Verdict:
    """What the checker found; a run is right if there is nothing but acknowledged actions."""

    acknowledged: int = 0
    lost: int = 0
    twice: int = 0
    others: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """Return whether the service has kept all its promises."""
        return not (self.lost or self.twice or self.others)

    def add(self, other: "Verdict") -> None:
        """Count what was found in another session too."""
        self.acknowledged += other.acknowledged
        self.lost += other.lost
        self.twice += other.twice
        self.others += other.others


def number(version: str) -> int:
    """Return the number of a version."""
    return int(version.partition(".")[0])


def check(history: Sequence[Made], deeds: Sequence[Deed]) -> Verdict:
    """Judge one session by its history and the logs of all its clients."""
    verdict = Verdict()
    verdict.others += _disorder(history)
    acts = [deed for deed in deeds if deed.kind == "act"]
    at = {made.version: made for made in history}
    claimed: Counter[str] = Counter()
    for deed in acts:
        if deed.version is None:
            continue
        verdict.acknowledged += 1
        made = at.get(deed.version)
        if made is None:
            verdict.lost += 1
            continue
        claimed[made.version] += 1
        if made.action != deed.action:
            verdict.others.append(f"{made.version} is not the action that was acknowledged")
    verdict.others += (
        f"{version} was acknowledged to {count} different requests"
        for version, count in claimed.items()
        if count > 1
    )
    unanswered = [deed.action for deed in acts if deed.version is None]
    for made in history:
        if made.action is None or made.version in claimed:
            continue
        if made.action in unanswered:
            unanswered.remove(made.action)
        else:
            verdict.twice += 1
    verdict.others += _backward(deeds)
    return verdict


def _disorder(history: Sequence[Made]) -> Iterator[str]:
    """Yield where the versions are not 1, 2, 3, …, each with an id of its own."""
    for place, made in enumerate(history, start=1):
        if number(made.version) != place:
            yield f"{made.version} stands at place {place}"
    ids = Counter(made.version.partition(".")[2] for made in history)
    yield from (
        f"the id {name} was given {count} times" for name, count in ids.items() if count > 1
    )


def _backward(deeds: Iterable[Deed]) -> Iterator[str]:
    """Yield every answer that knows less than another that had come before it was asked for."""
    answered = [deed for deed in deeds if deed.version is not None and deed.answered is not None]
    by_answer = sorted(answered, key=lambda deed: deed.answered or 0.0)
    known, place = 0, 0
    for deed in sorted(answered, key=lambda deed: deed.sent):
        while (by_answer[place].answered or 0.0) < deed.sent:
            known = max(known, number(by_answer[place].version or ""))
            place += 1
        found = number(deed.version or "")
        if found < known or (found == known and deed.kind == "act"):
            yield f"a {deed.kind} was told {deed.version} when version {known} was known"
