"""Every option of Splendor: its values, its default in each ruleset, its meaning, its rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from splendor_api.games.protocol import Option, Value

SEATS = range(2, 5)  # S5
RULESETS: Mapping[str, str] = {
    "gamerules": "The project's own source rules.",
    "publisher": "The rulebook in the box.",
}

TakeFewer = Literal["when_scarce", "never", "always"]
GoldPayment = Literal["free", "needed_only"]
Returns = Literal["any", "drawn"]
Passing = Literal["when_stuck", "never", "always"]
ReserveVisibility = Literal["drawn_hidden", "all_hidden", "open"]
TieBreak = Literal["shared", "fewest_cards"]


class Options(NamedTuple):
    """A value for every option: what a state is played under."""

    target_prestige: int
    token_limit: int
    reserve_limit: int
    gems_per_color: int
    gold_tokens: int
    nobles_revealed: int
    take_fewer: TakeFewer
    take_two_minimum: int
    reserve_without_gold: bool
    gold_payment: GoldPayment
    returns: Returns
    passing: Passing
    reserve_visibility: ReserveVisibility
    tie_break: TieBreak


def _both(default: Value | Mapping[int, Value]) -> Mapping[str, Value | Mapping[int, Value]]:
    return dict.fromkeys(RULESETS, default)


OPTIONS = (
    Option(
        "target_prestige",
        values=range(1, 51),
        defaults=_both(15),
        says="Prestige that starts the final round.",
        rules=("S69",),
    ),
    Option(
        "token_limit",
        values=range(3, 51),
        defaults=_both(10),
        says="Most tokens, gold included, a player may hold at the end of a turn.",
        rules=("S55", "S56"),
    ),
    Option(
        "reserve_limit",
        values=range(11),
        defaults=_both(3),
        says="Most reserved cards in a hand; 0 takes the action out of the game.",
        rules=("S34",),
    ),
    Option(
        "gems_per_color",
        values=range(1, 21),
        defaults=_both({2: 4, 3: 5, 4: 7}),
        says="Gem tokens of each colour in the game.",
        rules=("S4", "S6"),
    ),
    Option(
        "gold_tokens",
        values=range(21),
        defaults={"gamerules": {2: 0, 3: 0, 4: 5}, "publisher": 5},
        says="Gold tokens in the game.",
        rules=("S4", "S7"),
    ),
    Option(
        "nobles_revealed",
        values=range(11),
        defaults=_both({seats: seats + 1 for seats in SEATS}),
        says="Noble tiles on the table at the start.",
        rules=("S10",),
    ),
    Option(
        "take_fewer",
        values=("when_scarce", "never", "always"),
        defaults=_both("when_scarce"),
        says="Whether fewer than three different gem tokens may be taken: only if fewer colours "
        "are available, never, or at will.",
        rules=("S24", "S25", "S26"),
    ),
    Option(
        "take_two_minimum",
        values=range(2, 21),
        defaults=_both(4),
        says="Gem tokens of a colour the bank must hold for two of it to be taken.",
        rules=("S28",),
    ),
    Option(
        "reserve_without_gold",
        values=(False, True),
        defaults=_both(True),
        says="Whether a card may be reserved while the bank has no gold. Where gold_tokens is 0 "
        "it always may, whatever this option says.",
        rules=("S36",),
    ),
    Option(
        "gold_payment",
        values=("free", "needed_only"),
        defaults=_both("free"),
        says="Whether gold may be spent although the player's own gem tokens would do.",
        rules=("S49", "S50"),
    ),
    Option(
        "returns",
        values=("any", "drawn"),
        defaults=_both("any"),
        says="Which tokens may go back when the limit is exceeded: any held, or only those drawn "
        "in this turn.",
        rules=("S57",),
    ),
    Option(
        "pass",
        values=("when_stuck", "never", "always"),
        defaults=_both("when_stuck"),
        says="Whether a player may pass: only without any other legal action, never (a stuck "
        "player is skipped), or in any turn.",
        rules=("S19", "S20", "S21", "S22"),
    ),
    Option(
        "reserve_visibility",
        values=("drawn_hidden", "all_hidden", "open"),
        defaults=_both("drawn_hidden"),
        says="Which reserved cards the other seats do not see: those drawn from a deck, every "
        "one, or none.",
        rules=("S77", "S78"),
    ),
    Option(
        "tie_break",
        values=("shared", "fewest_cards"),
        defaults={"gamerules": "shared", "publisher": "fewest_cards"},
        says="Who wins among those level on prestige: all of them, or the one with the fewest "
        "bought cards.",
        rules=("S73", "S74"),
    ),
)
OPTION_NAMES = tuple(option.name for option in OPTIONS)


def resolve(ruleset: str, seats: int, given: Mapping[str, Value]) -> Options:
    """Return every option: as `given`, else as `ruleset` has it for so many seats."""
    return spelled_out(
        {option.name: given.get(option.name, option.default(ruleset, seats)) for option in OPTIONS}
    )


def spelled_out(values: Mapping[str, Value]) -> Options:
    """Return the options of which `values` has each, checked against `OPTIONS` by the caller."""
    return _options(tuple(values[name] for name in OPTION_NAMES))


@lru_cache(maxsize=256)
def of_values(values: tuple[object, ...], types: tuple[type, ...]) -> Options | None:
    """Return the options of these values, in the order of `OPTIONS`, if each is one of its own.

    `types` are those of the values: 1, 1.0 and true are equal, and only one of them is right.
    """
    for option, value, kind in zip(OPTIONS, values, types, strict=True):
        if kind is not type(option.values[0]) or value not in option.values:
            return None
    return Options._make(values)


@lru_cache(maxsize=256)
def _options(values: tuple[Value, ...]) -> Options:
    # Values come in the order of OPTIONS, which a test holds to the order of the fields.
    return Options._make(values)


def option_map(options: Options) -> dict[str, Value]:
    """Return the options by name, in the order of `OPTIONS`."""
    return dict(zip(OPTION_NAMES, options, strict=True))
