"""Buy a card, face up or from one's own reserve, and pay for it (S42 to S54)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import ClassVar

from splendor_api.games.splendor.actions.effect import Effect
from splendor_api.games.splendor.actions.refill import refilled
from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL, Card
from splendor_api.games.splendor.events import CardBought
from splendor_api.games.splendor.options import GoldPayment
from splendor_api.games.splendor.state import (
    Player,
    Reserved,
    State,
    cards_in_play,
    discounted_cost,
    face_up,
    is_concealed,
    place_of,
)
from splendor_api.games.splendor.tokens import (
    COLOR_WORDS,
    GEMS,
    GOLD,
    NO_GEMS,
    NONE,
    Gems,
    Tokens,
    beyond,
    gem_map,
    gems_in,
    minus,
    plus,
    subsets,
    token_map,
    with_gold,
)
from splendor_api.games.splendor.violations import (
    CANNOT_AFFORD,
    CARD_NOT_AVAILABLE,
    CARD_NOT_POSSIBLE,
    GOLD_NOT_NEEDED,
    PAYMENT_MISMATCH,
    PAYMENT_NOT_OWNED,
)
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class Buy:
    """A card by its id; without `payment`, for the fewest gold tokens (S50)."""

    type: ClassVar[str] = "buy"
    returned: ClassVar[None] = None
    card: int
    payment: Tokens | None = None
    noble: int | None = None
    seat: int | None = None


PLAIN = {card: Buy(card) for card in CARDS}
_COSTS = {card.id: card.cost for card in CARDS.values()}


def candidates(state: State, player: Player) -> list[int]:
    """Return every card that `player` might buy, if it can be paid: face up, then from the hand,
    where a card of unknown face may be any that is not in play.
    """
    cards = face_up(state.market)
    if not player.reserved:
        return cards
    cards += [held.card for held in player.reserved if held.card is not None]
    unknown_levels = {held.level for held in player.reserved if held.card is None}
    if unknown_levels:
        in_play = cards_in_play(state)
        for level in sorted(unknown_levels):
            cards += sorted(CARDS_OF_LEVEL[level] - in_play)
    return cards


def legal(state: State, player: Player) -> list[Buy]:
    """Return every card that `player` might buy, without a payment."""
    gold = player.tokens[GOLD]
    means, (w, u, g, r, k) = _means(player, 0), _means(player, gold)
    affordable = []
    for card in candidates(state, player):
        cost = white, blue, green, red, black = _COSTS[card]
        if white > w or blue > u or green > g or red > r or black > k:
            continue  # all the gold together would not do for this colour
        if not gold or sum(beyond(cost, means)) <= gold:
            affordable.append(PLAIN[card])
    return affordable


def violations(state: State, action: Buy) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action."""
    unavailable = list(_unavailable(state, action.card))
    if unavailable:
        yield from unavailable
        return
    player = state.player
    due = discounted_cost(CARDS[action.card], player.bonuses)
    missing = beyond(due, gems_in(player.tokens))
    short = sum(missing) - player.tokens[GOLD]
    if short > 0:
        yield CANNOT_AFFORD.at(
            "/card", missing=gem_map(missing), gold=player.tokens[GOLD], short=short
        )
    if action.payment is not None:
        yield from _payment_violations(
            due, player.tokens, action.payment, state.options.gold_payment
        )


def effect(state: State, action: Buy) -> Effect:
    """Move the card to the seat to act and the payment to the bank; `action` must be legal."""
    player, card = state.player, CARDS[action.card]
    paid = payment(player, action)
    bank, tokens = plus(state.bank, paid), minus(player.tokens, paid)
    slot = place_of(state.market, card.id)
    if slot is None:
        place = _place_in_hand(player.reserved, card)
        concealed = is_concealed(player.reserved[place], state.options)
        left = player.reserved[:place] + player.reserved[place + 1 :]
        bought = CardBought(
            state.seat, card.id, card.level, None, paid, place if concealed else None
        )
        buyer = player.with_card(card, tokens, left)
        return Effect(bank, buyer, state.market, state.decks, NONE, (bought,))
    market, decks, revealed = refilled(state.market, state.decks, slot)
    bought = CardBought(state.seat, card.id, card.level, slot.slot, paid)
    buyer = player.with_card(card, tokens, player.reserved)
    return Effect(bank, buyer, market, decks, NONE, (bought, *revealed))


def payment(player: Player, action: Buy) -> Tokens:
    """Return what is paid: as the action says, else gems first and gold for the rest (S50)."""
    if action.payment is not None:
        return action.payment
    due = discounted_cost(CARDS[action.card], player.bonuses)
    missing = beyond(due, gems_in(player.tokens))
    return minus(with_gold(due, sum(missing)), with_gold(missing, 0))


def payments(player: Player, card: Card, gold_payment: GoldPayment) -> tuple[Tokens, ...]:
    """Return every way to pay for the card, the one with the fewest gold tokens first."""
    least = payment(player, PLAIN[card.id])
    spare = player.tokens[GOLD] - least[GOLD]
    if spare < 0:
        return ()
    if spare == 0 or gold_payment == "needed_only":
        return (least,)
    return _with_more_gold(least, spare)


def with_payments(player: Player, action: Buy, gold_payment: GoldPayment) -> list[Buy]:
    """Return the purchase once for each way to pay for it."""
    card = action.card
    return [Buy(card, paid) for paid in payments(player, CARDS[card], gold_payment)]


# What is due is mostly little, and seldom paid with much gold.
@lru_cache(maxsize=4096)
def _with_more_gold(paid: Tokens, most: int) -> tuple[Tokens, ...]:
    """Return the payment, and each with up to so many gold tokens more instead of gems."""
    gems = with_gold(gems_in(paid), 0)
    ways = [
        plus(minus(paid, instead), with_gold(NO_GEMS, count))
        for count in range(most + 1)
        for instead in subsets(gems, count)
    ]
    return tuple(sorted(ways, reverse=True))


def _unavailable(state: State, card: int) -> Iterator[Violation]:
    """Yield why the card is not there for the seat to buy (S42)."""
    player = state.player
    if place_of(state.market, card) or any(held.card == card for held in player.reserved):
        return
    unknown_levels = {held.level for held in player.reserved if held.card is None}
    if not unknown_levels:
        yield CARD_NOT_AVAILABLE.at("/card", card=card)
    elif CARDS[card].level not in unknown_levels or card in cards_in_play(state):
        yield CARD_NOT_POSSIBLE.at("/card", card=card)


def _payment_violations(
    due: Gems, held: Tokens, paid: Tokens, gold_payment: GoldPayment
) -> Iterator[Violation]:
    """Yield what is wrong with an explicit payment (S47, S48, S49, S51)."""
    for color, count, owned in zip(COLOR_WORDS, paid, held, strict=True):
        if count > owned:
            yield PAYMENT_NOT_OWNED.at(f"/payment/{color}", color=color, paid=count, owned=owned)
    is_over = any(count > price for count, price in zip(paid, due, strict=False))
    if is_over or sum(paid) != sum(due):
        yield PAYMENT_MISMATCH.at("/payment", due=gem_map(due), paid=token_map(paid))
    elif gold_payment == "needed_only" and paid[GOLD]:
        for gem in GEMS:
            if paid[gem] < min(due[gem], held[gem]):
                yield GOLD_NOT_NEEDED.at("/payment/gold", color=gem.word)


def _means(player: Player, gold: int) -> Gems:
    """Return what of a cost the player can meet in each colour, with so much gold for it."""
    white, blue, green, red, black, _ = player.tokens
    w, u, g, r, k = player.bonuses
    return white + w + gold, blue + u + gold, green + g + gold, red + r + gold, black + k + gold


def _place_in_hand(reserved: tuple[Reserved, ...], card: Card) -> int:
    """Return where in the hand the card lies: by its face, else the first unknown of its level.

    Raise `StopIteration` if it lies nowhere there.
    """
    seen = (place for place, held in enumerate(reserved) if held.card == card.id)
    unknown = (
        place
        for place, held in enumerate(reserved)
        if held.card is None and held.level == card.level
    )
    return next(chain(seen, unknown))
