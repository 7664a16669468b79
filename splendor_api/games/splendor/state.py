"""The state of a game of Splendor, and what follows from it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from splendor_api.games.protocol import Outcome
from splendor_api.games.splendor.components import CARDS, LEVELS, NOBLES, Card
from splendor_api.games.splendor.events import Place, Standing
from splendor_api.games.splendor.options import Options
from splendor_api.games.splendor.tokens import (
    NO_GEMS,
    NONE,
    Gems,
    Tokens,
    beyond,
    with_one_more,
)

Phase = Literal["main", "return_tokens", "choose_noble", "reveal", "over"]
PHASES: tuple[Phase, ...] = ("main", "return_tokens", "choose_noble", "reveal", "over")

FORMAT: Final = 1
"""Of a state in JSON."""

UNKNOWN: Literal["unknown"] = "unknown"
"""A slot in which a card lies that the service has not been told."""

Slot = int | None | Literal["unknown"]
"""The card in a slot; `None` once the deck has run out (S17)."""

Row = tuple[Slot, Slot, Slot, Slot]
Market = tuple[Row, Row, Row]

Deck = tuple[int, ...] | int
"""Card ids, the last one on top, or how many cards there are, where they are not known."""

Decks = tuple[Deck, Deck, Deck]


class Reserved(NamedTuple):
    """A card in a hand; `card` is `None` where its face is not known.

    `hidden`: drawn unseen from a deck, or hidden from the observer (S77, S78).
    """

    card: int | None
    level: int
    hidden: bool


class Player(NamedTuple):
    """What lies before a seat; `bonuses` and `prestige` follow from cards and nobles."""

    tokens: Tokens
    cards: tuple[int, ...]
    reserved: tuple[Reserved, ...]
    nobles: tuple[int, ...]
    resigned: bool
    bonuses: Gems
    prestige: int

    # Made field by field: `_replace` takes three times as long, and every turn comes by here.

    def with_tokens(self, tokens: Tokens) -> Player:
        """Return the player with other tokens."""
        _, cards, reserved, nobles, resigned, bonuses, prestige = self
        return Player(tokens, cards, reserved, nobles, resigned, bonuses, prestige)

    def with_hand(self, reserved: tuple[Reserved, ...]) -> Player:
        """Return the player with more or less known of the reserved cards."""
        tokens, cards, _, nobles, resigned, bonuses, prestige = self
        return Player(tokens, cards, reserved, nobles, resigned, bonuses, prestige)

    def with_reserved(self, card: Reserved, tokens: Tokens) -> Player:
        """Return the player after reserving `card`, with what is then held."""
        _, cards, reserved, nobles, resigned, bonuses, prestige = self
        return Player(tokens, cards, (*reserved, card), nobles, resigned, bonuses, prestige)

    def with_card(self, card: Card, tokens: Tokens, reserved: tuple[Reserved, ...]) -> Player:
        """Return the player after buying `card`, with what is then held (S53)."""
        _, cards, _, nobles, resigned, bonuses, prestige = self
        after, points = with_one_more(bonuses, card.bonus), prestige + card.points
        return Player(tokens, (*cards, card.id), reserved, nobles, resigned, after, points)

    def with_noble(self, noble: int) -> Player:
        """Return the player after the visit of a noble (S67)."""
        tokens, cards, reserved, nobles, resigned, bonuses, prestige = self
        points = prestige + NOBLES[noble].points
        return Player(tokens, cards, reserved, (*nobles, noble), resigned, bonuses, points)


class State(NamedTuple):
    """A game in progress or over; the fields are those of its JSON form."""

    ruleset: str
    options: Options
    turn: int
    to_act: int | None
    phase: Phase
    drawn: Tokens | None
    final_round: bool
    outcome: Outcome[Standing] | None
    bank: Tokens
    market: Market
    decks: Decks
    nobles: tuple[int, ...]
    players: tuple[Player, ...]

    @property
    def seat(self) -> int:
        """Return the seat whose turn it is, also when the game is over (S89)."""
        return self.turn % len(self.players)

    @property
    def player(self) -> Player:
        """Return the player whose turn it is."""
        return self.players[self.turn % len(self.players)]


def player_of(
    tokens: Tokens = NONE,
    cards: tuple[int, ...] = (),
    reserved: tuple[Reserved, ...] = (),
    nobles: tuple[int, ...] = (),
    resigned: bool = False,
) -> Player:
    """Return a player, bonuses and prestige counted (S45, S68)."""
    worth = sum(map(_WORTH.__getitem__, cards))
    if nobles:
        worth += sum(NOBLES[noble].points for noble in nobles) << _POINTS
    white, blue, green, red, black, low, high = worth.to_bytes(7, "little")
    bonuses = white, blue, green, red, black
    return Player(tokens, cards, reserved, nobles, resigned, bonuses, low + 256 * high)


# What a bought card adds, as one number: a byte for the bonus of each colour, two above them for
# the prestige. So all cards are counted in one sum; nobody has as many as 256 of them.
_POINTS = 8 * len(NO_GEMS)
_WORTH = {card.id: (1 << 8 * card.bonus) + (card.points << _POINTS) for card in CARDS.values()}


def discounted_cost(card: Card, bonuses: Gems) -> Gems:
    """Return the gems that the card costs a player with these bonuses (S43, S44)."""
    return beyond(card.cost, bonuses)


# Every turn asks, and most turns change neither the tiles nor the bonuses.
@lru_cache(maxsize=1024)
def eligible_nobles(nobles: tuple[int, ...], bonuses: Gems) -> tuple[int, ...]:
    """Return those of `nobles` whose requirement the bonuses meet (S63), in their order."""
    return tuple(noble for noble in nobles if beyond(NOBLES[noble].required, bonuses) == NO_GEMS)


def is_concealed(held: Reserved, options: Options) -> bool:
    """Return whether a reserved card is one that only its holder sees (S77, S78)."""
    if held.card is None or options.reserve_visibility == "all_hidden":
        return True
    return held.hidden and options.reserve_visibility == "drawn_hidden"


def deck_size(deck: Deck) -> int:
    """Return how many cards a deck has, known or not."""
    return deck if isinstance(deck, int) else len(deck)


def has_known_decks(state: State) -> bool:
    """Return whether the cards in the decks are known; all three are, or none."""
    return not isinstance(state.decks[0], int)


def owed_reveals(market: Market) -> tuple[Place, ...]:
    """Return the slots whose card is not known yet, in order."""
    return tuple(
        Place(level, slot)
        for level, row in zip(LEVELS, market, strict=True)
        if UNKNOWN in row
        for slot, card in enumerate(row)
        if card == UNKNOWN
    )


def face_up(market: Market) -> list[int]:
    """Return the face-up cards, level by level, slot by slot."""
    first, second, third = market
    cards: list[Any] = [*first, *second, *third]
    if None in cards or UNKNOWN in cards:
        return [card for card in cards if isinstance(card, int)]
    return cards


def place_of(market: Market, card: int) -> Place | None:
    """Return the slot in which the card lies face up."""
    level = CARDS[card].level
    row = market[level - 1]
    return Place(level, row.index(card)) if card in row else None


def with_slot(market: Market, place: Place, content: Slot) -> Market:
    """Return the market with something else in one slot."""
    a, b, c = market
    level, slot = place
    first, second, third, fourth = market[level - 1]
    if slot == 0:
        changed = (content, second, third, fourth)
    elif slot == 1:
        changed = (first, content, third, fourth)
    elif slot == 2:
        changed = (first, second, content, fourth)
    else:
        changed = (first, second, third, content)
    if level == 1:
        return changed, b, c
    if level == 2:
        return a, changed, c
    return a, b, changed


def with_deck(decks: Decks, level: int, deck: Deck) -> Decks:
    """Return the decks with another deck of one level."""
    a, b, c = decks
    if level == 1:
        return deck, b, c
    if level == 2:
        return a, deck, c
    return a, b, deck


def with_player(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    """Return the players with another one in a seat."""
    return (*players[:seat], player, *players[seat + 1 :])


def seats_left(state: State) -> tuple[int, ...]:
    """Return the seats that have not resigned."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.resigned)


def cards_in_play(state: State) -> frozenset[int]:
    """Return every card whose place is known: face up, bought, in a hand or in a deck."""
    known = set(face_up(state.market))
    for player in state.players:
        known.update(player.cards)
        known.update(held.card for held in player.reserved if held.card is not None)
    for deck in state.decks:
        if not isinstance(deck, int):
            known.update(deck)
    return frozenset(known)
