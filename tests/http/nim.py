"""Nim, as small as a game can be behind the protocol: the shell must serve it unseen.

One heap; a seat in turn takes one stone or more, at most `most`; who takes the last stone has won.
Each seat has a lucky number that the others do not see. A `crash` is a bug, on purpose. A seat that
leaves ends the game; the next one has won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from splendor_api.games.drawing import Picture, Symbol, View, defined, document, element, use
from splendor_api.games.protocol import Game, Kind, Option, Outcome, Step, Value
from splendor_api.games.registry import Entry
from splendor_api.games.violations import GAME_OVER, WRONG_SEAT, Code, Violation
from splendor_api.wire.fields import (
    Constant,
    Flag,
    Integer,
    Integers,
    Object,
    StrictSchema,
    Tagged,
    Word,
)
from splendor_api.wire.game import GameWire

TOO_MANY = Code(
    "too_many",
    rule="N2",
    params=("count", "limit"),
    says="{count} stones are more than {limit}.",
    means="More stones are taken than may be.",
)
HEAP_TOO_LARGE = Code(
    "heap_too_large",
    rule="",
    params=("stone",),
    says="Stone {stone} is one too many.",
    means="There are more stones than at the start.",
)

SEATS = range(1, 4)
OPTIONS = (
    Option("heap", range(1, 5_001), {"gamerules": {1: 5, 2: 10, 3: 15}}, "Stones.", ("N1",)),
    Option("most", range(1, 5_001), {"gamerules": 3}, "Most stones taken at once.", ("N2",)),
    Option("last", ("wins", "loses"), {"gamerules": "wins"}, "What the last stone does.", ()),
    Option("step", (1, 2, 5), {"gamerules": 1}, "Stones come in such lots.", ()),
    Option("quiet", (False, True), {"gamerules": False}, "Whether nobody speaks.", ()),
)


class State(NamedTuple):
    """A position; `lucky` has None where a number is not seen."""

    start: int
    stones: int
    most: int
    turn: int
    lucky: tuple[int | None, ...]


@dataclass(frozen=True)
class Take:
    """So many stones from the heap."""

    count: int
    seat: int | None = None


@dataclass(frozen=True)
class Crash:
    """A bug."""

    seat: int | None = None


@dataclass(frozen=True)
class Leave:
    """A seat leaves."""

    seat: int
    timeout: bool = False


@dataclass(frozen=True)
class Taken:
    """Stones that were taken."""

    seat: int
    count: int


class Standing(NamedTuple):
    """A seat's place."""

    seat: int
    rank: int


Action = Take | Crash | Leave


def _to_act(state: State) -> int | None:
    return state.turn % len(state.lucky) if state.stones else None


def _resolve(ruleset: str, seats: int, given: Mapping[str, Value]) -> dict[str, Value]:
    return {each.name: given.get(each.name, each.default(ruleset, seats)) for each in OPTIONS}


def _deal(seats: int, ruleset: str, given: Mapping[str, Value], seed: str) -> State:
    values = _resolve(ruleset, seats, given)
    heap, most = values["heap"], values["most"]
    assert isinstance(heap, int)
    assert isinstance(most, int)
    lucky = tuple((len(seed) + seat) % 10 for seat in range(seats))
    return State(heap, heap, most, 0, lucky)


def _audit(state: State) -> Iterator[Violation]:
    for stone in range(state.start, state.stones):
        yield HEAP_TOO_LARGE.at("/stones", stone=stone)


def _violations(state: State, action: Action) -> Iterator[Violation]:
    if not state.stones:
        yield GAME_OVER.at()
    elif isinstance(action, Leave):
        if action.seat >= len(state.lucky):
            yield WRONG_SEAT.at("/seat", seat=action.seat, to_act=_to_act(state))
    elif action.seat not in (None, _to_act(state)):
        yield WRONG_SEAT.at("/seat", seat=action.seat, to_act=_to_act(state))
    elif isinstance(action, Take) and action.count > min(state.most, state.stones):
        yield TOO_MANY.at("/count", count=action.count, limit=min(state.most, state.stones))


def _apply(state: State, action: Action) -> Step[State, Taken]:
    if isinstance(action, Crash):
        raise KeyError("canary-text")
    if isinstance(action, Leave):
        seats = len(state.lucky)
        turn = state.turn + 1 + (action.seat + 1 - state.turn) % seats
        return Step(state._replace(stones=0, turn=turn), (Taken(action.seat, 0),))
    seat = state.turn % len(state.lucky)
    after = state._replace(stones=state.stones - action.count, turn=state.turn + 1)
    return Step(after, (Taken(seat, action.count),))


def _choices(state: State, seat: int | None) -> list[Action]:
    if seat not in (None, _to_act(state)):
        return []
    return [Take(count) for count in range(1, min(state.most, state.stones) + 1)]


def _shown(state: State, seat: int | None) -> Iterator[Action]:
    yield Take(state.stones + 1)


def _outcome(state: State) -> Outcome[Standing] | None:
    if state.stones:
        return None
    winner = (state.turn - 1) % len(state.lucky)
    return Outcome("last_stone", (winner,), (Standing(winner, 1),))


def _observe(state: State, seat: int | None) -> State:
    seen = (number if own == seat else None for own, number in enumerate(state.lucky))
    return state._replace(lucky=tuple(seen))


def _dump_action(action: Action) -> dict[str, object]:
    if isinstance(action, Crash):
        return {"type": "crash"}
    if isinstance(action, Leave):
        return {"type": "leave", "seat": action.seat, "timeout": action.timeout}
    return {"type": "take", "count": action.count}  # the seat follows from the turn


def _dump_outcome(outcome: Outcome[Standing]) -> dict[str, object]:
    ranking = [standing._asdict() for standing in outcome.ranking]
    return {"reason": outcome.reason, "winners": outcome.winners, "ranking": ranking}


class _StateSchema(StrictSchema):
    game = Constant("nim", required=True)
    start = Integer(1, 5_000, required=True)
    stones = Integer(0, 9_999, required=True)
    most = Integer(1, 5_000, required=True)
    turn = Integer(0, 1_000, required=True)
    lucky = Integers(0, 9, 1, 3, required=True)

    def build(self, data: dict[str, Any]) -> State:
        del data["game"]
        return State(**data)


class _TakeSchema(StrictSchema):
    count = Integer(1, 5_000, required=True)
    seat = Integer(0, 9)

    def build(self, data: dict[str, Any]) -> Take:
        return Take(**data)


class _LeaveSchema(StrictSchema):
    seat = Integer(0, 9, required=True)
    timeout = Flag()

    def build(self, data: dict[str, Any]) -> Leave:
        return Leave(**data)


class _CrashSchema(StrictSchema):
    seat = Integer(0, 9)

    def build(self, data: dict[str, Any]) -> Crash:
        return Crash(**data)


def _split(state: State) -> tuple[State, bytes]:
    return _observe(state, None), bytes(each or 0 for each in state.lucky).ljust(max(SEATS))


def _join(seen: State, hidden: bytes) -> State:
    return seen._replace(lucky=tuple(hidden[: len(seen.lucky)]))


_RULES: Game[State, Action, Taken] = Game(
    name="nim",
    title="Nim",
    seats=SEATS,
    rulesets={"gamerules": "The only one."},
    options=OPTIONS,
    actions=(
        Kind("take", "Takes stones."),
        Kind("crash", "Breaks."),
        Kind("leave", "A seat leaves."),
    ),
    codes=(GAME_OVER, WRONG_SEAT, TOO_MANY),
    findings=(HEAP_TOO_LARGE,),
    events=(Kind("taken", "Stones were taken."),),
    outcomes={"last_stone": "The heap is gone."},
    resolve=_resolve,
    deal=_deal,
    audit=_audit,
    violations=_violations,
    apply=_apply,
    choices=_choices,
    turns=lambda state, seat: iter(_choices(state, seat)),
    shown=_shown,
    preview=lambda state, action: {"left": state.stones - getattr(action, "count", 0)},
    normal=lambda state, action: action,
    acting=lambda state: () if _to_act(state) is None else (state.turn % len(state.lucky),),
    seat_of=lambda state, action: _to_act(state) if action.seat is None else action.seat,
    to_act=_to_act,
    seats_of=lambda state: len(state.lucky),
    seats_left=lambda state: tuple(range(len(state.lucky))),
    outcome=_outcome,
    observe=_observe,
    observe_step=lambda step, seat: step.events,
    observations_are_states=False,
    resign=Leave,
    has_turns=True,
    time_limit="move_seconds",
    overdue=lambda state: Leave(state.turn % len(state.lucky), timeout=True),
    turn_of=lambda state: state.turn,
    is_revealing=lambda event: event.count == 3,
    split=_split,
    join=_join,
    solutions=lambda state: tuple((count,) for count in (state.stones % 4,) if count),
)

_WIRE: GameWire[State, Action, Taken, Outcome[Standing], Mapping[str, object]] = GameWire(
    game="nim",
    state=Object(_StateSchema),
    action=Tagged({"take": _TakeSchema, "crash": _CrashSchema, "leave": _LeaveSchema}),
    options=Object(
        StrictSchema.from_dict(
            {
                "heap": Integer(1, 5_000),
                "most": Integer(1, 5_000),
                "last": Word(("wins", "loses")),
                "quiet": Flag(),
            }
        )
    ),
    rulesets=("gamerules",),
    fewest_seats=SEATS[0],
    most_seats=SEATS[-1],
    dump_state=lambda state: {"game": "nim", **state._asdict()},
    dump_action=_dump_action,
    dump_event=lambda event: {"type": "taken", **asdict(event)},
    dump_outcome=_dump_outcome,
    dump_preview=dict,
    components=lambda: {"stones": ["pebble"]},
)

_STONE = Symbol("stone", 10, 10, element("circle", cx=5, cy=5, r=4))
_SAID = "{stones} stones; lucky numbers: {lucky}."


def _draw(state: State, view: View) -> str:
    stones = (use(_STONE, 10 * place, 0, 10) for place in range(min(state.stones, 10)))
    said, defs = [view.say(_SAID, state._asdict())], element("defs", defined([_STONE]))
    return document(100, 10, view.language, "Nim", said, defs, *stones)


_PICTURE: Picture[State] = Picture(
    symbols={"stone": _STONE},
    draw=_draw,
    lay_out=lambda state, view: view.say(_SAID, state._asdict()) + "\n",
    sayings=(_SAID,),
)

NIM = Entry(_RULES, _WIRE, _PICTURE)
CLUELESS_NIM = Entry(replace(_RULES, solutions=None), _WIRE)
