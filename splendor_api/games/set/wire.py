"""SET in JSON: schemas that load its states and actions, and what dumps them again.

Shape and bounds only; what may be done, the rules say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from splendor_api.games.protocol import Outcome
from splendor_api.games.set.actions import Action, Call, Claim, Forfeit, NoSet, Resign
from splendor_api.games.set.components import CARDS, SET_SIZE
from splendor_api.games.set.dump import (
    components,
    dump_action,
    dump_event,
    dump_outcome,
    dump_state,
)
from splendor_api.games.set.events import Event, Standing
from splendor_api.games.set.options import OPTIONS, RULESETS, SEATS, spelled_out
from splendor_api.games.set.scoring import REASONS
from splendor_api.games.set.state import FORMAT, PHASES, Player, State, Triple
from splendor_api.wire.faults import Fault, moved
from splendor_api.wire.fields import (
    Constant,
    Flag,
    Integer,
    Integers,
    Items,
    Leaf,
    Object,
    StrictField,
    StrictSchema,
    Tagged,
    Word,
    within,
)
from splendor_api.wire.game import GameWire, spelled_ruleset
from splendor_api.wire.readers import MISSING, Members, flag, integer, integers, items

LAST_CARD: Final = max(CARDS)
LAST_SEAT: Final = SEATS[-1] - 1
MOST_SETS: Final = LAST_CARD // SET_SIZE
MOST_SLOTS: Final = LAST_CARD
MOST_CALLS: Final = 1_000_000  # that a state may count


class StandingSchema(StrictSchema):
    """A seat's line in the ranking."""

    seat = Integer(0, LAST_SEAT, required=True)
    rank = Integer(1, SEATS[-1], required=True)
    score = Integer(-3 * MOST_CALLS, MOST_SETS, required=True)


class OutcomeSchema(StrictSchema):
    """Reason, winners and ranking."""

    reason = Word(tuple(REASONS), required=True)
    winners = Integers(0, LAST_SEAT, 0, SEATS[-1], required=True)
    ranking = Items(Object(StandingSchema, Standing), 1, SEATS[-1], required=True)


class TableField(Leaf[tuple[int | None, ...]]):
    """Slots: a card, or null where there is none any more."""

    def read(self, value: object, faults: list[Fault]) -> tuple[int | None, ...]:
        """Read the list of slots."""
        return tuple(
            None if card is None else integer(card, 1, LAST_CARD, f"/{slot}", faults)
            for slot, card in enumerate(items(value, 0, MOST_SLOTS, "", faults))
        )


class PlayersField(Leaf[tuple[Player, ...]]):
    """One to twenty players, in the order of seats."""

    members = Members("sets", "failed", "score", optional=("resigned",))

    def read(self, value: object, faults: list[Fault]) -> tuple[Player, ...]:
        """Read the list of players."""
        players = []
        for seat, entry in enumerate(items(value, SEATS[0], SEATS[-1], "", faults)):
            since = len(faults)
            players.append(self._player(entry, faults))
            moved(faults, since, seat)
        return tuple(players)

    def _player(self, value: object, faults: list[Fault]) -> Player:
        sets, failed, score, resigned = self.members.read(value, "", faults)
        won = tuple(
            _triple(triple, f"/sets/{number}", faults)
            for number, triple in enumerate(items(sets, 0, MOST_SETS, "/sets", faults))
        )
        return Player(
            won,
            integer(failed, 0, MOST_CALLS, "/failed", faults),
            integer(score, -3 * MOST_CALLS, MOST_SETS, "/score", faults),
            resigned is not MISSING and flag(resigned, "/resigned", faults),
        )


def _triple(value: object, pointer: str, faults: list[Fault]) -> Triple:
    cards = integers(value, 1, LAST_CARD, SET_SIZE, SET_SIZE, pointer, faults)
    first, second, third = cards if len(cards) == SET_SIZE else (1, 1, 1)
    return first, second, third


class CardsField(Leaf[Triple]):
    """Three cards, in the order of the request."""

    def read(self, value: object, faults: list[Fault]) -> Triple:
        """Read the list of cards."""
        return _triple(value, "", faults)


class StateSchema(StrictSchema):
    """A state of SET, every member spelled out."""

    game = Constant("set", required=True)
    format = Constant(FORMAT, required=True)
    ruleset = spelled_ruleset(
        RULESETS, {option.name: option.values for option in OPTIONS}, spelled_out
    )
    turn = Integer(0, MOST_CALLS, required=True)
    phase = Word(PHASES, required=True)
    to_act = Integer(0, LAST_SEAT, required=True, nullable=True)
    table = TableField(required=True)
    deck: StrictField[Any] = Integers(1, LAST_CARD, 0, LAST_CARD, required=True)
    no_set = Integers(0, LAST_SEAT, 0, SEATS[-1], required=True)
    outcome = Object(OutcomeSchema, Outcome, required=True, nullable=True)
    players = PlayersField(required=True)

    def build(self, data: dict[str, Any]) -> State:
        """Return the state."""
        ruleset, options = data["ruleset"]
        return State(
            ruleset,
            options,
            data["turn"],
            data["phase"],
            data["to_act"],
            data["table"],
            data["deck"],
            data["no_set"],
            data["outcome"],
            data["players"],
        )


class CountField(Leaf[int]):
    """A deck as everybody sees it: how many cards it has."""

    members = Members("count")

    def read(self, value: object, faults: list[Fault]) -> int:
        """Read `{count}`."""
        (count,) = self.members.read(value, "", faults)
        return integer(count, 0, LAST_CARD, "/count", faults)


class ObservationSchema(StateSchema):
    """A state as everybody sees it, which is what a sealed one shows (T45, T46)."""

    deck = CountField(required=True)


class SeatSchema(StrictSchema):
    """What every action carries: the seat that acts. There are no turns that could tell."""

    seat = Integer(0, LAST_SEAT, required=True)


class CallSchema(SeatSchema):
    """Nothing more."""

    def build(self, data: dict[str, Any]) -> Call:
        """Return the action."""
        return Call(**data)


class ClaimSchema(SeatSchema):
    """Three cards."""

    cards = CardsField(required=True)

    def build(self, data: dict[str, Any]) -> Claim:
        """Return the action."""
        return Claim(**data)


class ForfeitSchema(SeatSchema):
    """Nothing more."""

    def build(self, data: dict[str, Any]) -> Forfeit:
        """Return the action."""
        return Forfeit(**data)


class NoSetSchema(SeatSchema):
    """Nothing more."""

    def build(self, data: dict[str, Any]) -> NoSet:
        """Return the action."""
        return NoSet(**data)


class ResignSchema(SeatSchema):
    """Whether the seat was made to leave."""

    timeout = Flag()

    def build(self, data: dict[str, Any]) -> Resign:
        """Return the action."""
        return Resign(**data)


ACTION_SCHEMAS: Final = {
    Call.type: CallSchema,
    Claim.type: ClaimSchema,
    Forfeit.type: ForfeitSchema,
    NoSet.type: NoSetSchema,
    Resign.type: ResignSchema,
}


SET_WIRE: Final[GameWire[State, Action, Event, Outcome[Standing], Mapping[str, object]]] = GameWire(
    game="set",
    state=Object(StateSchema),
    action=Tagged(ACTION_SCHEMAS),
    options=Object(
        StrictSchema.from_dict({option.name: within(option.values) for option in OPTIONS})
    ),
    rulesets=tuple(RULESETS),
    fewest_seats=SEATS[0],
    most_seats=SEATS[-1],
    dump_state=dump_state,
    dump_action=dump_action,
    dump_event=dump_event,
    dump_outcome=dump_outcome,
    dump_preview=dict,
    components=components,
    observation=Object(ObservationSchema),
)
