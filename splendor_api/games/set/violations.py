"""Every violation and finding of SET, each table in the order of report."""

from __future__ import annotations

from splendor_api.games.violations import GAME_OVER, WRONG_PHASE, WRONG_SEAT, Code

CARD_NOT_ON_TABLE = Code(
    "card_not_on_table",
    rule="T22",
    params=("card",),
    says="Card {card} is not on the table.",
    means="A card that is claimed is not on the table.",
)
DUPLICATE_CARD = Code(
    "duplicate_card",
    rule="T22",
    params=("card",),
    says="Card {card} is named more than once.",
    means="A claim names a card twice.",
)
NOT_CALLED = Code(
    "not_called",
    rule="T22",
    says="There is no call to forfeit.",
    means="`forfeit` without a call.",
)
CALLS_OFF = Code(
    "calls_off",
    rule="T18",
    says="In this game a call and a pick are one action, `claim`.",
    means="`call` or `forfeit` under `caller_window: none`.",
)
NO_SET_OFF = Code(
    "no_set_off",
    rule="T36",
    says="In this game nobody needs to say that there is no set.",
    means="`no_set` where the extra cards come by themselves, or a seat alone loses without a set.",
)
NO_SET_REPEATED = Code(
    "no_set_repeated",
    rule="T37",
    says="This seat has said so already.",
    means="The seat has said `no_set` since the table last changed.",
)
SET_CERTAIN = Code(
    "set_certain",
    rule="T38",
    params=("cards",),
    says="Among {cards} cards there always is a set.",
    means="`no_set` where the number of cards alone proves a set.",
)

CODES = (
    GAME_OVER,
    WRONG_SEAT,
    WRONG_PHASE,
    CARD_NOT_ON_TABLE,
    DUPLICATE_CARD,
    NOT_CALLED,
    CALLS_OFF,
    NO_SET_OFF,
    NO_SET_REPEATED,
    SET_CERTAIN,
)

CARD_DUPLICATE = Code(
    "card_duplicate",
    rule="T48",
    params=("card",),
    says="This card is in more than one place: {card}.",
    means="A card is in more than one place.",
)
CARD_MISSING = Code(
    "card_missing",
    rule="T48",
    params=("count",),
    says="Cards missing: {count} of the deck.",
    means="Cards of the deck in play are nowhere.",
)
CARD_NOT_IN_DECK = Code(
    "card_not_in_deck",
    rule="T48",
    params=("card",),
    says="Card {card} is not part of the deck in play.",
    means="A card is not part of the deck in play.",
)
NOT_A_SET = Code(
    "not_a_set",
    rule="T49",
    params=("cards",),
    says="These cards are no set: {cards}.",
    means="Three cards that were won are no set.",
)
TABLE_SIZE = Code(
    "table_size",
    rule="T50",
    params=("cards", "slots"),
    says="Cards on the table: {cards}; slots: {slots}. They do not go together.",
    means="The table has too few cards or slots, gaps where there are none, or, like deck and "
    "sets, a number of cards that three does not divide (T52).",
)
NO_SET_ON_TABLE = Code(
    "no_set_on_table",
    rule="T51",
    says="The table holds no set, and yet nothing has been dealt.",
    means="A game goes on without a set on the table where extra cards come by themselves, or a "
    "seat alone has lost.",
)
SCORE_MISMATCH = Code(
    "score_mismatch",
    rule="T26",
    params=("expected", "found"),
    says="The score is {found}; sets and failed calls make it {expected}.",
    means="A score is not the sets less the failed calls times the penalty.",
)
TURN_MISMATCH = Code(
    "turn_mismatch",
    rule="T16",
    params=("expected", "found"),
    says="Calls counted: {found}; sets and failed calls make it {expected}.",
    means="`turn` is not the number of calls decided.",
)
PHASE_MISMATCH = Code(
    "phase_mismatch",
    rule="T14",
    params=("phase",),
    says="The state is not one of phase {phase}.",
    means="Phase, caller and sayings do not go together.",
)
OUTCOME_MISMATCH = Code(
    "outcome_mismatch",
    rule="T41",
    says="The outcome is not the one of this state.",
    means="The outcome is missing, early, or not the one that follows from the state.",
)

FINDINGS = (
    CARD_DUPLICATE,
    CARD_MISSING,
    CARD_NOT_IN_DECK,
    NOT_A_SET,
    TABLE_SIZE,
    NO_SET_ON_TABLE,
    SCORE_MISMATCH,
    TURN_MISMATCH,
    PHASE_MISMATCH,
    OUTCOME_MISMATCH,
)
