"""Reads the state of a game in progress, written as the service writes it: all at once.

The schemas in `wire.py` say what a state may look like, and name what is wrong with one. Here the
same is said again for the ordinary case, in half the time; about anything else nothing is said at
all. Wherever a state comes out of here, the schemas return the same: a law holds both to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import Any, Final

from splendor_api.games.splendor.components import CARDS, LEVELS, NOBLES, SLOTS
from splendor_api.games.splendor.options import OPTION_NAMES, RULESETS, SEATS, Options, of_values
from splendor_api.games.splendor.state import (
    FORMAT,
    PHASES,
    UNKNOWN,
    Decks,
    Market,
    Reserved,
    State,
    player_of,
)
from splendor_api.games.splendor.tokens import COLOR_WORDS, MOST_TOKENS, Tokens

LONGEST_GAME: Final = 1_000_000  # turns that a state may count

_MEMBERS: Final = (
    "game", "format", "ruleset", "turn", "to_act", "phase", "drawn", "final_round", "outcome",
    "bank", "market", "decks", "nobles", "players",
)  # fmt: skip
_OF_PLAYER: Final = ("tokens", "cards", "reserved", "nobles", "resigned")

# Each takes the members out of an object: of one that misses some it raises KeyError, of anything
# else TypeError. How many members there are then tells whether there are others.
_STATE: Final = itemgetter(*_MEMBERS)
_RULESET: Final = itemgetter("name", "options")
_OPTIONS: Final = itemgetter(*OPTION_NAMES)
_LEVELS: Final = itemgetter(*map(str, LEVELS))
_PLAYER: Final = itemgetter(*_OF_PLAYER)
_COUNTS: Final = itemgetter(*COLOR_WORDS)
_PLAYER_SIZE: Final = frozenset({len(_OF_PLAYER)})
_COUNTS_SIZE: Final = frozenset({len(COLOR_WORDS)})

# To Python 1, 1.0 and true are equal, so what values may be stands beside of what types.
_INTEGER: Final = frozenset({int})
_BOOLEAN: Final = frozenset({bool})
_LIST: Final = frozenset({list})
_SLOT_TYPES: Final = frozenset({int, str, type(None)})
_SLOTS: Final = frozenset({None, UNKNOWN, *CARDS})
_CARDS: Final = frozenset(CARDS)
_NOBLES: Final = frozenset(NOBLES)
_COUNT: Final = frozenset(range(MOST_TOKENS + 1))

_OPEN: Final = {card.id: Reserved(card.id, card.level, False) for card in CARDS.values()}
_HIDDEN: Final = {card.id: Reserved(card.id, card.level, True) for card in CARDS.values()}


class _UnusualError(Exception):
    """The value is not written as the service writes a game in progress."""


def state_of(value: Any) -> State | None:
    """Return the state that `value`, read from JSON, stands for, if it is as simple as most are.

    `None` says nothing: the schemas may take the value all the same, or have much to say about it.
    """
    try:
        return _state(value)
    except (KeyError, TypeError, _UnusualError):
        return None


def _state(value: Any) -> State:
    (game, form, ruleset, turn, to_act, phase, drawn, final_round, outcome,
     bank, market, decks, nobles, players) = _STATE(value)  # fmt: skip
    if not (
        len(value) == len(_MEMBERS)
        and game == "splendor"
        and type(form) is int
        and form == FORMAT
        and type(turn) is int
        and 0 <= turn <= LONGEST_GAME
        and (to_act is None or (type(to_act) is int and 0 <= to_act < SEATS[-1]))
        and phase in PHASES
        and (final_round is True or final_round is False)
        and outcome is None
        and list is type(nobles) is type(players)
        and len(players) in SEATS
    ):
        raise _UnusualError
    name, options = _ruleset(ruleset)
    tokens, bought, reserved, visitors, resigned = zip(*map(_PLAYER, players), strict=True)
    if not (
        _PLAYER_SIZE.issuperset(map(len, players))
        and _LIST.issuperset(map(type, (*bought, *reserved, *visitors)))
        and _BOOLEAN.issuperset(map(type, resigned))
    ):
        raise _UnusualError
    piles = _decks(decks)
    supply, taken, *held = _counts(bank, bank if drawn is None else drawn, *tokens)
    _require(_CARDS, *(pile for pile in piles if not isinstance(pile, int)), *bought)
    _require(_NOBLES, nobles, *visitors)
    seated = map(
        player_of, held, map(tuple, bought), map(_hand, reserved), map(tuple, visitors), resigned
    )
    return State(
        name, options, turn, to_act, phase, None if drawn is None else taken, final_round, None,
        supply, _market(market), piles, tuple(nobles), tuple(seated),
    )  # fmt: skip


def _require(allowed: frozenset[int], *lists: Iterable[Any]) -> None:
    """Raise unless all there is are integers among those allowed, and no more than of those."""
    listed = [*chain.from_iterable(lists)]
    if not (
        len(listed) <= len(allowed)
        and _INTEGER.issuperset(map(type, listed))
        and allowed.issuperset(listed)
    ):
        raise _UnusualError


def _ruleset(value: Any) -> tuple[str, Options]:
    name, given = _RULESET(value)
    values = _OPTIONS(given)
    options = of_values(values, tuple(map(type, values)))
    if options is None or name not in RULESETS or len(value) != 2 or len(given) != len(values):
        raise _UnusualError
    return name, options


def _counts(*maps: Any) -> list[Tokens]:
    counts = [*map(_COUNTS, maps)]
    if not _COUNTS_SIZE.issuperset(map(len, maps)):
        raise _UnusualError
    _require(_COUNT, *counts)
    return counts


def _market(value: Any) -> Market:
    first, second, third = _LEVELS(value)
    slots = (*first, *second, *third)
    if not (
        len(value) == len(LEVELS)
        and list is type(first) is type(second) is type(third)
        and SLOTS == len(first) == len(second) == len(third)
        and _SLOT_TYPES.issuperset(map(type, slots))
        and _SLOTS.issuperset(slots)
    ):
        raise _UnusualError
    a, b, c, d, e, f, g, h, i, j, k, m = slots
    return (a, b, c, d), (e, f, g, h), (i, j, k, m)


def _decks(value: Any) -> Decks:
    """Return the decks; what is in them is looked at elsewhere."""
    first, second, third = _LEVELS(value)
    kind = type(first)
    if len(value) != len(LEVELS) or not kind is type(second) is type(third):
        raise _UnusualError
    if kind is dict:
        return _size(first), _size(second), _size(third)
    if kind is list:
        return tuple(first), tuple(second), tuple(third)
    raise _UnusualError


def _size(value: Any) -> int:
    count = value["count"]
    if type(count) is not int or not 0 <= count <= len(CARDS) or len(value) != 1:
        raise _UnusualError
    return count


def _hand(reserved: list[Any]) -> tuple[Reserved, ...]:
    if not reserved:
        return ()
    hand = []
    for held in reserved:
        hidden = held["hidden"]
        if "card" not in held:
            hand.append(_unseen(held["level"], hidden))
        elif type(held["card"]) is not int:
            raise _UnusualError
        elif hidden is True:
            hand.append(_HIDDEN[held["card"]])
        elif hidden is False:
            hand.append(_OPEN[held["card"]])
        else:
            raise _UnusualError
        if len(held) != 2:
            raise _UnusualError
    if len(hand) > len(CARDS):
        raise _UnusualError
    return tuple(hand)


def _unseen(level: object, hidden: object) -> Reserved:
    if type(level) is not int or level not in LEVELS or hidden is not True:
        raise _UnusualError
    return Reserved(None, level, True)
