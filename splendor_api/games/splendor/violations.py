"""Every violation and finding of Splendor, each table in the order of report."""

from __future__ import annotations

from splendor_api.games.violations import GAME_OVER, WRONG_PHASE, WRONG_SEAT, Code

DUPLICATE_COLOR = Code(
    "duplicate_color",
    rule="S27",
    params=("color",),
    says="{color} is named more than once.",
    means="`take_different` names a colour twice.",
)
TOO_MANY_COLORS = Code(
    "too_many_colors",
    rule="S23",
    params=("count", "limit"),
    says="{count} colours are named; at most {limit} may be taken.",
    means="More than three colours are named.",
)
TOO_FEW_COLORS = Code(
    "too_few_colors",
    rule="S24",
    params=("count", "required"),
    says="Colours named: {count}; to be taken: {required}.",
    means="Fewer colours are named than must be taken.",
)
COLOR_UNAVAILABLE = Code(
    "color_unavailable",
    rule="S23",
    params=("color",),
    says="The bank has no {color} token.",
    means="The bank has no token of a colour that is named.",
)
PILE_TOO_SMALL = Code(
    "pile_too_small",
    rule="S28",
    params=("color", "available", "required"),
    says="The bank has {available} {color}; two may be taken only from {required} or more.",
    means="`take_same` from fewer tokens than `take_two_minimum`.",
)
RESERVE_LIMIT = Code(
    "reserve_limit",
    rule="S34",
    params=("limit",),
    says="Reserved cards in a hand: at most {limit}.",
    means="The seat already holds as many reserved cards as it may.",
)
GOLD_UNAVAILABLE = Code(
    "gold_unavailable",
    rule="S36",
    says="No card may be reserved while the bank has no gold.",
    means="Under `reserve_without_gold: false` the bank has no gold to take with the card.",
)
DECK_EMPTY = Code(
    "deck_empty",
    rule="S39",
    params=("level",),
    says="The deck of level {level} is empty.",
    means="There is nothing to draw from that deck.",
)
CARD_NOT_AVAILABLE = Code(
    "card_not_available",
    rule="S42",
    params=("card",),
    says="Card {card} is not there to be taken.",
    means="The card is neither face up nor in the seat's own reserve (to reserve: not face up).",
)
CANNOT_AFFORD = Code(
    "cannot_afford",
    rule="S46",
    params=("missing", "gold", "short"),
    says="Missing {missing}; with {gold} gold, {short} short.",
    means="Tokens and gold do not cover the discounted cost. `missing`: gems that the seat's own "
    "gem tokens leave unpaid; `gold`: gold it holds; `short`: what then is still unpaid.",
)
PAYMENT_NOT_OWNED = Code(
    "payment_not_owned",
    rule="S48",
    params=("color", "paid", "owned"),
    says="{paid} {color} cannot be paid with {owned} in hand.",
    means="The payment exceeds the seat's tokens of a colour.",
)
PAYMENT_MISMATCH = Code(
    "payment_mismatch",
    rule="S47",
    params=("due", "paid"),
    says="Due are {due}; {paid} do not pay exactly that.",
    means="The payment does not cover the discounted cost exactly. `due`: gems by colour.",
)
GOLD_NOT_NEEDED = Code(
    "gold_not_needed",
    rule="S49",
    params=("color",),
    says="Gold may not be paid while a {color} token is there for it.",
    means="Under `gold_payment: needed_only` gold is paid where a gem token was there.",
)
RETURN_NOT_DUE = Code(
    "return_not_due",
    rule="S58",
    says="No token is to be returned.",
    means="`return` is given, but the seat does not exceed the token limit.",
)
RETURN_WRONG_COUNT = Code(
    "return_wrong_count",
    rule="S56",
    params=("required", "returned"),
    says="Tokens to be returned: {required}, not {returned}.",
    means="Not exactly the surplus is returned.",
)
RETURN_NOT_OWNED = Code(
    "return_not_owned",
    rule="S57",
    params=("color", "returned", "owned"),
    says="{returned} {color} cannot be returned with {owned} in hand.",
    means="More tokens of a colour are returned than the seat has.",
)
RETURN_NOT_DRAWN = Code(
    "return_not_drawn",
    rule="S57",
    params=("color",),
    says="Only tokens drawn in this turn may be returned; so many {color} were not.",
    means="Under `returns: drawn`, more tokens of a colour are returned than were drawn.",
)
NOBLE_NOT_ELIGIBLE = Code(
    "noble_not_eligible",
    rule="S66",
    params=("noble", "eligible"),
    says="Noble {noble} cannot come; these could: {eligible}.",
    means="The noble is not on the table, or its requirement is not met.",
)
NOBLE_NOT_YET = Code(
    "noble_not_yet",
    rule="S15",
    says="No noble can be chosen before the turn's other duties are done.",
    means="`noble` is given while tokens or a reveal are still owed.",
)
PASS_NOT_ALLOWED = Code(
    "pass_not_allowed",
    rule="S19",
    says="Passing is not allowed here.",
    means="Something else is possible, or passing is off.",
)
REVEAL_NOT_OWED = Code(
    "reveal_not_owed",
    rule="S16",
    params=("level", "slot"),
    says="Slot {slot} of level {level} owes no card.",
    means="The slot is not waiting for a card.",
)
CARD_NOT_POSSIBLE = Code(
    "card_not_possible",
    rule="S83",
    params=("card",),
    says="Card {card} cannot be that card.",
    means="The revealed card is already in play or of another level.",
)

CODES = (
    GAME_OVER,
    WRONG_SEAT,
    WRONG_PHASE,
    DUPLICATE_COLOR,
    TOO_MANY_COLORS,
    TOO_FEW_COLORS,
    COLOR_UNAVAILABLE,
    PILE_TOO_SMALL,
    RESERVE_LIMIT,
    GOLD_UNAVAILABLE,
    DECK_EMPTY,
    CARD_NOT_AVAILABLE,
    CANNOT_AFFORD,
    PAYMENT_NOT_OWNED,
    PAYMENT_MISMATCH,
    GOLD_NOT_NEEDED,
    RETURN_NOT_DUE,
    RETURN_WRONG_COUNT,
    RETURN_NOT_OWNED,
    RETURN_NOT_DRAWN,
    NOBLE_NOT_ELIGIBLE,
    NOBLE_NOT_YET,
    PASS_NOT_ALLOWED,
    REVEAL_NOT_OWED,
    CARD_NOT_POSSIBLE,
)

TOKEN_COUNT = Code(
    "token_count",
    rule="S84",
    params=("color", "expected", "found"),
    says="Tokens found: {found} {color}; the game has {expected}.",
    means="The tokens of a colour with bank and players do not add up to the supply.",
)
CARD_DUPLICATE = Code(
    "card_duplicate",
    rule="S83",
    params=("card",),
    says="This card is in more than one place: {card}.",
    means="A card is in more than one place; `card: null` where there are more places for unknown "
    "cards of a level than cards left.",
)
CARD_MISSING = Code(
    "card_missing",
    rule="S83",
    params=("level", "count"),
    says="Cards missing: {count} of level {level}.",
    means="Cards of a level are nowhere, unknown ones counted.",
)
DECK_LEVEL = Code(
    "deck_level",
    rule="S9",
    params=("card", "level"),
    says="Card {card} is not of level {level}.",
    means="A card lies in the row or the deck of another level.",
)
NOBLE_COUNT = Code(
    "noble_count",
    rule="S88",
    params=("expected", "found"),
    says="Noble tiles found: {found}; revealed: {expected}.",
    means="The tiles on the table and with the players are not as many as were revealed.",
)
NOBLE_DUPLICATE = Code(
    "noble_duplicate",
    rule="S88",
    params=("noble",),
    says="Noble {noble} is in more than one place.",
    means="A noble tile is in more than one place.",
)
NOBLE_UNDESERVED = Code(
    "noble_undeserved",
    rule="S88",
    params=("noble",),
    says="Noble {noble} asks for more bonuses than its holder has.",
    means="A player holds a noble tile whose requirement the player does not meet.",
)
TOKEN_LIMIT_EXCEEDED = Code(
    "token_limit_exceeded",
    rule="S86",
    params=("held", "limit"),
    says="{held} tokens are held; the limit is {limit}.",
    means="A seat holds more tokens than the limit and does not owe their return, or more than "
    "it can have drawn.",
)
RESERVE_LIMIT_EXCEEDED = Code(
    "reserve_limit_exceeded",
    rule="S87",
    params=("held", "limit"),
    says="Cards reserved: {held}; the limit is {limit}.",
    means="A seat holds more reserved cards than the limit.",
)
TURN_MISMATCH = Code(
    "turn_mismatch",
    rule="S89",
    params=("turn", "to_act"),
    says="Turns completed: {turn}; so it is not for seat {to_act} to act.",
    means="The seat to act is not the number of completed turns modulo the number of seats.",
)
PHASE_MISMATCH = Code(
    "phase_mismatch",
    rule="S92",
    params=("phase",),
    says="The state is not one of phase {phase}.",
    means="What the phase says is owed is not owed, or something else is.",
)
FINAL_ROUND_MISMATCH = Code(
    "final_round_mismatch",
    rule="S91",
    params=("final_round",),
    says="Prestige and final round ({final_round}) do not go together.",
    means="The final round is on although no turn has ended at the target, or the other way "
    "round, or the game should be over.",
)
OUTCOME_MISMATCH = Code(
    "outcome_mismatch",
    rule="S72",
    says="The outcome is not the one of this state.",
    means="The outcome is missing, early, or not the one that follows from the state.",
)
MARKET_GAP = Code(
    "market_gap",
    rule="S85",
    params=("level", "slot"),
    says="Slot {slot} of level {level} is empty though its deck is not.",
    means="A slot is empty although its level's deck is not.",
)
DRAWN_MISMATCH = Code(
    "drawn_mismatch",
    rule="S86",
    params=("drawn",),
    says="Nobody can have drawn {drawn} in this turn.",
    means="`drawn` is there although no return is owed, or missing, or not one turn's tokens.",
)
TOO_MANY_CARDS = Code(
    "too_many_cards",
    rule="S90",
    params=("held", "turns"),
    says="Cards or nobles held: {held}; turns had: {turns}.",
    means="A player holds more cards, or more nobles, than the turns that the player has had.",
)

FINDINGS = (
    TOKEN_COUNT,
    CARD_DUPLICATE,
    CARD_MISSING,
    DECK_LEVEL,
    NOBLE_COUNT,
    NOBLE_DUPLICATE,
    NOBLE_UNDESERVED,
    TOKEN_LIMIT_EXCEEDED,
    RESERVE_LIMIT_EXCEEDED,
    TURN_MISMATCH,
    PHASE_MISMATCH,
    FINAL_ROUND_MISMATCH,
    OUTCOME_MISMATCH,
    MARKET_GAP,
    DRAWN_MISMATCH,
    TOO_MANY_CARDS,
)
