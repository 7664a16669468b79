"""What may be asked of the service: each body of a request as a frozen value, and its bounds.

`bodies.py` makes these values of JSON. Nothing needs to be checked in one again but the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar

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
