"""The bodies of requests, made from any game's schemas.

A game hands over a `GameWire`; `Bodies.of` makes of it, once, a reader for the body of every call.
Each reads a whole request and names all its faults, those of the state and those of the action
together, or answers with one of the values in `requests.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from splendor_api.wire.faults import (
    CONFLICTING_FIELDS,
    REQUIRED,
    WRONG_LENGTH,
    Fault,
    InvalidRequest,
    step,
)
from splendor_api.wire.fields import (
    Anything,
    Constant,
    Flag,
    Integer,
    Items,
    Leaf,
    Object,
    StrictField,
    StrictSchema,
    Tagged,
    Text,
    Word,
    exactly_one,
)
from splendor_api.wire.game import GameWire
from splendor_api.wire.readers import MISSING, Members, refuse, text, word
from splendor_api.wire.requests import (
    DEFAULT_RULESET,
    DETAILS,
    FORMAT,
    LARGEST_METADATA,
    LONGEST_CURSOR,
    LONGEST_LIMIT,
    LONGEST_NAME,
    LONGEST_NOTATION,
    LONGEST_SEAL,
    LONGEST_SEARCH,
    LONGEST_SEAT_KEY,
    LONGEST_SEED,
    MOST_ACTIONS,
    MOST_ITEMS,
    MOST_METADATA,
    MOST_PLAYOUTS,
    OPPONENT_LEVELS,
    SEAL,
    SECRECIES,
    SEED_SOURCES,
    SHORTEST_LIFETIME,
    SHORTEST_SECRET_SEED,
    THEMES,
    TOKEN_LENGTH,
    UNDOING,
    Audit,
    Batch,
    Creation,
    Deal,
    Draw,
    Explain,
    Item,
    Join,
    LegalActions,
    Notated,
    Observe,
    OpponentLevel,
    Record,
    Replay,
    Ruleset,
    Sealed,
    SessionAction,
    SessionUpdate,
    StateAndAction,
    Suggest,
    Undo,
)

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
BodyT = TypeVar("BodyT")

Declared = dict[str, StrictField[Any]]
"""The members of an object, by name."""


class Body(Generic[BodyT]):
    """The body of one kind of request."""

    def __init__(self, field: StrictField[BodyT]) -> None:
        self.field: Final = field

    @classmethod
    def of(
        cls,
        make: Callable[..., BodyT],
        members: Declared,
        kind: type[StrictSchema] = StrictSchema,
    ) -> Body[BodyT]:
        """Return the body that is an object with these members."""
        return cls(Object(kind.from_dict(members), make))

    def load(self, data: object) -> BodyT:
        """Return the request that `data` stands for, or raise `InvalidRequest` with all faults."""
        faults: list[Fault] = []
        loaded = self.field.read(data, faults)
        if faults:
            raise InvalidRequest(faults)
        return cast("BodyT", loaded)


class StateField(StrictField[StateT | Sealed[StateT]]):
    """A state, or a sealed one: what everybody sees of it, and beside that `sealed`."""

    def __init__(self, wire: GameWire[StateT, Any, Any, Any, Any], *, required: bool) -> None:
        super().__init__(required=required)
        self.whole: Final = wire.state
        self.seen: Final = wire.observation or wire.state

    def read(self, value: object, faults: list[Fault]) -> StateT | Sealed[StateT] | None:
        """Read a state; of a sealed one the seal is a text, unread as yet (T20)."""
        if type(value) is not dict or SEAL not in value:
            return self.whole.read(value, faults)
        before = len(faults)
        public: dict[str, object] = value.copy()
        sent = public.pop(SEAL)
        seen = self.seen.read(public, faults)
        seal = text(sent, 1, LONGEST_SEAL, f"/{SEAL}", faults)
        return None if seen is None or len(faults) > before else Sealed(seen, public, seal)


class ShownField(StateField[StateT]):
    """A state, a sealed one, or what somebody sees of a state."""

    def read(self, value: object, faults: list[Fault]) -> StateT | Sealed[StateT] | None:
        """Read a state, or an observation where that reads otherwise; faults are a state's."""
        since = len(faults)
        read = super().read(value, faults)
        if len(faults) == since or self.seen is self.whole:
            return read
        wrong: list[Fault] = []
        seen = self.seen.read(value, wrong)
        if wrong:
            return read
        del faults[since:]
        return seen


class _DealSchema(StrictSchema):
    """What a sealed deal asks for, and what has no meaning in another."""

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Yield a fault for a seed that could be guessed, and for locks where nothing is sealed."""
        if given.get("secrecy") != "sealed":
            if "lock_seats" in given:
                yield CONFLICTING_FIELDS.at(fields=("secrecy", "lock_seats"))
            return
        seed = given.get("seed")
        if isinstance(seed, str) and 0 < len(seed) < SHORTEST_SECRET_SEED:
            yield WRONG_LENGTH.at(
                "/seed", length=len(seed), shortest=SHORTEST_SECRET_SEED, longest=LONGEST_SEED
            )


class _ProposalSchema(StrictSchema):
    """Whoever names a seat to ask for shows its key."""

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Yield the fault of a seat without a key."""
        if "seat" in given and "seat_key" not in given:
            yield REQUIRED.at("/seat_key", fields=("seat_key",))


class _ReplaySchema(StrictSchema):
    """Either a state and actions, or a record, or a line of text."""

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Yield the fault unless exactly one of the three ways is taken, and wholly."""
        ways = ("state", "actions", "record", "notation")
        named = tuple(name for name in ways if name in given)
        if not named:
            yield REQUIRED.at(fields=("state", "record", "notation"))
        elif len(named) > 1 and {"record", "notation"} & set(named):
            yield CONFLICTING_FIELDS.at(fields=named)
        elif named == ("state",):
            yield REQUIRED.at("/actions", fields=("actions",))
        elif named == ("actions",):
            yield REQUIRED.at("/state", fields=("state",))
        for way in ("record", "notation"):
            if way in named and "seat_keys" in given:
                yield CONFLICTING_FIELDS.at(fields=(way, "seat_keys"))


class _NotatedSchema(StrictSchema):
    """One thing to be written or read."""

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Yield the fault unless there is exactly one."""
        return exactly_one(given, "action", "record", "notation")


class _RecordSchema(StrictSchema):
    """A seed or a first state: without either a record cannot be replayed."""

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Yield the fault unless there is exactly one of the two."""
        return exactly_one(given, "seed", "state")


@dataclass(frozen=True, slots=True)
class Bodies(Generic[StateT, ActionT]):
    """The bodies of every call of one game, made once: `bodies.apply.load(data)`."""

    deal: Body[Deal]
    apply: Body[StateAndAction[StateT, ActionT]]
    check: Body[StateAndAction[StateT, ActionT]]
    legal_actions: Body[LegalActions[StateT]]
    replay: Body[Replay[StateT, ActionT]]
    notation: Body[Notated[StateT, ActionT]]
    observe: Body[Observe[StateT]]
    audit: Body[Audit[StateT]]
    suggest: Body[Suggest[StateT]]
    picture: Body[Draw[StateT]]
    explain: Body[Explain[StateT, ActionT]]

    @classmethod
    def of(cls, wire: GameWire[StateT, ActionT, Any, Any, Any]) -> Bodies[StateT, ActionT]:
        """Return the bodies of the game behind `wire`."""
        if DEFAULT_RULESET not in wire.rulesets:
            raise ValueError(f"{wire.game} has no ruleset {DEFAULT_RULESET}")
        state = StateField(wire, required=True)
        seat, seat_key = Integer(0, wire.most_seats - 1), Text(1, LONGEST_SEAT_KEY)
        notation = Text(1, LONGEST_NOTATION)
        proposal: Declared = {
            "state": state,
            "action": wire.action.but(required=True),
            "seat": seat,
            "seat_key": seat_key,
        }
        return cls(
            deal=Body.of(Deal, _deal(wire), _DealSchema),
            apply=Body.of(StateAndAction, proposal, _ProposalSchema),
            check=Body.of(StateAndAction, proposal, _ProposalSchema),
            legal_actions=Body.of(
                LegalActions,
                {
                    "state": state,
                    "detail": Word(DETAILS),
                    "include_illegal": Flag(),
                    "seat": seat,
                    "cursor": Text(1, LONGEST_CURSOR, nullable=True),
                    "seat_key": seat_key,
                },
            ),
            replay=Body.of(
                Replay,
                {
                    "state": StateField(wire, required=False),
                    "actions": _actions(wire),
                    "record": _record(wire),
                    "seat_keys": _keys(wire),
                    "notation": notation,
                },
                _ReplaySchema,
            ),
            notation=Body.of(
                Notated,
                {
                    "action": wire.action.but(),
                    "record": _record(wire),
                    "notation": notation,
                },
                _NotatedSchema,
            ),
            observe=Body.of(
                Observe,
                {
                    "state": state,
                    "seat": seat.but(required=True, nullable=True),
                    "solutions": Flag(),
                    "seat_key": seat_key,
                },
            ),
            audit=Body.of(Audit, {"state": state}),
            suggest=Body.of(
                Suggest,
                {
                    "state": state,
                    "level": Word(OPPONENT_LEVELS, required=True),
                    "seat": seat,
                    "seed": Text(1, LONGEST_SEED),
                    "budget_ms": Integer(1, LONGEST_SEARCH),
                    "playouts": Integer(1, MOST_PLAYOUTS),
                    "seat_key": seat_key,
                },
            ),
            picture=Body.of(
                Draw,
                {
                    "state": ShownField(wire, required=True),
                    "seat": seat.but(nullable=True),
                    "seat_key": seat_key,
                    "theme": Word(THEMES),
                },
            ),
            explain=Body.of(
                Explain,
                {
                    "state": ShownField(wire, required=True),
                    "action": wire.action.but(),
                    "seat": seat.but(nullable=True),
                    "solutions": Flag(),
                    "seat_key": seat_key,
                },
            ),
        )


BATCH: Final = Body.of(
    Batch,
    {
        "items": Items(
            Object(
                StrictSchema.from_dict(
                    {
                        "game": Text(1, LONGEST_NAME, required=True),
                        "call": Text(1, LONGEST_NAME, required=True),
                        "body": Anything(required=True, nullable=True),
                    }
                ),
                Item,
            ),
            1,
            MOST_ITEMS,
            required=True,
        )
    },
)
"""The body of a batch; what its items ask is read by the bodies of their games."""


def _deal(wire: GameWire[Any, Any, Any, Any, Any]) -> Declared:
    return {
        "seats": Integer(wire.fewest_seats, wire.most_seats, required=True),
        "ruleset": Word(wire.rulesets),
        "options": wire.options.but(),
        "seed": Text(1, LONGEST_SEED),
        "secrecy": Word(SECRECIES),
        "lock_seats": Flag(),
    }


def _actions(
    wire: GameWire[Any, ActionT, Any, Any, Any], *, required: bool = False
) -> Items[ActionT]:
    return Items(wire.action.but(), 0, MOST_ACTIONS, required=required)


def _keys(wire: GameWire[Any, Any, Any, Any, Any]) -> Items[str]:
    return Items(Text(1, LONGEST_SEAT_KEY), 1, wire.most_seats)


def _record(
    wire: GameWire[StateT, ActionT, Any, Any, Any],
) -> Object[Record[StateT, ActionT]]:
    ruleset: Declared = {
        "name": Word(wire.rulesets, required=True),
        "options": wire.options.but(required=True),
    }
    members: Declared = {
        "game": Constant(wire.game, required=True),
        "format": Constant(FORMAT, required=True),
        "engine": Text(1, LONGEST_NAME, required=True),
        "seats": Integer(wire.fewest_seats, wire.most_seats, required=True),
        "ruleset": Object(StrictSchema.from_dict(ruleset), Ruleset, required=True),
        "seed": Text(1, LONGEST_SEED),
        "state": wire.state.but(),
        "actions": _actions(wire, required=True),
        "nonce": Text(1, LONGEST_SEED),
        "commitment": Text(1, LONGEST_SEED, nullable=True),
        "seed_source": Word(SEED_SOURCES),
        "complete": Flag(),
        "bots": Bots(wire.most_seats),
    }
    return Object(_RecordSchema.from_dict(members), Record)


class Metadata(Leaf[Mapping[str, str]]):
    """A few texts by name, for whoever created the session; they are kept and shown as they are."""

    def read(self, value: object, faults: list[Fault]) -> Mapping[str, str]:
        """Read an object of texts."""
        if type(value) is not dict:
            refuse(value, "object", "", faults)
            return {}
        if len(value) > MOST_METADATA:
            length = {"length": len(value), "shortest": 0, "longest": MOST_METADATA}
            faults.append(WRONG_LENGTH.at(**length))
            return {}
        before = len(faults)
        for name, told in value.items():
            text(name, 1, LONGEST_NAME, step(name), faults)
            text(told, 0, LARGEST_METADATA, step(name), faults)
        if len(faults) > before:
            return {}
        size = sum(len(part.encode()) for pair in value.items() for part in pair)
        if size > LARGEST_METADATA:
            faults.append(WRONG_LENGTH.at(length=size, shortest=0, longest=LARGEST_METADATA))
        return value


class Bots(Leaf[Mapping[int, OpponentLevel]]):
    """The levels of opponents, by the seat that they have."""

    def __init__(self, most_seats: int, **presence: Any) -> None:
        super().__init__(**presence)
        self.seats: Final = Members(optional=tuple(map(str, range(most_seats))))

    def read(self, value: object, faults: list[Fault]) -> Mapping[int, OpponentLevel]:
        """Read `{"1": "greedy", ...}`."""
        return {
            seat: word(level, OPPONENT_LEVELS, step(seat), faults)
            for seat, level in enumerate(self.seats.read(value, "", faults))
            if level is not MISSING
        }


class _CreationSchema(StrictSchema):
    """Either a number of seats, and how to deal, or a state."""

    game = ""
    time_limit = ""

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Yield the fault unless exactly one of the two ways is taken."""
        if "state" not in given:
            if "seats" not in given:
                yield REQUIRED.at(fields=("seats", "state"))
            elif "seat_keys" in given:
                yield CONFLICTING_FIELDS.at(fields=("seats", "seat_keys"))
            return
        beside = tuple(name for name in ("seats", "ruleset", "options", "seed") if name in given)
        if beside:
            yield CONFLICTING_FIELDS.at(fields=("state", *beside))

    def build(self, data: dict[str, Any]) -> Creation:
        """Return the session asked for."""
        return Creation(self.game, limit_seconds=data.pop(self.time_limit, None), **data)


class Hosted(NamedTuple):
    """A game of which sessions can be: with its word for a time limit, and perhaps opponents."""

    wire: GameWire[Any, Any, Any, Any, Any]
    time_limit: str
    has_opponents: bool


def session_creation(games: Mapping[str, Hosted], longest_lifetime: int) -> Body[Creation]:
    """Return the body of a request for a session, a union told apart by `game`.

    `longest_lifetime` is in seconds.
    """
    return Body(
        Tagged(
            {name: _creation(hosted, longest_lifetime) for name, hosted in games.items()},
            tag="game",
        )
    )


def _creation(hosted: Hosted, longest_lifetime: int) -> type[StrictSchema]:
    wire, time_limit = hosted.wire, hosted.time_limit
    members: Declared = {
        **_deal(wire),
        "seats": Integer(wire.fewest_seats, wire.most_seats),
        "seed": Text(SHORTEST_SECRET_SEED, LONGEST_SEED),
        "state": StateField(wire, required=False),
        "seat_keys": _keys(wire),
        "lifetime_seconds": Integer(SHORTEST_LIFETIME, longest_lifetime),
        time_limit: Integer(1, LONGEST_LIMIT),
        "spectators": Flag(),
        "metadata": Metadata(),
    }
    del members["secrecy"], members["lock_seats"]
    if hosted.has_opponents:
        members["bots"] = Bots(wire.most_seats)
    schema = _CreationSchema.from_dict(members)
    schema.game, schema.time_limit = wire.game, time_limit
    return schema


SESSION_UPDATE: Final = Body.of(SessionUpdate, {"spectators": Flag(required=True)})
SESSION_ACTION: Final = Body.of(SessionAction, {"action": Anything(required=True, nullable=True)})
UNDO: Final = Body.of(Undo, {"do": Word(UNDOING, required=True)})
JOIN: Final = Body.of(Join, {"claim": Text(TOKEN_LENGTH, TOKEN_LENGTH, required=True)})
"""What is asked of a session that is there; of which game it is, is known only later."""
