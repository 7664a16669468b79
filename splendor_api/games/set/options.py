"""Every option of SET: its values, its default in each ruleset, its meaning, its rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from splendor_api.games.protocol import Option, Value

SEATS = range(1, 21)  # T4; the source sets no upper bound
RULESETS: Mapping[str, str] = {
    "gamerules": "The project's own source rules.",
    "publisher": "The leaflet in the box.",
}

DeckName = Literal["full", "quick"]
CallerWindow = Literal["phased", "none"]
ExtraCards = Literal["automatic", "agreed"]
SoloNoSet = Literal["deal", "lose"]


class Options(NamedTuple):
    """A value for every option: what a state is played under."""

    deck: DeckName
    table_size: int
    caller_window: CallerWindow
    penalty: int
    extra_cards: ExtraCards
    solo_no_set: SoloNoSet


OPTIONS = (
    Option(
        "deck",
        values=("full", "quick"),
        defaults={"gamerules": "full", "publisher": "full"},
        says="All 81 cards, or the 27 solid ones.",
        rules=("T2", "T3"),
    ),
    Option(
        "table_size",
        values=(9, 12, 15),
        defaults={"gamerules": 12, "publisher": 12},
        says="Cards on the table when there are no extra cards; under `publisher` 9 with the "
        "quick deck.",
        rules=("T5", "T28", "T50"),
    ),
    Option(
        "caller_window",
        values=("phased", "none"),
        defaults={"gamerules": "phased", "publisher": "phased"},
        says="Whether a seat may call first and pick in a second action, or only both in one.",
        rules=("T14", "T15", "T16", "T17", "T18", "T19"),
    ),
    Option(
        "penalty",
        values=range(4),
        defaults={"gamerules": 1, "publisher": 1},
        says="Points lost for a failed claim or a forfeited call.",
        rules=("T24", "T26"),
    ),
    Option(
        "extra_cards",
        values=("automatic", "agreed"),
        defaults={"gamerules": "automatic", "publisher": "agreed"},
        says="Whether three more cards come by themselves when there is no set, or when every "
        "seat says there is none.",
        rules=("T32", "T36", "T37", "T38", "T39"),
    ),
    Option(
        "solo_no_set",
        values=("deal", "lose"),
        defaults={"gamerules": "deal", "publisher": "lose"},
        says="What happens to a seat alone when there is no set and the deck is not empty: three "
        "more cards, or the game is lost. Without effect for two seats or more.",
        rules=("T40",),
    ),
)
OPTION_NAMES = tuple(option.name for option in OPTIONS)
QUICK_TABLE_SIZE = 9  # of `publisher` (T5)


def resolve(ruleset: str, seats: int, given: Mapping[str, Value]) -> Options:
    """Return every option: as `given`, else as `ruleset` has it for so many seats."""
    values = {option.name: option.default(ruleset, seats) for option in OPTIONS}
    if ruleset == "publisher" and given.get("deck") == "quick":
        values["table_size"] = QUICK_TABLE_SIZE
    return spelled_out(values | dict(given))


def spelled_out(values: Mapping[str, Value]) -> Options:
    """Return the options of which `values` has each, checked against `OPTIONS` by the caller."""
    return _options(tuple(values[name] for name in OPTION_NAMES))


@lru_cache(maxsize=256)
def _options(values: tuple[Value, ...]) -> Options:
    # Values come in the order of OPTIONS, which a test holds to the order of the fields.
    return Options._make(values)


def option_map(options: Options) -> dict[str, Value]:
    """Return the options by name, in the order of `OPTIONS`."""
    return dict(zip(OPTION_NAMES, options, strict=True))
