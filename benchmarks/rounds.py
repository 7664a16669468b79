"""Rounds in which contenders take turns, and what is made of their figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles

RATIO = "ratio"
"""The unit of a figure that says how many times."""

Rates = dict[str, list[float]]
"""For each contender its figure in every round."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: rounds, the seconds that a contender has in each, and those for which
    a load is held.
    """

    rounds: int
    seconds: float
    soaked: float


FULL = Size(rounds=9, seconds=1.0, soaked=600.0)
TINY = Size(rounds=2, seconds=0.05, soaked=1.0)  # shows that it runs; measures nothing


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure is hoped to be: `bound` or more, or, if `is_most`, or less."""

    bound: float
    is_most: bool = False

    def is_met(self, value: float) -> bool:
        """Return whether `value` is as good as hoped."""
        return value <= self.bound if self.is_most else value >= self.bound

    def __str__(self) -> str:
        return f"{'≤' if self.is_most else '≥'} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, once a round."""

    what: str
    values: tuple[float, ...]
    unit: str = RATIO
    goal: Goal | None = None

    @property
    def median(self) -> float:
        """Return the value in the middle."""
        return median(self.values)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Return the values between which the middle half lies."""
        if len(self.values) < 2:
            return self.values[0], self.values[0]
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return low, high


@dataclass(frozen=True, slots=True)
class Curve:
    """What was measured over time: a value `every` so many seconds."""

    unit: str
    every: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a benchmark found, under which conditions, with the rates behind its ratios, and what
    changed over time.
    """

    name: str
    conditions: Mapping[str, str]
    figures: tuple[Figure, ...]
    rates: Mapping[str, Sequence[float]]
    curves: Mapping[str, Curve] = field(default_factory=dict)


def interleaved(contenders: Mapping[str, Callable[[int], float]], rounds: int) -> Rates:
    """Return the figures of the contenders, who take turns; each is told the round.

    Each round begins with another one, so that nobody always runs after the same neighbour.
    """
    names = list(contenders)
    rates: Rates = {name: [] for name in names}
    for place in range(rounds):
        first = place % len(names)
        for name in names[first:] + names[:first]:
            rates[name].append(contenders[name](place))
    return rates


def ratios(some: Sequence[float], others: Sequence[float]) -> tuple[float, ...]:
    """Return `some` by `others`, round by round."""
    return tuple(one / other for one, other in zip(some, others, strict=True))
