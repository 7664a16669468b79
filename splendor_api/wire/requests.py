"""The bodies of the rules API, made from any game's schemas.

A game hands over a `GameWire`; `Bodies.of` makes of it, once, a reader for the body of every call.
Each reads a whole request and names all its faults, those of the state and those of the action
together, or answers with a frozen value that nothing needs to be checked in again but the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar, cast

from splendor_api.wire.faults import (
    CONFLICTING_FIELDS,
    REQUIRED,
    WRONG_LENGTH,
    Fault,
    InvalidRequest,
)
from splendor_api.wire.fields import (
    Anything,
    Constant,
    Flag,
    Integer,
    Items,
    Object,
    StrictField,
    StrictSchema,
    Text,
    Word,
    text,
)

FORMAT: Final = 1
DEFAULT_RULESET: Final = "gamerules"
HIGHEST_SEAT: Final = 19  # twenty seats are the most of any game
LONGEST_SEED: Final = 128  # Unicode characters
SHORTEST_SECRET_SEED: Final = 22  # of a seed that nobody may guess from the cards in view
LONGEST_NAME: Final = 64  # characters of a name that some other part resolves
LONGEST_CURSOR: Final = 512
LONGEST_SEAL: Final = 1_024
LONGEST_SEAT_KEY: Final = 64
MOST_ACTIONS: Final = 1_000  # in a replay
MOST_ITEMS: Final = 1_000  # in a batch

SEAL: Final = "sealed"  # the member of a state in which what is hidden travels

Secrecy = Literal["open", "sealed"]
SECRECIES: Final[tuple[Secrecy, ...]] = ("open", "sealed")
Detail = Literal["choices", "turns"]
DETAILS: Final[tuple[Detail, ...]] = ("choices", "turns")

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
    """Return the game's cards and tiles, as they are answered."""
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
class Record(Generic[ActionT]):
    """A whole game: what it was dealt from, and every action. `engine` is who wrote it."""

    game: str
    format: int
    engine: str
    seats: int
    ruleset: Ruleset
    seed: str
    actions: tuple[ActionT, ...]


@dataclass(frozen=True, slots=True)
class Replay(Generic[StateT, ActionT]):
    """Actions from a state on, or a record: `state` is None exactly if `record` is not.

    `seat_keys` are those of a sealed deal, by seat.
    """

    state: StateT | Sealed[StateT] | None = None
    actions: tuple[ActionT, ...] = ()
    seat_keys: tuple[str, ...] | None = field(default=None, repr=False)
    record: Record[ActionT] | None = None


@dataclass(frozen=True, slots=True)
class Observe(Generic[StateT]):
    """A question for what `seat` sees, None being a spectator."""

    state: StateT | Sealed[StateT]
    seat: int | None
    solutions: bool = False
    seat_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Audit(Generic[StateT]):
    """A state to be audited."""

    state: StateT | Sealed[StateT]


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


class Body(Generic[BodyT]):
    """The body of one kind of request."""

    def __init__(
        self,
        make: Callable[..., BodyT],
        members: Declared,
        kind: type[StrictSchema] = StrictSchema,
    ) -> None:
        self.field: Final = Object(kind.from_dict(members), make)

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
        public = {name: member for name, member in value.items() if name != SEAL}
        seen = self.seen.read(public, faults)
        seal = text(value[SEAL], 1, LONGEST_SEAL, f"/{SEAL}", faults)
        return None if seen is None or len(faults) > before else Sealed(seen, public, seal)


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
    """Either a state and actions, or a record."""

    def contradictions(self, given: Mapping[str, object]) -> Iterator[Fault]:
        """Yield the fault unless exactly one of the two ways is taken, and wholly."""
        named = tuple(name for name in ("state", "actions", "record") if name in given)
        if not named:
            yield REQUIRED.at(fields=("state", "record"))
        elif "record" in named and len(named) > 1:
            yield CONFLICTING_FIELDS.at(fields=named)
        elif named == ("state",):
            yield REQUIRED.at("/actions", fields=("actions",))
        elif named == ("actions",):
            yield REQUIRED.at("/state", fields=("state",))
        if "record" in named and "seat_keys" in given:
            yield CONFLICTING_FIELDS.at(fields=("record", "seat_keys"))


@dataclass(frozen=True, slots=True)
class Bodies(Generic[StateT, ActionT]):
    """The bodies of every call of one game, made once: `bodies.apply.load(data)`."""

    deal: Body[Deal]
    apply: Body[StateAndAction[StateT, ActionT]]
    check: Body[StateAndAction[StateT, ActionT]]
    legal_actions: Body[LegalActions[StateT]]
    replay: Body[Replay[StateT, ActionT]]
    observe: Body[Observe[StateT]]
    audit: Body[Audit[StateT]]

    @classmethod
    def of(cls, wire: GameWire[StateT, ActionT, Any, Any, Any]) -> Bodies[StateT, ActionT]:
        """Return the bodies of the game behind `wire`."""
        if DEFAULT_RULESET not in wire.rulesets:
            raise ValueError(f"{wire.game} has no ruleset {DEFAULT_RULESET}")
        state = StateField(wire, required=True)
        seat, seat_key = Integer(0, HIGHEST_SEAT), Text(1, LONGEST_SEAT_KEY)
        proposal: Declared = {
            "state": state,
            "action": wire.action.but(required=True),
            "seat": seat,
            "seat_key": seat_key,
        }
        return cls(
            deal=Body(Deal, _deal(wire), _DealSchema),
            apply=Body(StateAndAction, proposal, _ProposalSchema),
            check=Body(StateAndAction, proposal, _ProposalSchema),
            legal_actions=Body(
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
            replay=Body(
                Replay,
                {
                    "state": StateField(wire, required=False),
                    "actions": _actions(wire),
                    "record": _record(wire),
                    "seat_keys": Items(Text(1, LONGEST_SEAT_KEY), 1, HIGHEST_SEAT + 1),
                },
                _ReplaySchema,
            ),
            observe=Body(
                Observe,
                {
                    "state": state,
                    "seat": seat.but(required=True, nullable=True),
                    "solutions": Flag(),
                    "seat_key": seat_key,
                },
            ),
            audit=Body(Audit, {"state": state}),
        )


BATCH: Final = Body(
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


def _record(wire: GameWire[Any, ActionT, Any, Any, Any]) -> Object[Record[ActionT]]:
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
        "seed": Text(1, LONGEST_SEED, required=True),
        "actions": _actions(wire, required=True),
    }
    return Object(StrictSchema.from_dict(members), Record)
