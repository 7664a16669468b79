"""A service that validates and nothing else: a state and an action, by pydantic, written back.

The shapes and bounds are those of the service's own schemas. pydantic is compiled, and reads and
writes JSON by itself; it passes over repeated names.
"""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Flask, Response, request
from pydantic import BaseModel, ConfigDict, Field

from splendor_api.settings import Settings

PATH = "/validated"

Seat = Annotated[int, Field(ge=0, le=3)]
Card = Annotated[int, Field(ge=1, le=90)]
Noble = Annotated[int, Field(ge=1, le=10)]
Level = Annotated[int, Field(ge=1, le=3)]
Count = Annotated[int, Field(ge=0, le=100)]
Slot = Card | Literal["unknown"] | None
Row = Annotated[list[Slot], Field(min_length=4, max_length=4)]
Cards = Annotated[list[Card], Field(max_length=90)]
Nobles = Annotated[list[Noble], Field(max_length=10)]
Gem = Literal["white", "blue", "green", "red", "black"]


class Strict(BaseModel):
    """An object of just these members, of just these types."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Tokens(Strict):
    """Counts by colour; an absent one is none."""

    white: Count = 0
    blue: Count = 0
    green: Count = 0
    red: Count = 0
    black: Count = 0
    gold: Count = 0


class Options(Strict):
    """The options of a game."""

    target_prestige: Annotated[int, Field(ge=1, le=50)]
    token_limit: Annotated[int, Field(ge=3, le=50)]
    reserve_limit: Annotated[int, Field(ge=0, le=10)]
    gems_per_color: Annotated[int, Field(ge=1, le=20)]
    gold_tokens: Annotated[int, Field(ge=0, le=20)]
    nobles_revealed: Annotated[int, Field(ge=0, le=10)]
    take_fewer: Literal["when_scarce", "never", "always"]
    take_two_minimum: Annotated[int, Field(ge=2, le=20)]
    reserve_without_gold: bool
    gold_payment: Literal["free", "needed_only"]
    returns: Literal["any", "drawn"]
    passing: Literal["when_stuck", "never", "always"] = Field(alias="pass")
    reserve_visibility: Literal["drawn_hidden", "all_hidden", "open"]
    tie_break: Literal["shared", "fewest_cards"]


class Ruleset(Strict):
    """A ruleset and its options."""

    name: Literal["gamerules", "publisher"]
    options: Options


class Market(Strict):
    """Three rows of slots."""

    first: Row = Field(alias="1")
    second: Row = Field(alias="2")
    third: Row = Field(alias="3")


class Counted(Strict):
    """A deck of which only the size is known."""

    count: Annotated[int, Field(ge=0, le=90)]


class Decks(Strict):
    """Three decks."""

    first: Cards | Counted = Field(alias="1")
    second: Cards | Counted = Field(alias="2")
    third: Cards | Counted = Field(alias="3")


class Reserved(Strict):
    """A card in a hand."""

    card: Card | None = None
    level: Level | None = None
    hidden: bool


class Player(Strict):
    """What lies before a seat."""

    tokens: Tokens
    cards: Cards
    reserved: Annotated[list[Reserved], Field(max_length=90)]
    nobles: Nobles
    resigned: bool = False


class Standing(Strict):
    """A line of the ranking."""

    seat: Seat
    rank: Annotated[int, Field(ge=1, le=4)]
    prestige: Annotated[int, Field(ge=0, le=1000)]
    cards: Annotated[int, Field(ge=0, le=90)]


class Outcome(Strict):
    """How a game ended."""

    reason: Literal["target_prestige", "deadlock", "resigned"]
    winners: Annotated[list[Seat], Field(min_length=1, max_length=4)]
    ranking: Annotated[list[Standing], Field(min_length=1, max_length=4)]


class State(Strict):
    """A state of Splendor."""

    game: Literal["splendor"]
    format: Literal[1]
    ruleset: Ruleset
    turn: Annotated[int, Field(ge=0, le=1_000_000)]
    to_act: Seat | None
    phase: Literal["main", "return_tokens", "choose_noble", "reveal", "over"]
    drawn: Tokens | None
    final_round: bool
    outcome: Outcome | None
    bank: Tokens
    market: Market
    decks: Decks
    nobles: Nobles
    players: Annotated[list[Player], Field(min_length=2, max_length=4)]


class TakeDifferent(Strict):
    """Take gems of different colours."""

    type: Literal["take_different"]
    colors: Annotated[list[Gem], Field(min_length=1, max_length=5)]
    returned: Tokens | None = Field(None, alias="return")
    noble: Noble | None = None
    seat: Seat | None = None


class TakeSame(Strict):
    """Take two gems of one colour."""

    type: Literal["take_same"]
    color: Gem
    returned: Tokens | None = Field(None, alias="return")
    noble: Noble | None = None
    seat: Seat | None = None


class Reserve(Strict):
    """Reserve a card."""

    type: Literal["reserve"]
    card: Card | None = None
    level: Level | None = None
    returned: Tokens | None = Field(None, alias="return")
    noble: Noble | None = None
    seat: Seat | None = None


class Buy(Strict):
    """Buy a card."""

    type: Literal["buy"]
    card: Card
    payment: Tokens | None = None
    noble: Noble | None = None
    seat: Seat | None = None


class Pass(Strict):
    """Pass."""

    type: Literal["pass"]
    noble: Noble | None = None
    seat: Seat | None = None


class ReturnTokens(Strict):
    """Return the surplus."""

    type: Literal["return_tokens"]
    tokens: Tokens
    noble: Noble | None = None
    seat: Seat | None = None


class ChooseNoble(Strict):
    """Choose a noble."""

    type: Literal["choose_noble"]
    noble: Noble
    seat: Seat | None = None


Action = Annotated[
    TakeDifferent | TakeSame | Reserve | Buy | Pass | ReturnTokens | ChooseNoble,
    Field(discriminator="type"),
]


class Proposal(Strict):
    """The body of `apply`, as far as random play sends it."""

    state: State
    action: Action


def make(_: Settings) -> Flask:
    """Return the application."""
    app = Flask("validated", static_folder=None, template_folder=None)

    @app.post(PATH)
    def validated() -> Response:
        body = Proposal.model_validate_json(request.get_data())
        written = body.model_dump_json(by_alias=True, exclude_unset=True)
        return Response(written, 200, mimetype="application/json")

    return app
