"""Everything in a state that no play can have produced (T48 to T52)."""

from __future__ import annotations

from collections.abc import Iterator

from splendor_api.games.set.actions import no_set
from splendor_api.games.set.components import CERTAIN, DECKS, SET_SIZE, holds_set, is_set
from splendor_api.games.set.scoring import outcome, score
from splendor_api.games.set.state import State, active_seats, cards_on, deck_size
from splendor_api.games.set.turn import due_end, is_agreed
from splendor_api.games.set.violations import (
    CARD_DUPLICATE,
    CARD_MISSING,
    CARD_NOT_IN_DECK,
    NO_SET_ON_TABLE,
    NOT_A_SET,
    OUTCOME_MISMATCH,
    PHASE_MISMATCH,
    SCORE_MISMATCH,
    TABLE_SIZE,
    TURN_MISMATCH,
)
from splendor_api.games.violations import Violation


def audit(state: State) -> Iterator[Violation]:
    """Yield every contradiction in the state, in the order of report; pointers start at it."""
    yield from _cards(state)
    yield from _sets(state)
    yield from _table_size(state)
    yield from _no_set_on_table(state)
    yield from _scores(state)
    yield from _turn(state)
    if not _is_in_phase(state):
        yield PHASE_MISMATCH.at("/phase", phase=state.phase)
    if not _is_outcome_right(state):
        yield OUTCOME_MISMATCH.at("/outcome")


def _placed_cards(state: State) -> Iterator[tuple[str, int]]:
    """Yield every known card with the pointer of its place."""
    for slot, card in enumerate(state.table):
        if card is not None:
            yield f"/table/{slot}", card
    cards = () if isinstance(state.deck, int) else state.deck
    yield from ((f"/deck/{place}", card) for place, card in enumerate(cards))
    for seat, player in enumerate(state.players):
        for number, triple in enumerate(player.sets):
            for place, card in enumerate(triple):
                yield f"/players/{seat}/sets/{number}/{place}", card


def _cards(state: State) -> Iterator[Violation]:
    """Find cards in several places, in none, or not of this deck (T48)."""
    deck, seen = DECKS[state.options.deck], set[int]()
    strangers = []
    for pointer, card in _placed_cards(state):
        if card in seen:
            yield CARD_DUPLICATE.at(pointer, card=card)
        elif card not in deck:
            strangers.append(CARD_NOT_IN_DECK.at(pointer, card=card))
        seen.add(card)
    unknown = state.deck if isinstance(state.deck, int) else 0
    missing = len(deck - seen) - unknown
    if missing:
        yield CARD_MISSING.at("/deck", count=missing)
    yield from strangers


def _sets(state: State) -> Iterator[Violation]:
    """Find threes won that are no set (T49)."""
    for seat, player in enumerate(state.players):
        for number, triple in enumerate(player.sets):
            if len(set(triple)) < SET_SIZE or not is_set(triple):
                pointer = f"/players/{seat}/sets/{number}"
                yield NOT_A_SET.at(pointer, cards=list(triple))


def _table_size(state: State) -> Iterator[Violation]:
    """Hold the table against its size (T33, T34, T50, T52)."""
    slots, cards = len(state.table), len(cards_on(state.table))
    size, deck = state.options.table_size, deck_size(state.deck)
    is_gap_right = slots == cards or (not deck and slots == size)
    is_whole = not any(count % SET_SIZE for count in (slots - size, cards, deck))
    if not (is_gap_right and is_whole and (slots == size or _is_size_of_extra_cards(state))):
        yield TABLE_SIZE.at("/table", cards=cards, slots=slots)


def _is_size_of_extra_cards(state: State) -> bool:
    """Return whether extra cards can have led to so many slots (T33, T34, T38, T40)."""
    slots, options = len(state.table), state.options
    could_come = slots - SET_SIZE < CERTAIN[options.deck] and not state.is_lost_without_set
    return slots > options.table_size and could_come


def _no_set_on_table(state: State) -> Iterator[Violation]:
    """Find a game that goes on without a set although cards come by themselves (T51, T40)."""
    if state.phase == "over" or not state.deck or holds_set(cards_on(state.table)):
        return
    if state.is_lost_without_set or state.options.extra_cards == "automatic":
        yield NO_SET_ON_TABLE.at("/table")


def _scores(state: State) -> Iterator[Violation]:
    """Hold every score against sets and failed calls (T26)."""
    for seat, player in enumerate(state.players):
        expected = score(player, state.options)
        if player.score != expected:
            pointer = f"/players/{seat}/score"
            yield SCORE_MISMATCH.at(pointer, expected=expected, found=player.score)


def _turn(state: State) -> Iterator[Violation]:
    """Hold the calls counted against those decided."""
    expected = sum(len(player.sets) + player.failed for player in state.players)
    if state.turn != expected:
        yield TURN_MISMATCH.at("/turn", expected=expected, found=state.turn)


def _is_in_phase(state: State) -> bool:
    """Return whether phase, caller and sayings go together (T14, T18, T37)."""
    if not _is_saying_possible(state):
        return False
    if state.phase != "called":
        return state.to_act is None
    return state.to_act in active_seats(state) and state.options.caller_window == "phased"


def _is_saying_possible(state: State) -> bool:
    """Return whether these seats can have said that there is no set (T36 to T39)."""
    said = set(state.no_set)
    if len(said) != len(state.no_set) or not said <= set(active_seats(state)):
        return False
    if not said:
        return True
    if no_set.is_off(state) or no_set.is_certain(state):
        return False
    match state.phase:
        case "open":
            return not is_agreed(state)
        case "called":
            # While a seat has the cards to itself, one that had not said so may have resigned.
            return not is_agreed(state) or any(player.resigned for player in state.players)
        case "over":
            reason = due_end(state)
            return reason == "resigned" or (reason is None and is_agreed(state))


def _is_outcome_right(state: State) -> bool:
    """Return whether the game is over as it should be, if it should be (T39 to T42)."""
    reason = due_end(state)
    if not active_seats(state) and not state.is_solo:
        return False
    if state.phase != "over":
        # A table without a set where cards are left has its own finding.
        return state.outcome is None and reason in (None, "lost")
    if reason is None and is_agreed(state) and not state.deck:
        reason = "agreed"
    return reason is not None and state.outcome == outcome(state, reason)
