"""The bodies of the rules API, made from any game's schemas.

A game hands over a `GameWire`; `Bodies.of` makes of it, once, a reader for the body of every call.
Each reads a whole request and names all its faults, those of the state and those of the action
together, or answers with a frozen value that nothing needs to be checked in again but the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar, cast

from splendor_api.wire.faults import CONFLICTING_FIELDS, REQUIRED, Fault, InvalidRequest
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
)

FORMAT: Final = 1
DEFAULT_RULESET: Final = "gamerules"
HIGHEST_SEAT: Final = 19  # twenty seats are the most of any game
LONGEST_SEED: Final = 128  # Unicode characters
LONGEST_NAME: Final = 64  # characters of a name that some other part resolves
LONGEST_CURSOR: Final = 512
MOST_ACTIONS: Final = 1_000  # in a replay
MOST_ITEMS: Final = 1_000  # in a batch

Secrecy = Literal["open"]
SECRECIES: Final[tuple[Secrecy, ...]] = ("open",)
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


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal asked for; without a `seed` the service draws one."""

    seats: int
    ruleset: str = DEFAULT_RULESET
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seed: str | None = None
    secrecy: Secrecy = "open"


@dataclass(frozen=True, slots=True)
class StateAndAction(Generic[StateT, ActionT]):
    """An action proposed in a state."""

    state: StateT
    action: ActionT


@dataclass(frozen=True, slots=True)
class LegalActions(Generic[StateT]):
    """A question for what may be done: by one `seat` or by any, from `cursor` on."""

    state: StateT
    detail: Detail = "choices"
    include_illegal: bool = False
    seat: int | None = None
    cursor: str | None = None


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
    """Actions from a state on, or a record: `state` is None exactly if `record` is not."""

    state: StateT | None = None
    actions: tuple[ActionT, ...] = ()
    record: Record[ActionT] | None = None


@dataclass(frozen=True, slots=True)
class Observe(Generic[StateT]):
    """A question for what `seat` sees, None being a spectator."""

    state: StateT
    seat: int | None
    solutions: bool = False


@dataclass(frozen=True, slots=True)
class Audit(Generic[StateT]):
    """A state to be audited."""

    state: StateT


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
        state = wire.state.but(required=True)
        proposal: Declared = {"state": state, "action": wire.action.but(required=True)}
        return cls(
            deal=Body(Deal, _deal(wire)),
            apply=Body(StateAndAction, proposal),
            check=Body(StateAndAction, proposal),
            legal_actions=Body(
                LegalActions,
                {
                    "state": state,
                    "detail": Word(DETAILS),
                    "include_illegal": Flag(),
                    "seat": Integer(0, HIGHEST_SEAT),
                    "cursor": Text(1, LONGEST_CURSOR, nullable=True),
                },
            ),
            replay=Body(
                Replay,
                {"state": wire.state.but(), "actions": _actions(wire), "record": _record(wire)},
                _ReplaySchema,
            ),
            observe=Body(
                Observe,
                {
                    "state": state,
                    "seat": Integer(0, HIGHEST_SEAT, required=True, nullable=True),
                    "solutions": Flag(),
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
