"""Opponents for SET: they look at the table and at nothing else, and take their time.

Finding sets is no art for a program. So what makes an opponent strong or weak in a seat is how long
it looks, and how often it errs; as advice it is which set it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from splendor_api.games.opponents import (
    BY_CHANCE,
    Advice,
    Effort,
    Fact,
    Level,
    Opponents,
    Ranked,
    Reason,
)
from splendor_api.games.set.actions import Action, Claim, Forfeit, NoSet, no_set
from splendor_api.games.set.components import SET_SIZE, sets_among
from splendor_api.games.set.state import State, Triple, cards_on
from splendor_api.games.set.turn import acting
from splendor_api.games.shuffle import draw_below, shuffled, stream

MOST_GUESSES = 10  # threes that chance suggests at once


class Pace(NamedTuple):
    """How an opponent looks for sets: milliseconds, at least and at most, and how often it errs."""

    least: int
    most: int
    one_wrong_in: int | None
    """One claim in so many is no set; `None`: each is one."""


PACES: Final[Mapping[Level, Pace]] = {
    "random": Pace(12_000, 45_000, one_wrong_in=4),
    "greedy": Pace(6_000, 24_000, one_wrong_in=12),
    "strong": Pace(3_000, 12_000, one_wrong_in=None),
}

IS_SET = Fact(
    "is_set",
    says="These three cards are a set.",
    means="In each feature the three cards are all alike or all different.",
)
LEAVES_SETS = Fact(
    "leaves_sets",
    params=("count",),
    says="Sets that are left on the table without them: {count}.",
    means="How many sets the cards that stay on the table hold.",
)
NO_SET_SEEN = Fact(
    "no_set_seen",
    says="There is no set on the table.",
    means="No three cards on the table are a set.",
)


def advise(seen: State, seat: int, level: Level, seed: str, _: Effort) -> Advice[Action]:
    """Return what the seat is advised to do at the table that it sees."""
    if seat not in acting(seen):
        return Advice()
    cards = cards_on(seen.table)
    if level == "random":
        return Advice(
            tuple(
                Ranked(Claim(seat, guess), 0.0, (BY_CHANCE.of(),))
                for guess in _guesses(cards, _label(seen, seat), seed)
            )
        )
    sets = _in_some_order(tuple(sets_among(cards)), seen, seat, seed)
    if not sets:
        return Advice(tuple(_without_set(seen, seat)))
    if level == "greedy":
        return Advice(tuple(Ranked(Claim(seat, each), 1.0, (IS_SET.of(),)) for each in sets))
    return Advice(tuple(_by_what_is_left(seen, seat, sets)))


def play(seen: State, seat: int, level: Level, seed: str, effort: Effort) -> Action | None:
    """Return what an opponent in the seat does once it has looked long enough.

    It errs as people do: with two cards of a set, and a third that is almost right.
    """
    advice = advise(seen, seat, "strong" if level == "strong" else "greedy", seed, effort)
    if not advice.ranked:
        return None
    action = advice.ranked[0].action
    numbers = stream(seed, f"{_label(seen, seat)}/error")
    one_in = PACES[level].one_wrong_in
    if not isinstance(action, Claim) or one_in is None or draw_below(one_in, numbers):
        return action
    first, second, third = action.cards
    others = [card for card in sorted(cards_on(seen.table)) if card not in action.cards]
    wrong = others[draw_below(len(others), numbers)] if others else third
    return Claim(seat, _triple(first, second, wrong))


def patience(seen: State, seat: int, level: Level, seed: str) -> int | None:
    """Return after how many milliseconds an opponent has found what there is to do, if anything."""
    if not advise(seen, seat, "greedy", seed, Effort(0)).ranked:
        return None
    pace = PACES[level]
    numbers = stream(seed, f"{_label(seen, seat)}/patience")
    return pace.least + draw_below(pace.most - pace.least + 1, numbers)


def _label(seen: State, seat: int) -> str:
    """Return what names the table that the seat looks at, as far as chance is concerned."""
    return f"opponent/{seat}/{seen.turn}/{len(seen.table)}"


def _guesses(cards: Sequence[int], label: str, seed: str) -> Iterator[Triple]:
    """Yield threes of the cards, drawn by chance."""
    threes = tuple(combinations(sorted(cards), SET_SIZE))
    for place in shuffled(range(len(threes)), seed, label)[:MOST_GUESSES]:
        yield _triple(*threes[place])


def _in_some_order(
    sets: tuple[Triple, ...], seen: State, seat: int, seed: str
) -> tuple[Triple, ...]:
    """Return the sets in the order in which they happen to be found."""
    order = shuffled(range(len(sets)), seed, _label(seen, seat))
    return tuple(sets[place] for place in order)


def _by_what_is_left(seen: State, seat: int, sets: Sequence[Triple]) -> Iterator[Ranked[Action]]:
    """Yield the sets that leave the fewest to the others first; alone, those that leave most."""
    cards = cards_on(seen.table)
    sign = 1 if seen.is_solo else -1
    left = {
        each: sum(1 for _ in sets_among([card for card in cards if card not in each]))
        for each in sets
    }
    for each in sorted(sets, key=lambda one: -sign * left[one]):
        reasons = (IS_SET.of(), LEAVES_SETS.of(count=left[each]))
        yield Ranked(Claim(seat, each), float(sign * left[each]), reasons)


def _without_set(seen: State, seat: int) -> Iterator[Ranked[Action]]:
    """Yield what there is to do for a seat that sees no set: say so, or give up its call."""
    reasons: tuple[Reason, ...] = (NO_SET_SEEN.of(),)
    if seen.phase == "called":
        yield Ranked(Forfeit(seat), 0.0, reasons)
    elif not any(no_set.violations(seen, NoSet(seat))):
        yield Ranked(NoSet(seat), 0.0, reasons)


def _triple(*cards: int) -> Triple:
    first, second, third = sorted(cards)
    return first, second, third


SET_OPPONENTS: Final[Opponents[State, Action]] = Opponents(
    levels={
        "random": "Three cards by chance. In a seat: a set after 12 to 45 seconds, one in four "
        "wrong.",
        "greedy": "Any set there is. In a seat: after 6 to 24 seconds, one in twelve wrong.",
        "strong": "The set that leaves the fewest to the others. In a seat: after 3 to 12 seconds, "
        "none wrong.",
    },
    facts=(BY_CHANCE, IS_SET, LEAVES_SETS, NO_SET_SEEN),
    advise=advise,
    play=play,
    searches=frozenset(),
    patience=patience,
    is_playable=lambda state: not isinstance(state.deck, int),
)
