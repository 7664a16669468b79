"""Splendor in JSON: schemas that load its states and actions, functions that dump them.

Shape and bounds only; what may be done, the rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast, get_args

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
from splendor_api.games.splendor.components import (
    CARDS,
    COLOR_LETTERS,
    GEM_NAMES,
    LEVELS,
    NOBLES,
    SLOTS,
)
from splendor_api.games.splendor.decoder import FORMAT, LONGEST_GAME, state_of
from splendor_api.games.splendor.events import (
    CardBought,
    CardReserved,
    CardsShown,
    Event,
    GameOver,
    RevealOwed,
    Standing,
)
from splendor_api.games.splendor.options import (
    OPTIONS,
    RULESETS,
    SEATS,
    option_map,
    spelled_out,
)
from splendor_api.games.splendor.scoring import REASONS
from splendor_api.games.splendor.state import (
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
    gem_map,
    token_map,
)
from splendor_api.wire.faults import CONFLICTING_FIELDS, NOT_ONE_OF, REQUIRED, Fault, moved
from splendor_api.wire.fields import (
    MISSING,
    Constant,
    Counts,
    Flag,
    Integer,
    Integers,
    Items,
    Leaf,
    Members,
    Object,
    StrictSchema,
    Tagged,
    Word,
    counts,
    exactly_one,
    flag,
    integer,
    integers,
    items,
    within,
    word,
)
from splendor_api.wire.game import GameWire, spelled_ruleset

LAST_CARD: Final = max(CARDS)
LAST_NOBLE: Final = max(NOBLES)
LAST_SEAT: Final = SEATS[-1] - 1
LEVEL_WORDS: Final = tuple(map(str, LEVELS))
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


def dump_state(state: State) -> dict[str, object]:
    """Return the state as JSON values."""
    return {
        "game": "splendor",
        "format": FORMAT,
        "ruleset": {"name": state.ruleset, "options": option_map(state.options)},
        "turn": state.turn,
        "to_act": state.to_act,
        "phase": state.phase,
        "drawn": None if state.drawn is None else token_map(state.drawn),
        "final_round": state.final_round,
        "outcome": None if state.outcome is None else dump_outcome(state.outcome),
        "bank": token_map(state.bank),
        "market": dict(zip(LEVEL_WORDS, state.market, strict=True)),
        "decks": _dump_decks(state.decks),
        "nobles": state.nobles,
        "players": [_dump_player(player) for player in state.players],
    }


def dump_outcome(outcome: Outcome[Standing]) -> dict[str, object]:
    """Return the outcome as JSON values."""
    return {
        "reason": outcome.reason,
        "winners": outcome.winners,
        "ranking": [standing._asdict() for standing in outcome.ranking],
    }


def dump_action(action: Action) -> dict[str, object]:
    """Return the action as JSON values, without what it does not carry."""
    dumped: dict[str, object] = {"type": action.type}
    for name, member, plain in _ACTION_MEMBERS[type(action)]:
        value = getattr(action, name)
        if value is not None:
            dumped[member] = value if plain is None else plain(value)
    return dumped


def dump_event(event: Event) -> dict[str, object]:
    """Return the event as JSON values."""
    match event:
        case CardReserved(card=None):
            dumped = _event_map(event)
            del dumped["card"]
            return dumped
        case CardBought(place=None):
            dumped = _event_map(event)
            del dumped["place"]
            return dumped
        case RevealOwed():
            return _event_map(event) | {"slots": [place._asdict() for place in event.slots]}
        case CardsShown():
            reserved = [_dump_hand(hand) for hand in event.reserved]
            return {"type": event.type, "decks": _dump_decks(event.decks), "reserved": reserved}
        case GameOver():
            return {"type": event.type, "outcome": dump_outcome(event.outcome)}
        case _:
            return _event_map(event)


def components() -> dict[str, object]:
    """Return colours, cards and tiles as JSON values."""
    return {
        "colors": [
            {"color": name, "letter": COLOR_LETTERS[name], "gem": GEM_NAMES[name]}
            for name in COLOR_WORDS
        ],
        "cards": [
            {
                "id": card.id,
                "level": card.level,
                "bonus": card.bonus.word,
                "points": card.points,
                "cost": gem_map(card.cost),
            }
            for card in CARDS.values()
        ],
        "nobles": [
            {
                "id": noble.id,
                "points": noble.points,
                "requires": gem_map(noble.required),
                "name": noble.name,
            }
            for noble in NOBLES.values()
        ],
    }


_MEMBERS: Final = {("", "returned"): "return", (ReturnTokens.type, "returned"): "tokens"}
"""Where a member's name in JSON is not the field's: of one type of action, or of any."""

_PLAIN: Final[Mapping[str, Callable[[Any], object]]] = {
    "returned": token_map,
    "payment": token_map,
    "tokens": token_map,
    "colors": lambda colors: [COLOR_WORDS[color] for color in colors],
    "color": COLOR_WORDS.__getitem__,
}
"""What makes a field JSON, by its name in actions and events; other fields are it already."""


def _members_of(action: type[Action]) -> tuple[_Member, ...]:
    return tuple(
        (name, _MEMBERS.get((action.type, name), _MEMBERS.get(("", name), name)), _PLAIN.get(name))
        for name in action.__slots__
    )


_Member = tuple[str, str, Callable[[Any], object] | None]
"""A field's name, its name in JSON, and what makes it JSON."""

_ACTION_MEMBERS: Final = {kind: _members_of(kind) for kind in get_args(Action)}


def _event_map(event: Event) -> dict[str, object]:
    dumped: dict[str, object] = {"type": event.type}
    for name in event.__slots__:
        value = getattr(event, name)
        dumped[name] = _PLAIN[name](value) if name in _PLAIN else value
    return dumped


def _dump_decks(decks: tuple[Deck, ...]) -> dict[str, object]:
    return {
        level: {"count": deck} if isinstance(deck, int) else deck
        for level, deck in zip(LEVEL_WORDS, decks, strict=True)
    }


def _dump_player(player: Player) -> dict[str, object]:
    tokens, cards, reserved, nobles, resigned, _, _ = player
    return {
        "tokens": token_map(tokens),
        "cards": cards,
        "reserved": _dump_hand(reserved) if reserved else (),
        "nobles": nobles,
        "resigned": resigned,
    }


def _dump_hand(hand: Iterable[tuple[int | None, int, bool]]) -> list[dict[str, object]]:
    return [
        {"level": level, "hidden": hidden} if card is None else {"card": card, "hidden": hidden}
        for card, level, hidden in hand
    ]


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
