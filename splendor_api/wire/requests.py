"""The bodies of the rules API, made from any game's schemas.

A game hands over a `GameWire`; `Bodies.of` makes of it, once, a reader for the body of every call.
Each reads a whole request and names all its faults, those of the state and those of the action
together, or answers with a frozen value that nothing needs to be checked in again but the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, cast

from splendor_api.wire.faults import (
    CONFLICTING_FIELDS,
    REQUIRED,
    UNKNOWN_FIELD,
    WRONG_LENGTH,
    WRONG_TYPE,
    Fault,
    InvalidRequest,
    kind_of,
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
    text,
    word,
)

FORMAT: Final = 1
DEFAULT_RULESET: Final = "gamerules"
LONGEST_SEED: Final = 128  # Unicode characters
SHORTEST_SECRET_SEED: Final = 22  # of a seed that nobody may guess from what is in view
LONGEST_NAME: Final = 64  # characters of a name that some other part resolves
LONGEST_CURSOR: Final = 512
LONGEST_NOTATION: Final = 100_000
LONGEST_SEAL: Final = 1_024
LONGEST_SEAT_KEY: Final = 64
MOST_ACTIONS: Final = 1_000  # in a replay
MOST_ITEMS: Final = 1_000  # in a batch
TOKEN_LENGTH: Final = 43  # characters of base64url: 256 bits
SHORTEST_LIFETIME: Final = 60  # seconds
LONGEST_LIMIT: Final = 7 * 24 * 60 * 60  # seconds for one turn or call
LONGEST_SEARCH: Final = 5_000  # milliseconds for a suggestion
MOST_PLAYOUTS: Final = 20_000  # for a suggestion
MOST_METADATA: Final = 20  # members
LARGEST_METADATA: Final = 2 * 1024  # bytes of UTF-8, names and values together

SEAL: Final = "sealed"  # the member of a state in which what is hidden travels

Secrecy = Literal["open", "sealed"]
SECRECIES: Final[tuple[Secrecy, ...]] = ("open", "sealed")
SeedSource = Literal["caller", "service"]
SEED_SOURCES: Final[tuple[SeedSource, ...]] = ("caller", "service")
Detail = Literal["choices", "turns"]
DETAILS: Final[tuple[Detail, ...]] = ("choices", "turns")

OpponentLevel = Literal["random", "greedy", "strong"]
OPPONENT_LEVELS: Final[tuple[OpponentLevel, ...]] = ("random", "greedy", "strong")
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")

OptionValue = int | bool | str

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
OutcomeT = TypeVar("OutcomeT")
PreviewT = TypeVar("PreviewT")
BodyT = TypeVar("BodyT")

Declared = dict[str, StrictField[Any]]
"""The members of an object, by name."""


@dataclass(frozen=True, slots=True)
class GameWire(Generic[StateT, ActionT, EventT, OutcomeT, PreviewT]):
    """The wire half of a game: what loads its values, and what writes them.

    Whether a member is required is decided here, not by the fields. `options` loads the options of
    a deal, any of them, to a map from name to value. The functions return plain data for JSON.
    `observation` loads a state as a spectator sees it, where `state` does not: that is what a
    sealed state shows.
    """

    game: str
    state: StrictField[StateT]
    action: StrictField[ActionT]
    options: StrictField[Mapping[str, OptionValue]]
    rulesets: tuple[str, ...]
    fewest_seats: int
    most_seats: int
    dump_state: Callable[[StateT], dict[str, object]]
    dump_action: Callable[[ActionT], dict[str, object]]
    dump_event: Callable[[EventT], dict[str, object]]
    dump_outcome: Callable[[OutcomeT], dict[str, object]]
    dump_preview: Callable[[PreviewT], dict[str, object]]
    components: Callable[[], dict[str, object]]
    """Return what the game is played with, as it is answered."""
    observation: StrictField[StateT] | None = None


@dataclass(frozen=True, slots=True)
class Sealed(Generic[StateT]):
    """A sealed state as it came: what everybody sees, as a value and as it was spelt, and the seal.

    Whether they belong together is not known yet.
    """

    seen: StateT
    public: Mapping[str, object]
    seal: str


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal asked for; without a `seed` the service draws one."""

    seats: int
    ruleset: str = DEFAULT_RULESET
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seed: str | None = field(default=None, repr=False)
    secrecy: Secrecy = "open"
    lock_seats: bool = True


@dataclass(frozen=True, slots=True)
class StateAndAction(Generic[StateT, ActionT]):
    """An action proposed in a state, by whoever has the key of `seat`, None being the one to act.

    The key has no meaning unless the state is sealed.
    """

    state: StateT | Sealed[StateT]
    action: ActionT
    seat: int | None = None
    seat_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class LegalActions(Generic[StateT]):
    """A question for what may be done: by one `seat` or by any, from `cursor` on."""

    state: StateT | Sealed[StateT]
    detail: Detail = "choices"
    include_illegal: bool = False
    seat: int | None = None
    cursor: str | None = None
    seat_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A ruleset by name, with the options set beside it."""

    name: str
    options: Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class Record(Generic[StateT, ActionT]):
    """A whole game: its first state, or the seed that it was dealt from, and every action.

    `engine` is who wrote it. What a session adds changes nothing: nonce and commitment, where the
    seed was from, whether the game is complete.
    """

    game: str
    format: int
    engine: str
    seats: int
    ruleset: Ruleset
    actions: tuple[ActionT, ...]
    seed: str | None = None
    state: StateT | None = None
    nonce: str | None = None
    commitment: str | None = None
    seed_source: str | None = None
    complete: bool = True
    bots: Mapping[int, OpponentLevel] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replay(Generic[StateT, ActionT]):
    """Actions from a state on, or a record, or one as a line of text: the others are None.

    `seat_keys` are those of a sealed deal, by seat.
    """

    state: StateT | Sealed[StateT] | None = None
    actions: tuple[ActionT, ...] = ()
    seat_keys: tuple[str, ...] | None = field(default=None, repr=False)
    record: Record[StateT, ActionT] | None = None
    notation: str | None = None


@dataclass(frozen=True, slots=True)
class Notated(Generic[StateT, ActionT]):
    """An action or a record, or one of them as a line of text: two of the three are None."""

    action: ActionT | None = None
    record: Record[StateT, ActionT] | None = None
    notation: str | None = None


@dataclass(frozen=True, slots=True)
class Observe(Generic[StateT]):
    """A question for what `seat` sees, None being a spectator."""

    state: StateT | Sealed[StateT]
    seat: int | None
    solutions: bool = False
    seat_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Explain(Generic[StateT, ActionT]):
    """A question for what follows from what `seat` sees, None being a spectator, and why.

    Without an `action` it is asked about every illegal one that an interface shows.
    """

    state: StateT | Sealed[StateT]
    action: ActionT | None = None
    seat: int | None = None
    solutions: bool = False
    seat_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Audit(Generic[StateT]):
    """A state to be audited."""

    state: StateT | Sealed[StateT]


@dataclass(frozen=True, slots=True)
class Suggest(Generic[StateT]):
    """A question for what a seat, None being the one to act, had better do.

    `budget_ms` and `playouts` bound a search, whichever is spent first.
    """

    state: StateT | Sealed[StateT]
    level: OpponentLevel
    seat: int | None = None
    seed: str | None = field(default=None, repr=False)
    budget_ms: int = 1_000
    playouts: int = MOST_PLAYOUTS
    seat_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Draw(Generic[StateT]):
    """A picture asked for, of what `seat` sees, None being a spectator."""

    state: StateT | Sealed[StateT]
    seat: int | None = None
    seat_key: str | None = field(default=None, repr=False)
    theme: Theme = "light"


@dataclass(frozen=True, slots=True)
class Item:
    """One call of a batch. Its `body` is unread: it is answered on its own."""

    game: str
    call: str
    body: object


@dataclass(frozen=True, slots=True)
class Batch:
    """Several calls at once."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Creation:
    """A session asked for: a deal, or a `state` to go on from; then `seats` is None.

    `seat_keys` are those of the sealed deal that the state is of, by seat.
    `limit_seconds` is what the seat to act has; each game has a word of its own for it. `bots` are
    the seats that opponents have, which may be more than there are.
    """

    game: str
    seats: int | None = None
    ruleset: str = DEFAULT_RULESET
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seed: str | None = field(default=None, repr=False)
    state: Any = field(default=None, repr=False)
    seat_keys: tuple[str, ...] | None = field(default=None, repr=False)
    lifetime_seconds: int | None = None
    limit_seconds: int | None = None
    spectators: bool = True
    metadata: Mapping[str, str] = field(default_factory=dict)
    bots: Mapping[int, OpponentLevel] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """What a host may change of a session."""

    spectators: bool


@dataclass(frozen=True, slots=True)
class SessionAction:
    """An action in a session, unread: of which game it is, the session knows."""

    action: object


Undoing = Literal["propose", "accept", "decline", "withdraw"]
UNDOING: Final[tuple[Undoing, ...]] = ("propose", "accept", "decline", "withdraw")


@dataclass(frozen=True, slots=True)
class Undo:
    """What a seat says about taking a turn back."""

    do: Undoing


@dataclass(frozen=True, slots=True)
class Join:
    """The claim of a join link."""

    claim: str = field(repr=False)


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
            faults.append(WRONG_TYPE.at(expected="object", found=kind_of(value)))
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
        self.seats: Final = {str(seat): seat for seat in range(most_seats)}

    def read(self, value: object, faults: list[Fault]) -> Mapping[int, OpponentLevel]:
        """Read `{"1": "greedy", ...}`."""
        if type(value) is not dict:
            faults.append(WRONG_TYPE.at(expected="object", found=kind_of(value)))
            return {}
        bots: dict[int, OpponentLevel] = {}
        for name, level in value.items():
            if name not in self.seats:
                faults.append(UNKNOWN_FIELD.at(step(name), name=name))
                continue
            bots[self.seats[name]] = word(level, OPPONENT_LEVELS, step(name), faults)
        return bots


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
