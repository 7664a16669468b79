"""The least that an illegal action lacks: every need, in the order of report, and who has it.

Told from an observation alone, so that nothing hidden can be in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    Reserve,
    Resign,
    Reveal,
    TakeDifferent,
    TakeSame,
    TurnAction,
    buy,
    return_tokens,
    take_different,
)
from splendor_api.games.splendor.components import CARDS
from splendor_api.games.splendor.state import (
    UNKNOWN,
    State,
    deck_size,
    discounted_cost,
    owed_reveals,
)
from splendor_api.games.splendor.tokens import (
    GEM_WORDS,
    GEMS,
    GOLD,
    NONE,
    Color,
    Tokens,
    beyond,
    gem_map,
    gems_in,
    plus,
    token_map,
    tokens_of,
)
from splendor_api.games.splendor.violations import (
    CANNOT_AFFORD,
    CARD_NOT_AVAILABLE,
    CARD_NOT_POSSIBLE,
    DECK_EMPTY,
    GOLD_UNAVAILABLE,
    NOBLE_NOT_YET,
    RESERVE_LIMIT,
    RETURN_NOT_DUE,
    REVEAL_NOT_OWED,
)
from splendor_api.games.violations import (
    GAME_OVER,
    IMPOSSIBLE,
    WRONG_PHASE,
    WRONG_SEAT,
    Code,
    Violation,
)

TURN_OF_SEAT = Code(
    "turn_of_seat",
    rule="S14",
    params=("seat",),
    says="It must be the turn of seat {seat}.",
    means="The action is for a seat that is not to act yet.",
)
RETURN_FIRST = Code(
    "return_first",
    rule="S56",
    params=("count",),
    says="Tokens to be returned first: {count}.",
    means="The seat to act still owes the return of so many tokens.",
)
PHASE_FIRST = Code(
    "phase_first",
    rule="S15",
    params=("phase",),
    says="Phase {phase} must be settled first.",
    means="The seat to act still owes what the phase asks for.",
)
NOT_OWED = Code(
    "not_owed",
    rule="S15",
    says="Nothing like this is owed now.",
    means="The action settles a duty, and there is none of this kind.",
)
NAME_COLORS = Code(
    "name_colors",
    rule="S24",
    params=("count", "colors"),
    says="Different colours to be named: {count} of {colors}.",
    means="`take_different` needs other colours: `count` of `colors`, each once.",
)
BANK_TOKENS = Code(
    "bank_tokens",
    rule="S28",
    params=("color", "count"),
    says="The bank needs {count} more {color}.",
    means="The bank has too few tokens of a colour, gold included, by `count`.",
)
BANK_COLORS = Code(
    "bank_colors",
    rule="S24",
    params=("count", "colors"),
    says="The bank needs {count} more of these colours: {colors}.",
    means="The bank has tokens of too few colours for any take of different ones, by `count`.",
)
HAND_ROOM = Code(
    "hand_room",
    rule="S34",
    params=("count",),
    says="Reserved cards to be bought first: {count}.",
    means="The hand of reserved cards is full.",
)
CARD_FACE_UP = Code(
    "card_face_up",
    rule="S42",
    params=("card",),
    says="Card {card} must come to lie face up first.",
    means="The card is not there, and for all that is seen it may still come.",
)
MORE_TOKENS = Code(
    "more_tokens",
    rule="S46",
    params=("count", "colors"),
    says="{count} short: {colors:or} would do.",
    means="So many tokens of these colours, in any mixture up to what is missing of each, or "
    "gold, would pay for the card.",
)
PAY_EXACTLY = Code(
    "pay_exactly",
    rule="S47",
    params=("payment",),
    says="This would pay: {payment}.",
    means="The payment must be another one. `payment` is the one that differs least.",
)
RETURN_EXACTLY = Code(
    "return_exactly",
    rule="S56",
    params=("count", "tokens"),
    says="Tokens to be returned: {count}, such as {tokens}.",
    means="The return must be another one. `tokens` is the one that differs least.",
)
LEAVE_OUT = Code(
    "leave_out",
    rule="",
    params=("name",),
    says="The member {name} must be left out.",
    means="The action carries something that nothing asks for.",
)
NAME_NOBLE = Code(
    "name_noble",
    rule="S66",
    params=("nobles",),
    says="One of these nobles must be named: {nobles:or}.",
    means="Another noble must be named, one of those that could come.",
)
NAME_SLOT = Code(
    "name_slot",
    rule="S16",
    params=("slots",),
    says="One of the slots that owe a card must be named.",
    means="Another slot must be named. `slots`: those that owe a card.",
)
NAME_CARD = Code(
    "name_card",
    rule="S83",
    params=("level",),
    says="A card of level {level} must be named that lies nowhere yet.",
    means="Another card must be named.",
)
NOTHING_ELSE = Code(
    "nothing_else",
    rule="S19",
    params=("count",),
    says="There must be no other choice; there are {count}.",
    means="Passing is for those who have no other choice. `count`: those that there are.",
)

NEEDS: Final = (
    IMPOSSIBLE,
    TURN_OF_SEAT,
    RETURN_FIRST,
    PHASE_FIRST,
    NOT_OWED,
    NAME_COLORS,
    BANK_TOKENS,
    BANK_COLORS,
    HAND_ROOM,
    CARD_FACE_UP,
    MORE_TOKENS,
    PAY_EXACTLY,
    RETURN_EXACTLY,
    LEAVE_OUT,
    NAME_NOBLE,
    NAME_SLOT,
    NAME_CARD,
    NOTHING_ELSE,
)

_NEVER: Final = (IMPOSSIBLE.at(),)


def lacking(state: State, action: Action) -> tuple[Violation, ...]:
    """Return the least that would have to be otherwise for `action` to be legal; nothing if it is.

    Pointers are empty: a need is not about a place in the action.
    """
    broken = {violation.code: violation for violation in turn.violations(state, action)}
    if not broken:
        return ()
    if GAME_OVER in broken or isinstance(action, Resign):
        return _NEVER
    if WRONG_SEAT in broken:
        return _turn_needs(state, action)
    if WRONG_PHASE in broken:
        return (_phase_need(state),)
    needs = tuple(_needs(state, action, broken))
    return _NEVER if _NEVER[0] in needs else needs


def _turn_needs(state: State, action: TurnAction) -> tuple[Violation, ...]:
    """Return what an action for a seat that is not to act waits for."""
    seat = action.seat
    if seat is None or seat >= len(state.players) or state.players[seat].resigned:
        return _NEVER
    return (TURN_OF_SEAT.at(seat=seat),)


def _phase_need(state: State) -> Violation:
    """Return what must be done before an action of another phase."""
    if state.phase == "main":
        return NOT_OWED.at()
    if state.phase == "return_tokens":
        return RETURN_FIRST.at(count=return_tokens.surplus(state.player, state.options))
    return PHASE_FIRST.at(phase=state.phase)


def _needs(
    state: State, action: TurnAction, broken: Mapping[Code, Violation]
) -> Iterator[Violation]:
    """Yield the needs of an action of the seat to act, in its phase."""
    duties = tuple(_duty_needs(state, action, broken))
    if duties:
        yield from duties
    elif isinstance(action, TakeDifferent):
        yield from _colors_needs(state, action)
    elif isinstance(action, TakeSame):
        yield from _pair_needs(state, action)
    elif isinstance(action, Reserve):
        yield from _reserve_needs(state, action, broken)
    elif isinstance(action, Buy):
        yield from _buy_needs(state, action, broken)
    elif isinstance(action, Reveal):
        yield from _reveal_needs(state, action, broken)
    else:
        yield from _pass_needs(state)


def _duty_needs(
    state: State, action: TurnAction, broken: Mapping[Code, Violation]
) -> Iterator[Violation]:
    """Yield what is wrong with the return or the noble; only judged where all else is right."""
    first = next(iter(broken.values()))
    if RETURN_NOT_DUE in broken:
        yield LEAVE_OUT.at(name="return")
    elif first.pointer.startswith(("/return", "/tokens")):
        yield _return_need(state, action)
    elif NOBLE_NOT_YET in broken:
        yield LEAVE_OUT.at(name="noble")
    elif first.pointer == "/noble":
        eligible = first.params["eligible"]
        yield NAME_NOBLE.at(nobles=eligible) if eligible else LEAVE_OUT.at(name="noble")


def _return_need(state: State, action: TurnAction) -> Violation:
    effect, given = turn.effect_of(state, action), action.returned or NONE
    ways = return_tokens.returns(effect.player.tokens, effect.drawn, state.options)
    surplus = return_tokens.surplus(effect.player, state.options)
    return RETURN_EXACTLY.at(count=surplus, tokens=token_map(_nearest(given, ways)))


def _nearest(given: Tokens, ways: Iterable[Tokens]) -> Tokens:
    """Return the first of the ways that differ from what is given in the fewest tokens."""
    return min(
        ways, key=lambda way: sum(abs(one - other) for one, other in zip(way, given, strict=True))
    )


def _colors_needs(state: State, action: TakeDifferent) -> Iterator[Violation]:
    """Yield what a take lacks: tokens in the bank, if with them it would do, or other colours."""
    present = [gem for gem in GEMS if state.bank[gem]]
    wanted = [gem for gem in dict.fromkeys(action.colors) if gem not in present]
    filled = state._replace(bank=_filled(state.bank, wanted))
    if not any(take_different.violations(filled, action)):
        yield from (BANK_TOKENS.at(color=gem.word, count=1) for gem in wanted)
        return
    counts = {len(legal.colors) for legal in take_different.legal(state)}
    if counts:
        distinct = len(set(action.colors))
        nearest = min(counts, key=lambda count: (abs(count - distinct), count))
        yield NAME_COLORS.at(count=nearest, colors=[gem.word for gem in present])
        return
    absent = [gem.word for gem in GEMS if gem not in present]
    least = take_different.MOST - len(present) if state.options.take_fewer == "never" else 1
    yield BANK_COLORS.at(count=least, colors=absent)
    yield NAME_COLORS.at(count=len(present) + least, colors=list(GEM_WORDS))


def _filled(bank: Tokens, gems: Iterable[Color]) -> Tokens:
    """Return the bank with a token more of each of these colours."""
    return plus(bank, tokens_of(tuple(gems)))


def _pair_needs(state: State, action: TakeSame) -> Iterator[Violation]:
    """Yield what the pile lacks, where the game has as many tokens of the colour."""
    required = state.options.take_two_minimum
    if required > state.options.gems_per_color:
        yield IMPOSSIBLE.at()
        return
    count = required - state.bank[action.color]
    yield BANK_TOKENS.at(color=action.color.word, count=count)


def _reserve_needs(
    state: State, action: Reserve, broken: Mapping[Code, Violation]
) -> Iterator[Violation]:
    """Yield what is in the way of reserving: the hand, the gold, the card; decks only shrink."""
    options = state.options
    if DECK_EMPTY in broken or (RESERVE_LIMIT in broken and not options.reserve_limit):
        yield IMPOSSIBLE.at()
    if RESERVE_LIMIT in broken:
        yield HAND_ROOM.at(count=len(state.player.reserved) - options.reserve_limit + 1)
    if GOLD_UNAVAILABLE in broken:
        yield BANK_TOKENS.at(color=GOLD.word, count=1)
    if CARD_NOT_AVAILABLE in broken and action.card is not None:
        yield _card_need(state, action.card)


def _buy_needs(state: State, action: Buy, broken: Mapping[Code, Violation]) -> Iterator[Violation]:
    """Yield what is in the way of a purchase: the card, tokens for it, or how they are paid."""
    if CARD_NOT_AVAILABLE in broken or CARD_NOT_POSSIBLE in broken:
        yield _card_need(state, action.card)
        return
    player, card = state.player, CARDS[action.card]
    if CANNOT_AFFORD in broken:
        missing = gem_map(beyond(discounted_cost(card, player.bonuses), gems_in(player.tokens)))
        colors = [word for word, count in missing.items() if count]
        short = broken[CANNOT_AFFORD].params["short"]
        yield MORE_TOKENS.at(count=short, colors=[*colors, GOLD.word])
        if action.payment is not None:
            yield LEAVE_OUT.at(name="payment")
        return
    ways = buy.payments(player, card, state.options.gold_payment)
    yield PAY_EXACTLY.at(payment=token_map(_nearest(action.payment or NONE, ways)))


def _card_need(state: State, card: int) -> Violation:
    """Return what must become of a card that is not there: nothing can, if it cannot come."""
    level = CARDS[card].level
    is_more_to_come = deck_size(state.decks[level - 1]) or UNKNOWN in state.market[level - 1]
    if card in _cards_gone(state) or not is_more_to_come:
        return IMPOSSIBLE.at()
    return CARD_FACE_UP.at(card=card)


def _cards_gone(state: State) -> set[int]:
    """Return the cards that will never lie face up again."""
    gone = set[int]()
    for player in state.players:
        gone.update(player.cards)
        gone.update(held.card for held in player.reserved if held.card is not None)
    return gone


def _pass_needs(state: State) -> Iterator[Violation]:
    """Yield what is in the way of passing (S19, S20)."""
    if state.options.passing == "never":
        yield IMPOSSIBLE.at()
    else:
        yield NOTHING_ELSE.at(count=len(turn.choices(state, None)))


def _reveal_needs(
    state: State, action: Reveal, broken: Mapping[Code, Violation]
) -> Iterator[Violation]:
    """Yield what a reveal must name instead."""
    slots, level = owed_reveals(state.market), action.level
    if REVEAL_NOT_OWED in broken:
        slots = tuple(place for place in slots if place.level == level) or slots
        yield NAME_SLOT.at(slots=[place._asdict() for place in slots])
        level = slots[0].level
    if CARD_NOT_POSSIBLE in broken or level != action.level:
        yield NAME_CARD.at(level=level)
