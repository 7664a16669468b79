"""How Splendor writes its actions: `+wug`, `+2r-k`, `R44`, `R?2`, `B17(2wk)N3`, `V2.1=44`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from splendor_api.games.notation import Notation, Reader, quoted
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
    TurnAction,
)
from splendor_api.games.splendor.components import CARDS, COLOR_LETTERS, LEVELS, NOBLES, SLOTS
from splendor_api.games.splendor.options import SEATS
from splendor_api.games.splendor.tokens import (
    GEMS,
    MOST_COLORS,
    MOST_TOKENS,
    NONE,
    Color,
    Tokens,
)

_LETTERS: Final = {color: COLOR_LETTERS[color.word] for color in Color}
_COLORS: Final = {letter: color for color, letter in _LETTERS.items()}
_GEMS: Final = {_LETTERS[color]: color for color in GEMS}
_OF_GEMS: Final = "".join(_GEMS)
_DIGITS: Final = "0123456789"
_OF_PILES: Final = "".join((*_DIGITS, *_COLORS))
_DEEDS: Final = ("+", "R", "B", "-", "N", "V", "P", "X")


def write(action: Action) -> str:
    """Return the action as it is written."""
    seat = "" if action.seat is None else f"{action.seat}:"
    return seat + _deed(action)


def read(reader: Reader) -> Action:
    """Read an action."""
    seat = None
    if reader.is_next_of(_DIGITS):
        seat = reader.number("seat", 0, SEATS[-1] - 1)
        reader.need(":")
    if reader.is_next("X"):
        if seat is None:
            raise reader.error("seat")
        reader.need("X")
        return Resign(seat, timeout=reader.takes("!"))
    for sign, read_deed in _READ.items():
        if reader.takes(sign):
            return read_deed(reader, seat)
    raise reader.error(*map(quoted, _DEEDS))


def _deed(action: Action) -> str:
    match action:
        case Resign(timeout=timeout):
            return "X!" if timeout else "X"
        case TakeDifferent(colors=colors):
            return f"+{''.join(_LETTERS[color] for color in colors)}{_rest(action)}"
        case TakeSame(color=color):
            return f"+2{_LETTERS[color]}{_rest(action)}"
        case Reserve(card=None, level=level):
            return f"R?{level}{_rest(action)}"
        case Reserve(card=card):
            return f"R{card}{_rest(action)}"
        case Buy(card=card, payment=paid):
            return f"B{card}{'' if paid is None else f'({_tokens(paid)})'}{_rest(action)}"
        case Pass():
            return f"P{_rest(action)}"
        case ReturnTokens() | ChooseNoble():
            return _rest(action)
        case Reveal(level=level, slot=slot, card=card):
            return f"V{level}.{slot}={card}"


def _rest(action: TurnAction) -> str:
    """Return what may come with an action, or is one: tokens that go back, a noble."""
    returned = "" if action.returned is None else f"-{_tokens(action.returned)}"
    return returned + ("" if action.noble is None else f"N{action.noble}")


def _tokens(tokens: Tokens) -> str:
    piles = [
        f"{count if count > 1 else ''}{_LETTERS[color]}"
        for color, count in zip(Color, tokens, strict=True)
        if count
    ]
    return "".join(piles) or "0"


def _read_take(reader: Reader, seat: int | None) -> Action:
    if reader.takes("2"):
        color = reader.one_of(_GEMS, "gem")
        return TakeSame(color, _read_returned(reader), _read_noble(reader), seat)
    colors = [reader.one_of(_GEMS, "gem")]
    while len(colors) < MOST_COLORS and reader.is_next_of(_OF_GEMS):
        colors.append(reader.one_of(_GEMS, "gem"))
    return TakeDifferent(tuple(colors), _read_returned(reader), _read_noble(reader), seat)


def _read_reserve(reader: Reader, seat: int | None) -> Action:
    card = level = None
    if reader.takes("?"):
        level = reader.number("level", LEVELS[0], LEVELS[-1])
    else:
        card = _read_card(reader)
    return Reserve(card, level, _read_returned(reader), _read_noble(reader), seat)


def _read_buy(reader: Reader, seat: int | None) -> Action:
    card, paid = _read_card(reader), None
    if reader.takes("("):
        paid = _read_tokens(reader)
        reader.need(")")
    return Buy(card, paid, _read_noble(reader), seat)


def _read_pass(reader: Reader, seat: int | None) -> Action:
    return Pass(_read_noble(reader), seat)


def _read_return(reader: Reader, seat: int | None) -> Action:
    return ReturnTokens(_read_tokens(reader), _read_noble(reader), seat)


def _read_choice(reader: Reader, seat: int | None) -> Action:
    return ChooseNoble(_read_id(reader), seat)


def _read_reveal(reader: Reader, seat: int | None) -> Action:
    level = reader.number("level", LEVELS[0], LEVELS[-1])
    reader.need(".")
    slot = reader.number("slot", 0, SLOTS - 1)
    reader.need("=")
    return Reveal(level, slot, _read_card(reader), seat)


_READ: Final[Mapping[str, Callable[[Reader, int | None], Action]]] = {
    "+": _read_take,
    "R": _read_reserve,
    "B": _read_buy,
    "P": _read_pass,
    "-": _read_return,
    "N": _read_choice,
    "V": _read_reveal,
}


def _read_card(reader: Reader) -> int:
    return reader.number("card", min(CARDS), max(CARDS))


def _read_id(reader: Reader) -> int:
    return reader.number("noble", min(NOBLES), max(NOBLES))


def _read_returned(reader: Reader) -> Tokens | None:
    return _read_tokens(reader) if reader.takes("-") else None


def _read_noble(reader: Reader) -> int | None:
    return _read_id(reader) if reader.takes("N") else None


def _read_tokens(reader: Reader) -> Tokens:
    """Read piles, each a letter with its count before it, a colour at most once; `0` for none."""
    if reader.takes("0"):
        return NONE
    counts: dict[Color, int] = {}
    while not counts or reader.is_next_of(_OF_PILES):
        before = reader.place
        count = reader.digits()
        if count is not None and not 1 <= count <= MOST_TOKENS:
            raise reader.error(f"count 1..{MOST_TOKENS}", place=before)
        left = {letter: color for letter, color in _COLORS.items() if color not in counts}
        color = reader.one_of(left, "color")
        counts[color] = 1 if count is None else count
    white, blue, green, red, black, gold = (counts.get(color, 0) for color in Color)
    return white, blue, green, red, black, gold


SPLENDOR_NOTATION: Final[Notation[Action]] = Notation(write, read)
