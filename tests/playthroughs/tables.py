"""What lies on the table of each game, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from splendor_api.games.set.components import CARDS as SET_CARDS
from splendor_api.games.set.state import State as SetState
from splendor_api.games.set.state import deck_size as set_deck_size
from splendor_api.games.splendor.components import CARDS, COLOR_LETTERS, LEVELS
from splendor_api.games.splendor.state import Reserved, State, deck_size
from splendor_api.games.splendor.tokens import COLOR_WORDS, GEM_WORDS

LETTERS: Final = tuple(COLOR_LETTERS[word] for word in COLOR_WORDS)
ROW: Final = 3  # cards of SET in a column; rows lie below each other


def splendor(state: State) -> Iterator[str]:
    """Yield a line for the bank, each level and each seat."""
    phase = f"{state.phase}, final round" if state.final_round else state.phase
    bank = tokens(state.bank)
    yield f"  turn {state.turn}, {phase}; bank {bank}; nobles {listed(state.nobles)}"
    for level in reversed(LEVELS):
        row = "  ".join(_card(card) for card in state.market[level - 1])
        yield f"  {level} ({deck_size(state.decks[level - 1]):2}): {row}"
    for seat, player in enumerate(state.players):
        bonuses = tokens(player.bonuses)
        reserved = " ".join(map(_reserved, player.reserved)) or "-"
        line = (
            f"  {seat}: {player.prestige:2} points; tokens {tokens(player.tokens)}; "
            f"bonuses {bonuses}; reserved {reserved}; nobles {listed(player.nobles)}"
        )
        yield f"{line}; resigned" if player.resigned else line


def tokens(counts: tuple[int, ...]) -> str:
    """Return the counts that are not 0, each before the letter of its colour."""
    named = zip(counts, LETTERS, strict=False)
    return "".join(f"{count}{letter}" for count, letter in named if count) or "-"


def _card(slot: object) -> str:
    """Return a card with its bonus, its points and its cost."""
    if not isinstance(slot, int):
        return "(empty)"
    card = CARDS[slot]
    bonus = COLOR_LETTERS[GEM_WORDS[card.bonus]]
    return f"{card.id}:{bonus}{card.points}({tokens(card.cost)})"


def _reserved(held: Reserved) -> str:
    return f"{held.card}{'*' if held.hidden else ''}"


def set_table(state: SetState) -> Iterator[str]:
    """Yield a line for the phase, each three slots and each seat."""
    caller = "" if state.to_act is None else f" by {state.to_act}"
    said = f"; no set, say {listed(state.no_set)}" if state.no_set else ""
    yield f"  turn {state.turn}, {state.phase}{caller}; deck {set_deck_size(state.deck)}{said}"
    for first in range(0, len(state.table), ROW):
        cards = state.table[first : first + ROW]
        yield f"  {first:2}: " + "  ".join(map(_set_card, cards))
    for seat, player in enumerate(state.players):
        sets = " ".join(map(listed, player.sets)) or "-"
        line = f"  {seat}: score {player.score}; failed {player.failed}; sets {sets}"
        yield f"{line}; resigned" if player.resigned else line


def _set_card(card: int | None) -> str:
    """Return a card with its number and the first letters of shading, colour and shape."""
    if card is None:
        return "(empty)"
    face = SET_CARDS[card]
    shading = {"solid": "f", "striped": "s", "open": "o"}[face.shading]
    return f"{card}:{face.number}{shading}{face.color[0]}{face.shape[0]}"


def listed(values: Iterable[object]) -> str:
    """Return values in brackets."""
    return "[" + " ".join(map(str, values)) + "]"


TABLES: Final[Mapping[str, Callable[[Any], Iterator[str]]]] = {
    "splendor": splendor,
    "set": set_table,
}
