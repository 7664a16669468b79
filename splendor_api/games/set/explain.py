"""Facts that follow from what is seen, and the least that an illegal action lacks.

Where a set lies is no such fact: nothing here says so (T47).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from splendor_api.games.protocol import Explaining, Value
from splendor_api.games.set import turn
from splendor_api.games.set.actions import Action, Call, Claim, Forfeit, NoSet, Resign, no_set
from splendor_api.games.set.components import CARDS, CERTAIN, DECKS, SET_SIZE
from splendor_api.games.set.options import option_map, spelled_out
from splendor_api.games.set.state import State, active_seats, cards_on, deck_size
from splendor_api.games.set.violations import (
    CALLS_OFF,
    CARD_NOT_ON_TABLE,
    DUPLICATE_CARD,
    NO_SET_OFF,
    NO_SET_REPEATED,
    NOT_CALLED,
    SET_CERTAIN,
)
from splendor_api.games.violations import GAME_OVER, IMPOSSIBLE, WRONG_SEAT, Code, Violation

CALL_DECIDED = Code(
    "call_decided",
    rule="T14",
    params=("seat",),
    says="The call of seat {seat} must be decided first.",
    means="A seat has called and has not picked yet.",
)
CALL_FIRST = Code(
    "call_first",
    rule="T19",
    says="The seat must call first.",
    means="Only a call can be forfeited.",
)
CARD_DEALT = Code(
    "card_dealt",
    rule="T22",
    params=("card",),
    says="Card {card} must be dealt first.",
    means="The card is still in the deck.",
)
THREE_CARDS = Code(
    "three_cards",
    rule="T16",
    says="Three different cards must be named.",
    means="A claim names a card more than once.",
)
TABLE_CHANGED = Code(
    "table_changed",
    rule="T37",
    says="The cards on the table must change first.",
    means="The seat has said `no_set` about these cards already.",
)
FEWER_CARDS = Code(
    "fewer_cards",
    rule="T38",
    params=("count",),
    says="Cards that must leave the table first: {count}.",
    means="So many cards, by their number alone, hold a set. `count` is rounded up to whole sets.",
)

NEEDS: Final = (
    IMPOSSIBLE,
    CALL_DECIDED,
    CALL_FIRST,
    CARD_DEALT,
    THREE_CARDS,
    TABLE_CHANGED,
    FEWER_CARDS,
)

_NEVER: Final = (IMPOSSIBLE.at(),)

_JUDGES: Final[Mapping[type[Action], tuple[str, ...]]] = {
    Call: ("caller_window",),
    Forfeit: ("caller_window",),
    NoSet: ("deck", "extra_cards", "solo_no_set"),
}


def facts(state: State) -> Mapping[str, object]:
    """Return what follows from what all see, for the table and for each seat."""
    left = deck_size(state.deck) + len(cards_on(state.table))
    is_open = state.phase == "open" and not no_set.is_off(state)
    waiting = [seat for seat in active_seats(state) if seat not in state.no_set] if is_open else []
    return {
        "cards_left": left,
        "sets_left": 0 if state.phase == "over" else left // SET_SIZE,
        "waiting_for": waiting,
        "seats": [_seat_facts(state, seat, left) for seat in range(len(state.players))],
    }


def judges(action: Action) -> tuple[str, ...]:
    """Return the options that have a say in whether `action` is legal; no other has."""
    return _JUDGES.get(type(action), ())


def under(state: State, values: Mapping[str, Value]) -> State:
    """Return the same table under other options."""
    return state._replace(options=spelled_out({**option_map(state.options), **values}))


def lacking(state: State, action: Action) -> tuple[Violation, ...]:
    """Return the least that would have to be otherwise for `action` to be legal; nothing if it is.

    Pointers are empty: a need is not about a place in the action.
    """
    broken = {violation.code: violation for violation in turn.violations(state, action)}
    if not broken:
        return ()
    if broken.keys() & {GAME_OVER, CALLS_OFF, NO_SET_OFF} or isinstance(action, Resign):
        return _NEVER
    if WRONG_SEAT in broken and action.seat not in active_seats(state):
        return _NEVER
    needs = tuple(_needs(state, action, broken))
    return _NEVER if _NEVER[0] in needs else needs


def _seat_facts(state: State, seat: int, left: int) -> dict[str, object]:
    player = state.players[seat]
    is_out = player.resigned or state.phase == "over"
    return {
        "seat": seat,
        "score": player.score,
        "reachable_score": player.score if is_out else player.score + left // SET_SIZE,
        "may": [] if is_out else _open_to(state, seat),
    }


def _open_to(state: State, seat: int) -> list[str]:
    """Return the types of action that are open to the seat, but for resigning."""
    if seat not in turn.acting(state):
        return []
    return [Claim.type, *(action.type for action in turn.choices(state, seat))]


def _needs(state: State, action: Action, broken: Mapping[Code, Violation]) -> Iterator[Violation]:
    if NOT_CALLED in broken:
        yield CALL_FIRST.at()
    elif isinstance(action, Claim) and WRONG_SEAT not in broken:
        yield from _claim_needs(state, action, broken)
    elif NO_SET_REPEATED in broken or SET_CERTAIN in broken:
        yield from _saying_needs(state, broken)
    else:
        yield CALL_DECIDED.at(seat=state.to_act)


def _claim_needs(
    state: State, action: Claim, broken: Mapping[Code, Violation]
) -> Iterator[Violation]:
    """Yield what a claim lacks: cards still to be dealt, or another card for one named twice."""
    if CARD_NOT_ON_TABLE in broken:
        absent = [card for card in dict.fromkeys(action.cards) if card not in state.table]
        if any(card in _cards_gone(state) for card in absent):
            yield IMPOSSIBLE.at()
        yield from (CARD_DEALT.at(card=card) for card in absent)
    if DUPLICATE_CARD in broken:
        yield THREE_CARDS.at()


def _cards_gone(state: State) -> set[int]:
    """Return the cards that will never lie on the table again, or are not in this deck."""
    won = {card for player in state.players for triple in player.sets for card in triple}
    return won | (CARDS.keys() - DECKS[state.options.deck])


def _saying_needs(state: State, broken: Mapping[Code, Violation]) -> Iterator[Violation]:
    """Yield what is in the way of saying that there is no set (T37, T38)."""
    if NO_SET_REPEATED in broken:
        yield TABLE_CHANGED.at()
    if SET_CERTAIN in broken:
        surplus = len(cards_on(state.table)) - CERTAIN[state.options.deck] + 1
        yield FEWER_CARDS.at(count=-(-surplus // SET_SIZE) * SET_SIZE)


EXPLAINING: Final[Explaining[State, Action]] = Explaining(
    needs=NEEDS,
    facts=facts,
    lacking=lacking,
    judges=judges,
    options=lambda state: option_map(state.options),
    under=under,
)
