"""A small game's wire half, with a field of every kind, and ways to damage its requests."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from splendor_api.wire.faults import Fault, moved
from splendor_api.wire.fields import (
    Constant,
    Counts,
    Flag,
    Integer,
    Integers,
    Items,
    Leaf,
    Object,
    StrictSchema,
    Tagged,
    Text,
    Word,
    exactly_one,
    within,
)
from splendor_api.wire.game import GameWire
from splendor_api.wire.readers import Members, counts, flag, integer, integers, items, text, word

COLORS: Final = ("red", "blue", "gold")


@dataclass(frozen=True, slots=True)
class Hand:
    """What a seat holds."""

    tokens: tuple[int, ...]
    cards: tuple[int, ...]
    name: str
    mood: str
    out: bool
    age: int | None


class Hands(Leaf[tuple[Hand, ...]]):
    """All hands as one field."""

    members = Members("tokens", "cards", "name", "mood", "out", optional=("age",))

    def read(self, value: object, faults: list[Fault]) -> tuple[Hand, ...]:
        """Read two to four hands."""
        hands = []
        for seat, entry in enumerate(items(value, 2, 4, "", faults)):
            since = len(faults)
            hands.append(self.hand(entry, faults))
            moved(faults, since, seat)
        return tuple(hands)

    def hand(self, value: object, faults: list[Fault]) -> Hand:
        """Read one hand."""
        tokens, cards, name, mood, out, age = self.members.read(value, "", faults)
        return Hand(
            counts(tokens, COLORS, 9, "/tokens", faults),
            integers(cards, 1, 5_000, 0, 3, "/cards", faults),
            text(name, 1, 8, "/name", faults),
            word(mood, ("calm", "keen"), "/mood", faults),
            flag(out, "/out", faults),
            None if age is None else integer(age, 0, 99, "/age", faults),
        )


@dataclass(frozen=True, slots=True)
class State:
    """A state of the toy."""

    bank: tuple[int, ...]
    table: tuple[int, ...]
    hands: tuple[Hand, ...]
    note: str | None
    passing: str
    over: bool


class Options(StrictSchema):
    """Every option, required."""

    size = within((9, 12, 15), required=True)
    goal = within(range(1, 51), required=True)
    quick = within((False, True), required=True)
    passing = within(("never", "always"), required=True, data_key="pass", attribute="passing")


class StateSchema(StrictSchema):
    """A state."""

    game = Constant("toy", required=True)
    format = Constant(1, required=True)
    options: Object[dict[str, object]] = Object(Options, required=True)
    bank = Counts(COLORS, 9, required=True)
    table = Integers(1, 20, 0, 6, required=True)
    hands = Hands(required=True)
    note = Text(1, 8, nullable=True, load_default=None)
    over = Flag(load_default=False)

    def build(self, data: dict[str, Any]) -> State:
        """Return the state."""
        return State(
            data["bank"],
            data["table"],
            data["hands"],
            data["note"],
            data["options"]["passing"],
            data["over"],
        )


@dataclass(frozen=True, slots=True)
class Take:
    """Take colours."""

    colors: tuple[str, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a card, or the top of a deck."""

    card: int | None = None
    level: int | None = None


class TakeSchema(StrictSchema):
    """Up to three colours."""

    colors = Items(Word(COLORS), 1, 3, required=True)
    seat = Integer(0, 3)

    def build(self, data: dict[str, Any]) -> Take:
        """Return the action."""
        return Take(**data)


class KeepSchema(StrictSchema):
    """One of two fields."""

    card = Integer(1, 20)
    level = Integer(1, 3)

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Ask for one of the two."""
        return exactly_one(given, "card", "level")

    def build(self, data: dict[str, Any]) -> Keep:
        """Return the action."""
        return Keep(**data)


def dump_state(state: State) -> dict[str, object]:
    """Return the state as JSON values."""
    return {
        "game": "toy",
        "format": 1,
        "options": {"size": 9, "goal": 15, "quick": True, "pass": state.passing},
        "bank": dict(zip(COLORS, state.bank, strict=True)),
        "table": state.table,
        "hands": [dump_hand(hand) for hand in state.hands],
        "note": state.note,
        "over": state.over,
    }


def dump_hand(hand: Hand) -> dict[str, object]:
    """Return the hand as JSON values."""
    return {
        "tokens": dict(zip(COLORS, hand.tokens, strict=True)),
        "cards": hand.cards,
        "name": hand.name,
        "mood": hand.mood,
        "out": hand.out,
        "age": hand.age,
    }


def dump_action(action: Take | Keep) -> dict[str, object]:
    """Return the action as JSON values."""
    members = {name: getattr(action, name) for name in action.__slots__}
    given = {name: value for name, value in members.items() if value is not None}
    return {"type": type(action).__name__.lower(), **given}


WIRE: Final[GameWire[State, Take | Keep, object, object, object]] = GameWire(
    game="toy",
    state=Object(StateSchema),
    action=Tagged({"take": TakeSchema, "keep": KeepSchema}),
    options=Object(
        StrictSchema.from_dict(
            {
                "size": within((9, 12, 15)),
                "goal": within(range(1, 51)),
                "quick": within((False, True)),
                "pass": within(("never", "always")),
            }
        )
    ),
    rulesets=("gamerules", "publisher"),
    fewest_seats=2,
    most_seats=4,
    dump_state=dump_state,
    dump_action=dump_action,
    dump_event=lambda _: {},
    dump_outcome=lambda _: {},
    dump_preview=lambda _: {},
    components=dict,
)

HANDS = st.builds(
    Hand,
    st.tuples(*[st.integers(0, 9)] * 3),
    st.lists(st.integers(1, 5_000), max_size=3).map(tuple),
    st.text("aé\U0001f0cf", min_size=1, max_size=8),
    st.sampled_from(["calm", "keen"]),
    st.booleans(),
    st.none() | st.integers(0, 99),
)
STATES = st.builds(
    State,
    st.tuples(*[st.integers(0, 9)] * 3),
    st.lists(st.integers(1, 20), max_size=6).map(tuple),
    st.lists(HANDS, min_size=2, max_size=4).map(tuple),
    st.none() | st.text("xyz", min_size=1, max_size=8),
    st.sampled_from(["never", "always"]),
    st.booleans(),
)
ACTIONS = st.builds(
    Take,
    st.lists(st.sampled_from(COLORS), min_size=1, max_size=3).map(tuple),
    st.none() | st.integers(0, 3),
) | st.one_of(
    st.builds(Keep, st.integers(1, 20), st.none()), st.builds(Keep, st.none(), st.integers(1, 3))
)

STATE: Final[dict[str, Any]] = {
    "game": "toy",
    "format": 1,
    "options": {"size": 9, "goal": 15, "quick": True, "pass": "never"},
    "bank": {"red": 1, "blue": 2},
    "table": [1, 20],
    "hands": [
        {
            "tokens": {"gold": 1, "red": 0, "blue": 2},
            "cards": [1, 5_000],
            "name": "é",
            "mood": "calm",
            "out": False,
        },
        {"tokens": {}, "cards": [], "name": "b", "mood": "keen", "out": True, "age": None},
    ],
}
TAKE: Final[dict[str, Any]] = {"type": "take", "colors": ["red", "gold"], "seat": 1}
KEEP: Final[dict[str, Any]] = {"type": "keep", "level": 2}
RECORD: Final[dict[str, Any]] = {
    "game": "toy",
    "format": 1,
    "engine": "toy 1.0",
    "seats": 2,
    "ruleset": {"name": "publisher", "options": {"goal": 7}},
    "seed": "s",
    "actions": [TAKE, KEEP],
}

ODD: Final[st.SearchStrategy[Any]] = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 21, 10**30, 1.0, 0.5),
        *("", "red", "1", "\0", "\ud800", "x" * 200),
        *([], {}, [[]], {"a": 1}, [None], ["red"], [True], {"type": "take"}, ["x"] * 9),
    ]
)
ODD_NAMES = st.sampled_from(
    ["", "x", "a/b~c", "_schema", "type", "red", "seat", "\ud800", "k" * 200, "count", "record"]
)


@st.composite
def damaged(draw: st.DrawFn, whole: Any) -> Any:
    """Draw `whole` with up to four of its parts lost, added or put for others."""
    value = copy.deepcopy(whole)
    for _ in range(draw(st.integers(0, 4))):
        holder = draw(st.sampled_from(holders(value))) if holders(value) else None
        if holder is None or draw(st.integers(0, 30)) == 0:
            return draw(ODD)
        damage(draw, holder)
    return value


def holders(value: Any) -> list[Any]:
    """Return every object and list in `value`."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    below = [holder for part in parts for holder in holders(part)]
    return [value, *below] if isinstance(value, dict | list) else below


def damage(draw: st.DrawFn, holder: Any) -> None:
    """Lose, add or change one part of `holder`."""
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    way = draw(st.sampled_from(["lose", "change", "add"])) if keys else "add"
    if way == "add":
        odd = copy.deepcopy(draw(ODD))
        holder.append(odd) if isinstance(holder, list) else holder.update({draw(ODD_NAMES): odd})
    elif way == "lose":
        del holder[draw(st.sampled_from(keys))]
    else:
        holder[draw(st.sampled_from(keys))] = copy.deepcopy(draw(ODD))
