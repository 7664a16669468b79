"""A table to play at in tests: deals, tables laid out card by card, actions in short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from splendor_api.games import referee
from splendor_api.games.protocol import Step
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import GAMES
from splendor_api.games.set.actions import Action, Call, Claim, Forfeit, NoSet, Resign
from splendor_api.games.set.components import CARDS, DECKS, sets_among, third_card
from splendor_api.games.set.deal import deal
from splendor_api.games.set.events import Event
from splendor_api.games.set.options import resolve
from splendor_api.games.set.state import Player, State, Triple, cards_on
from splendor_api.games.violations import Violation

Json = dict[str, Any]

SET = GAMES["set"]

ROWS: tuple[Triple, ...] = tuple((card, card + 1, card + 2) for card in sorted(CARDS)[::3])
"""All cards as sets: each three are alike but in number."""

WITHOUT_SET = (1, 3, 5, 8, 11, 13, 20, 27, 31, 35, 39, 41, 46, 54, 59, 63, 66, 67, 73, 80)
"""Twenty cards among which there is no set, as many as there can be (T33)."""

QUICK_WITHOUT_SET = (1, 3, 19, 21, 48, 56, 57, 64, 73)
"""Nine cards of the quick deck among which there is no set, as many as there can be (T34)."""

DEALT_WITHOUT_SET = ("73", "105", "107", "128")
"""Seeds with which the first twelve cards of the full deck hold no set."""

AGREED: Mapping[str, Any] = {"extra_cards": "agreed"}


def dealt(seats: int = 2, ruleset: str = "gamerules", seed: str = "set", **options: Any) -> State:
    """Return a first state."""
    return deal(seats, ruleset, options, seed)


def laid(
    table: Sequence[int | None],
    top: Sequence[int] = (),
    won: Sequence[tuple[int, Triple]] = (),
    seats: int = 2,
    **options: Any,
) -> State:
    """Return a game with these cards on the table; it must be one that play can reach.

    `top` are dealt next, the first of them first; under them lies what is left. `won` are seats
    and their sets.
    """
    chosen = resolve("gamerules", seats, options)
    sets = [tuple(triple for owner, triple in won if owner == seat) for seat in range(seats)]
    placed = {*table, *top, *(card for _, triple in won for card in triple)}
    state = State(
        ruleset="gamerules",
        options=chosen,
        turn=len(won),
        phase="open",
        to_act=None,
        table=tuple(table),
        deck=(*sorted(DECKS[chosen.deck] - placed), *reversed(top)),
        no_set=(),
        outcome=None,
        players=tuple(Player(own, 0, len(own), resigned=False) for own in sets),
    )
    assert referee.audit(SET.rules, state) == ()
    return state


def without_deck(table: Sequence[int], seats: int = 2, **options: Any) -> State:
    """Return a game with whole `ROWS` on the table, all others being won by seat 0."""
    won = [(0, row) for row in ROWS if row[0] not in table]
    return laid(table, won=won, seats=seats, **options)


def needing_cards(**options: Any) -> State:
    """Return a game in which the claim of `NEEDING` leaves no set, even with three cards dealt.

    The next three cards bring one.
    """
    first, second, *_ = WITHOUT_SET
    bringing = third_card(first, second)
    others = [card for card in (79, 81) if card != bringing]
    return laid((*WITHOUT_SET[:9], *NEEDING), (*WITHOUT_SET[9:12], bringing, *others), **options)


NEEDING: Triple = (28, 29, 30)


def claim(seat: int, *cards: int) -> Claim:
    """Return the claim of three cards, in the order given."""
    first, second, third = cards
    return Claim(seat, (first, second, third))


def right(state: State, seat: int = 0) -> Claim:
    """Return a claim that is a set."""
    return Claim(seat, next(sets_among(cards_on(state.table))))


def wrong(state: State, seat: int = 0) -> Claim:
    """Return a claim of cards on the table that is no set."""
    first, second, *others = cards_on(state.table)
    return Claim(seat, (first, second, next(c for c in others if c != third_card(first, second))))


def after(state: State, *actions: Action) -> State:
    """Return where legal actions lead."""
    for action in actions:
        state = step(state, action).state
    return state


def step(state: State, action: Action) -> Step[State, Event]:
    """Return what a legal action leads to."""
    verdict = referee.apply(SET.rules, state, action)
    assert not isinstance(verdict, Refusal), verdict
    return verdict


def events(state: State, action: Action) -> tuple[Event, ...]:
    """Return what happens when a legal action is taken."""
    return step(state, action).events


def kinds(state: State, action: Action) -> list[str]:
    """Return the types of what happens when a legal action is taken."""
    return [event.type for event in events(state, action)]


def broken(state: State, action: Action) -> list[Violation]:
    """Return what forbids an action."""
    verdict = referee.check(SET.rules, state, action)
    assert not isinstance(verdict, Refusal), verdict
    return list(verdict)


def codes(state: State, action: Action) -> list[str]:
    """Return the codes of what forbids an action."""
    return [violation.code.name for violation in broken(state, action)]


def everything(seat: int, *cards: int) -> tuple[Action, ...]:
    """Return an action of each type by the seat."""
    return (Call(seat), claim(seat, *cards), Forfeit(seat), NoSet(seat), Resign(seat))


def played(state: State) -> Iterator[Step[State, Event]]:
    """Yield each step of a game in which seats in turn claim the first set there is."""
    while state.phase != "over":
        made = step(state, right(state, state.turn % len(state.players)))
        yield made
        state = made.state


def last(state: State) -> State:
    """Return the end of the game that `played` plays."""
    *_, end = played(state)
    return end.state
