"""Splendor in JSON: schemas that load its states and actions, and what dumps them again.

Shape and bounds only; what may be done, the rules say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from splendor_api.games.protocol import Outcome
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Pass,
    Reserve,
    Resign,
    ReturnTokens,
    Reveal,
    TakeDifferent,
    TakeSame,
)
from splendor_api.games.splendor.components import CARDS, LEVELS, NOBLES, SLOTS
from splendor_api.games.splendor.decoder import LONGEST_GAME, state_of
from splendor_api.games.splendor.dump import (
    LEVEL_WORDS,
    components,
    dump_action,
    dump_event,
    dump_outcome,
    dump_state,
)
from splendor_api.games.splendor.events import Event, Standing
from splendor_api.games.splendor.options import OPTIONS, RULESETS, SEATS, spelled_out
from splendor_api.games.splendor.scoring import REASONS
from splendor_api.games.splendor.state import (
    FORMAT,
    PHASES,
    UNKNOWN,
    Deck,
    Decks,
    Market,
    Player,
    Reserved,
    Row,
    Slot,
    State,
    player_of,
)
from splendor_api.games.splendor.tokens import (
    COLOR_WORDS,
    GEM_WORDS,
    MOST_COLORS,
    MOST_TOKENS,
    Color,
    Tokens,
)
from splendor_api.wire.faults import CONFLICTING_FIELDS, NOT_ONE_OF, REQUIRED, Fault, moved
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
    Word,
    exactly_one,
    within,
)
from splendor_api.wire.game import GameWire, spelled_ruleset
from splendor_api.wire.readers import MISSING, Members, counts, flag, integer, integers, items, word

LAST_CARD: Final = max(CARDS)
LAST_NOBLE: Final = max(NOBLES)
LAST_SEAT: Final = SEATS[-1] - 1
GEM_COLORS: Final = {name: Color(place) for place, name in enumerate(GEM_WORDS)}


def _tokens(**presence: Any) -> Counts:
    return Counts(COLOR_WORDS, MOST_TOKENS, **presence)


class StandingSchema(StrictSchema):
    """A seat's line in the ranking."""

    seat = Integer(0, LAST_SEAT, required=True)
    rank = Integer(1, SEATS[-1], required=True)
    prestige = Integer(0, 1000, required=True)
    cards = Integer(0, LAST_CARD, required=True)


class OutcomeSchema(StrictSchema):
    """Reason, winners and ranking."""

    reason = Word(tuple(REASONS), required=True)
    winners = Integers(0, LAST_SEAT, 1, SEATS[-1], required=True)
    ranking = Items(Object(StandingSchema, Standing), 1, SEATS[-1], required=True)


class MarketField(Leaf[Market]):
    """Three rows of four slots: a card, null, or "unknown"."""

    levels = Members(*LEVEL_WORDS)

    def read(self, value: object, faults: list[Fault]) -> Market:
        """Read `{"1": [...], "2": [...], "3": [...]}`."""
        first, second, third = self.levels.read(value, "", faults)
        return (
            _row(first, "/1", faults),
            _row(second, "/2", faults),
            _row(third, "/3", faults),
        )


def _row(value: object, pointer: str, faults: list[Fault]) -> Row:
    slots = items(value, SLOTS, SLOTS, pointer, faults)
    # All at once where nothing is wrong; one by one only to name what is.
    if not (_SLOT_TYPES.issuperset(map(type, slots)) and _SLOT_VALUES.issuperset(slots)):
        for place, slot in enumerate(slots):
            _judge_slot(slot, f"{pointer}/{place}", faults)
    if len(slots) != SLOTS:
        return None, None, None, None
    first, second, third, fourth = slots
    return first, second, third, fourth


def _judge_slot(value: object, pointer: str, faults: list[Fault]) -> None:
    if isinstance(value, str):
        word(value, (UNKNOWN,), pointer, faults)
    elif value is not None:
        integer(value, 1, LAST_CARD, pointer, faults)


_SLOT_TYPES: Final = frozenset({int, str, type(None)})
_SLOT_VALUES: Final[frozenset[Slot]] = frozenset({None, UNKNOWN, *CARDS})


class DecksField(Leaf[Decks]):
    """Three decks, all of them lists of cards or all of them counts."""

    levels = Members(*LEVEL_WORDS)
    count = Members("count")

    def read(self, value: object, faults: list[Fault]) -> Decks:
        """Read `{"1": [...], ...}` or `{"1": {"count": n}, ...}`."""
        since = len(faults)
        first, second, third = self.levels.read(value, "", faults)
        decks = (
            self._deck(first, "/1", faults),
            self._deck(second, "/2", faults),
            self._deck(third, "/3", faults),
        )
        if len(faults) == since and len({isinstance(deck, int) for deck in decks}) > 1:
            faults.append(CONFLICTING_FIELDS.at(fields=LEVEL_WORDS))
        return decks

    def _deck(self, value: object, pointer: str, faults: list[Fault]) -> Deck:
        if isinstance(value, dict):
            (count,) = self.count.read(value, pointer, faults)
            return integer(count, 0, LAST_CARD, f"{pointer}/count", faults)
        return integers(value, 1, LAST_CARD, 0, LAST_CARD, pointer, faults)


class PlayersField(Leaf[tuple[Player, ...]]):
    """Two to four players, in the order of seats."""

    members = Members("tokens", "cards", "reserved", "nobles", optional=("resigned",))

    def read(self, value: object, faults: list[Fault]) -> tuple[Player, ...]:
        """Read the list of players."""
        players = []
        for seat, entry in enumerate(items(value, SEATS[0], SEATS[-1], "", faults)):
            since = len(faults)
            player = self._player(entry, faults)
            if len(faults) > since:
                moved(faults, since, seat)
            else:
                players.append(player)
        return tuple(players)

    def _player(self, value: object, faults: list[Fault]) -> Player:
        since = len(faults)
        tokens, cards, reserved, nobles, resigned = self.members.read(value, "", faults)
        held = counts(tokens, COLOR_WORDS, MOST_TOKENS, "/tokens", faults)
        bought = integers(cards, 1, LAST_CARD, 0, LAST_CARD, "/cards", faults)
        hand = HAND.read(reserved, faults)
        visitors = integers(nobles, 1, LAST_NOBLE, 0, LAST_NOBLE, "/nobles", faults)
        is_out = resigned is not MISSING and flag(resigned, "/resigned", faults)
        # After a fault the value is dropped, and its parts may not be what they seem.
        if len(faults) > since:
            return player_of()
        return player_of(cast("Tokens", held), bought, hand, visitors, is_out)


class HandField(Leaf[tuple[Reserved, ...]]):
    """A hand of reserved cards, as a member `reserved` of a player."""

    members = Members("hidden", optional=("card", "level"))

    def read(self, value: object, faults: list[Fault]) -> tuple[Reserved, ...]:
        """Read a list of `{card, hidden}` or `{level, hidden: true}`."""
        hand = []
        for place, entry in enumerate(items(value, 0, LAST_CARD, "/reserved", faults)):
            since = len(faults)
            hand.append(self._reserved(entry, faults))
            if len(faults) > since:
                moved(faults, since, place)
                moved(faults, since, "reserved")
        return tuple(hand)

    def _reserved(self, value: object, faults: list[Fault]) -> Reserved:
        if type(value) is dict and len(value) == len(_PLAIN_RESERVED):
            card, hidden = value.get("card"), value.get("hidden")
            if type(card) is int and card in CARDS and type(hidden) is bool:
                return Reserved(card, CARDS[card].level, hidden)
        return self._judge(value, faults)

    def _judge(self, value: object, faults: list[Fault]) -> Reserved:
        hidden, card, level = self.members.read(value, "", faults)
        is_hidden = flag(hidden, "/hidden", faults)
        if card is not MISSING:
            if level is not MISSING:
                faults.append(CONFLICTING_FIELDS.at(fields=("card", "level")))
            number = integer(card, 1, LAST_CARD, "/card", faults)
            return Reserved(number, CARDS[number].level if number in CARDS else 1, is_hidden)
        if level is MISSING:
            if isinstance(value, dict):
                faults.append(REQUIRED.at(fields=("card", "level")))
            return Reserved(None, 1, is_hidden)
        if hidden is False:
            faults.append(NOT_ONE_OF.at("/hidden", value=False, allowed=(True,)))
        return Reserved(None, integer(level, LEVELS[0], LEVELS[-1], "/level", faults), is_hidden)


HAND: Final = HandField()
_PLAIN_RESERVED: Final = ("card", "hidden")  # how nearly every reserved card is written


class StateSchema(StrictSchema):
    """A state of Splendor, every member spelled out."""

    game = Constant("splendor", required=True)
    format = Constant(FORMAT, required=True)
    ruleset = spelled_ruleset(
        RULESETS, {option.name: option.values for option in OPTIONS}, spelled_out
    )
    turn = Integer(0, LONGEST_GAME, required=True)
    to_act = Integer(0, LAST_SEAT, required=True, nullable=True)
    phase = Word(PHASES, required=True)
    drawn = _tokens(required=True, nullable=True)
    final_round = Flag(required=True)
    outcome = Object(OutcomeSchema, Outcome, required=True, nullable=True)
    bank = _tokens(required=True)
    market = MarketField(required=True)
    decks = DecksField(required=True)
    nobles = Integers(1, LAST_NOBLE, 0, LAST_NOBLE, required=True)
    players = PlayersField(required=True)

    def at_once(self, value: object) -> State | None:
        """Return the state, if it is written as most are."""
        return state_of(value)

    def build(self, data: dict[str, Any]) -> State:
        """Return the state."""
        ruleset, options = data["ruleset"]
        return State(
            ruleset,
            options,
            data["turn"],
            data["to_act"],
            data["phase"],
            data["drawn"],
            data["final_round"],
            data["outcome"],
            data["bank"],
            data["market"],
            data["decks"],
            data["nobles"],
            data["players"],
        )


class ActionSchema(StrictSchema):
    """What every action may carry: the seat that acts."""

    seat = Integer(0, LAST_SEAT)


class TakeDifferentSchema(ActionSchema):
    """One to five gem colours. Which of them may be taken, the rules say."""

    colors = Items(Word(GEM_WORDS), 1, MOST_COLORS, required=True)
    returned = _tokens(data_key="return")
    noble = Integer(1, LAST_NOBLE)

    def build(self, data: dict[str, Any]) -> TakeDifferent:
        """Return the action."""
        colors = tuple(GEM_COLORS[name] for name in data.pop("colors"))
        return TakeDifferent(colors, **data)


class TakeSameSchema(ActionSchema):
    """A gem colour."""

    color = Word(GEM_WORDS, required=True)
    returned = _tokens(data_key="return")
    noble = Integer(1, LAST_NOBLE)

    def build(self, data: dict[str, Any]) -> TakeSame:
        """Return the action."""
        return TakeSame(GEM_COLORS[data.pop("color")], **data)


class ReserveSchema(ActionSchema):
    """A face-up card, or the level of a deck."""

    card = Integer(1, LAST_CARD)
    level = Integer(LEVELS[0], LEVELS[-1])
    returned = _tokens(data_key="return")
    noble = Integer(1, LAST_NOBLE)

    def contradictions(self, given: Mapping[str, object]) -> Any:
        """Ask for exactly one of card and level."""
        return exactly_one(given, "card", "level")

    def build(self, data: dict[str, Any]) -> Reserve:
        """Return the action."""
        return Reserve(**data)


class BuySchema(ActionSchema):
    """A card, and how it is paid for."""

    card = Integer(1, LAST_CARD, required=True)
    payment = _tokens()
    noble = Integer(1, LAST_NOBLE)

    def build(self, data: dict[str, Any]) -> Buy:
        """Return the action."""
        return Buy(**data)


class PassSchema(ActionSchema):
    """Nothing but perhaps a noble."""

    noble = Integer(1, LAST_NOBLE)

    def build(self, data: dict[str, Any]) -> Pass:
        """Return the action."""
        return Pass(**data)


class ResignSchema(StrictSchema):
    """The seat that leaves."""

    seat = Integer(0, LAST_SEAT, required=True)
    timeout = Flag()

    def build(self, data: dict[str, Any]) -> Resign:
        """Return the action."""
        return Resign(**data)


class ReturnTokensSchema(ActionSchema):
    """The tokens that go back."""

    returned = _tokens(data_key="tokens", required=True)
    noble = Integer(1, LAST_NOBLE)

    def build(self, data: dict[str, Any]) -> ReturnTokens:
        """Return the action."""
        return ReturnTokens(**data)


class ChooseNobleSchema(ActionSchema):
    """The noble that comes."""

    noble = Integer(1, LAST_NOBLE, required=True)

    def build(self, data: dict[str, Any]) -> ChooseNoble:
        """Return the action."""
        return ChooseNoble(**data)


class RevealSchema(ActionSchema):
    """A slot, and the card that lies in it."""

    level = Integer(LEVELS[0], LEVELS[-1], required=True)
    slot = Integer(0, SLOTS - 1, required=True)
    card = Integer(1, LAST_CARD, required=True)

    def build(self, data: dict[str, Any]) -> Reveal:
        """Return the action."""
        return Reveal(**data)


ACTION_SCHEMAS: Final = {
    TakeDifferent.type: TakeDifferentSchema,
    TakeSame.type: TakeSameSchema,
    Reserve.type: ReserveSchema,
    Buy.type: BuySchema,
    Pass.type: PassSchema,
    Resign.type: ResignSchema,
    ReturnTokens.type: ReturnTokensSchema,
    ChooseNoble.type: ChooseNobleSchema,
    Reveal.type: RevealSchema,
}


SPLENDOR_WIRE: Final[GameWire[State, Action, Event, Outcome[Standing], Mapping[str, object]]] = (
    GameWire(
        game="splendor",
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
    )
)
