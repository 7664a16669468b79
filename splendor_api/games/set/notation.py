"""How SET writes its actions, each with its seat: `0:C`, `2:S1.14.27`, `0:F`, `1:N`, `1:X`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from splendor_api.games.notation import Notation, Reader, quoted
from splendor_api.games.set.actions import Action, Call, Claim, Forfeit, NoSet, Resign
from splendor_api.games.set.components import CARDS
from splendor_api.games.set.options import SEATS

_SIGNS: Final[Mapping[type[Call | Forfeit | NoSet], str]] = {Call: "C", Forfeit: "F", NoSet: "N"}
_DEEDS: Final = ("C", "S", "F", "N", "X")


def write(action: Action) -> str:
    """Return the action as it is written."""
    match action:
        case Claim(cards=cards):
            deed = f"S{'.'.join(map(str, cards))}"
        case Resign(timeout=timeout):
            deed = "X!" if timeout else "X"
        case Call() | Forfeit() | NoSet():
            deed = _SIGNS[type(action)]
    return f"{action.seat}:{deed}"


def read(reader: Reader) -> Action:
    """Read an action."""
    seat = reader.number("seat", 0, SEATS[-1] - 1)
    reader.need(":")
    if reader.takes("S"):
        return Claim(seat, _read_cards(reader))
    if reader.takes("X"):
        return Resign(seat, timeout=reader.takes("!"))
    for kind, sign in _SIGNS.items():
        if reader.takes(sign):
            return kind(seat)
    raise reader.error(*map(quoted, _DEEDS))


def _read_cards(reader: Reader) -> tuple[int, int, int]:
    first = _read_card(reader)
    reader.need(".")
    second = _read_card(reader)
    reader.need(".")
    return first, second, _read_card(reader)


def _read_card(reader: Reader) -> int:
    return reader.number("card", min(CARDS), max(CARDS))


SET_NOTATION: Final[Notation[Action]] = Notation(write, read)
