"""Everything in a state that no play can have produced (T48 to T52)."""

from __future__ import annotations

from collections.abc import Iterator

from splendor_api.games.set.components import DECKS, SET_SIZE, holds_set, is_set
from splendor_api.games.set.scoring import outcome, score
from splendor_api.games.set.state import State, active_seats, cards_on, deck_size
from splendor_api.games.set.turn import due_end
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
    if missing > 0:
        yield CARD_MISSING.at("/deck", count=missing)
    if missing < 0:
        yield CARD_DUPLICATE.at("/deck", card=None)
    yield from strangers


def _sets(state: State) -> Iterator[Violation]:
    """Find threes won that are no set (T49)."""
    for seat, player in enumerate(state.players):
        for number, triple in enumerate(player.sets):
            if len(set(triple)) < SET_SIZE or not is_set(triple):
                pointer = f"/players/{seat}/sets/{number}"
                yield NOT_A_SET.at(pointer, cards=list(triple))


def _table_size(state: State) -> Iterator[Violation]:
    """Hold the table against its size (T50, T52)."""
    slots, cards = len(state.table), len(cards_on(state.table))
    size, deck = state.options.table_size, deck_size(state.deck)
    is_gap_right = slots == cards or (not deck and slots == size)
    is_whole = slots >= size and not (slots - size) % SET_SIZE
    if not (is_gap_right and is_whole) or cards % SET_SIZE or deck % SET_SIZE:
        yield TABLE_SIZE.at("/table", cards=cards, slots=slots)


def _no_set_on_table(state: State) -> Iterator[Violation]:
    """Find a game that goes on without a set although cards come by themselves (T51, T40)."""
    if state.phase == "over" or not state.deck or holds_set(cards_on(state.table)):
        return
    is_lost = state.is_solo and state.options.solo_no_set == "lose"
    if is_lost or state.options.extra_cards == "automatic":
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
    """Return whether phase, caller and sayings go together (T14, T37)."""
    active, said = set(active_seats(state)), set(state.no_set)
    if len(said) != len(state.no_set) or not said <= active:
        return False
    if said and state.options.extra_cards != "agreed":
        return False
    if state.phase == "over":
        return state.to_act is None
    if said and said == active:
        return False
    if state.phase == "called":
        return state.to_act in active and state.options.caller_window == "phased"
    return state.to_act is None


def _is_outcome_right(state: State) -> bool:
    reason = due_end(state)
    if state.phase != "over":
        # A table without a set where cards are left has its own finding.
        return state.outcome is None and reason in (None, "lost")
    if reason is None and _is_agreed(state):
        reason = "agreed"
    return reason is not None and state.outcome == outcome(state, reason)


def _is_agreed(state: State) -> bool:
    """Return whether the seats may have ended the game by saying that there is no set (T39)."""
    is_possible = state.options.extra_cards == "agreed" and not state.deck
    return is_possible and set(state.no_set) >= set(active_seats(state))
