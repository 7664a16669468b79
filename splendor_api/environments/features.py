"""What a seat of Splendor sees, as numbers: the same places in every state, nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from splendor_api.environments.actions import HAND
from splendor_api.games.splendor.components import CARDS, NOBLES, SLOTS
from splendor_api.games.splendor.options import SEATS
from splendor_api.games.splendor.state import Player, Reserved, Slot, State, deck_size
from splendor_api.games.splendor.tokens import GEMS

MOST_SEATS: Final = SEATS[-1]
MOST_NOBLES: Final = len(NOBLES)
PHASES: Final = ("main", "return_tokens", "choose_noble", "over")

_CARD: Final = 4 + 2 * len(GEMS)
_NOBLE: Final = 2 + len(GEMS)
_PLAYER: Final = 15


class Part(NamedTuple):
    """A stretch of the observation: from `first` on, so many numbers, of `what`."""

    name: str
    first: int
    size: int
    what: str


def _parts() -> Iterator[Part]:
    first = 0
    for name, size, what in (
        ("phase", len(PHASES), "one of main, return_tokens, choose_noble, over"),
        ("to_act", MOST_SEATS, "the seat to act, counted from the observer"),
        ("table", 4, "final round, target prestige, token limit, seats"),
        ("bank", 6, "tokens by colour, gold last"),
        ("decks", 3, "cards in each deck"),
        ("market", 3 * SLOTS * _CARD, "cards by level and slot"),
        ("nobles", MOST_NOBLES * _NOBLE, "tiles by id: there, prestige, required bonuses"),
        (
            "players",
            MOST_SEATS * _PLAYER,
            "from the observer on: there, resigned, tokens, bonuses, prestige, cards",
        ),
        ("hands", MOST_SEATS * HAND * _CARD, "reserved cards, from the observer on"),
    ):
        yield Part(name, first, size, what)
        first += size


PARTS: Final = tuple(_parts())
LENGTH: Final = PARTS[-1].first + PARTS[-1].size
HIGHEST: Final = 100  # that any of the numbers can be


def features(seen: State, seat: int) -> list[int]:
    """Return what the seat sees, of a state with no more in it than that, as numbers."""
    seats = len(seen.players)
    around = [(seat + step) % seats for step in range(seats)]
    players = [seen.players[each] for each in around]
    absent = MOST_SEATS - seats
    acting = [int(each == seen.to_act) for each in around]
    options = seen.options
    return [
        *(int(phase == seen.phase) for phase in PHASES),
        *acting,
        *(0,) * absent,
        *(int(seen.final_round), options.target_prestige, options.token_limit, seats),
        *seen.bank,
        *map(deck_size, seen.decks),
        *(number for row in seen.market for slot in row for number in _slot(slot)),
        *(number for noble in sorted(NOBLES) for number in _noble(noble, seen.nobles)),
        *(number for player in players for number in _player(player)),
        *(0,) * (absent * _PLAYER),
        *(number for player in players for number in _hand(player.reserved)),
        *(0,) * (absent * HAND * _CARD),
    ]


def _slot(slot: Slot) -> tuple[int, ...]:
    return _card(slot) if isinstance(slot, int) else _NO_CARD


def _card(number: int) -> tuple[int, ...]:
    """Return a card: there, known, level, prestige, bonus by colour, cost by colour."""
    card = CARDS[number]
    bonus = (int(gem == card.bonus) for gem in GEMS)
    return (1, 1, card.level, card.points, *bonus, *card.cost)


_NO_CARD: Final = (0,) * _CARD


def _hand(reserved: Sequence[Reserved]) -> Iterator[int]:
    """Yield the cards of a hand, of those that are not seen the level."""
    for held in reserved:
        yield from (1, 0, held.level, *_NO_CARD[3:]) if held.card is None else _card(held.card)
    yield from _NO_CARD * (HAND - len(reserved))


def _noble(noble: int, nobles: Sequence[int]) -> tuple[int, ...]:
    if noble not in nobles:
        return (0,) * _NOBLE
    tile = NOBLES[noble]
    return (1, tile.points, *tile.required)


def _player(player: Player) -> tuple[int, ...]:
    return (
        1,
        int(player.resigned),
        *player.tokens,
        *player.bonuses,
        player.prestige,
        len(player.cards),
    )
