"""Everything in a state that no play can have produced (S83 to S92).

Passing the audit does not prove that play can reach a state; every state that play reaches passes.
"""

from __future__ import annotations

from collections.abc import Iterator

from splendor_api.games.splendor.actions import pass_turn, return_tokens
from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL, LEVELS, SLOTS
from splendor_api.games.splendor.glance import is_plainly_sound
from splendor_api.games.splendor.scoring import outcome
from splendor_api.games.splendor.state import (
    UNKNOWN,
    Player,
    State,
    deck_size,
    eligible_nobles,
    face_up,
    has_known_decks,
    owed_reveals,
    seats_left,
)
from splendor_api.games.splendor.tokens import COLOR_WORDS, GOLD, Tokens, token_map
from splendor_api.games.splendor.turn import is_deadlocked
from splendor_api.games.splendor.violations import (
    CARD_DUPLICATE,
    CARD_MISSING,
    DECK_LEVEL,
    DRAWN_MISMATCH,
    FINAL_ROUND_MISMATCH,
    MARKET_GAP,
    NOBLE_COUNT,
    NOBLE_DUPLICATE,
    NOBLE_UNDESERVED,
    OUTCOME_MISMATCH,
    PHASE_MISMATCH,
    RESERVE_LIMIT_EXCEEDED,
    TOKEN_COUNT,
    TOKEN_LIMIT_EXCEEDED,
    TOO_MANY_CARDS,
    TURN_MISMATCH,
)
from splendor_api.games.violations import Violation

_ALL_CARDS = frozenset(CARDS)

# What may be in the slots of each level.
_CONTENTS = {level: {*cards, None, UNKNOWN} for level, cards in CARDS_OF_LEVEL.items()}


def audit(state: State) -> Iterator[Violation]:
    """Yield every contradiction in the state, in the order of report; pointers start at it."""
    if not is_plainly_sound(state):
        yield from findings(state)


def findings(state: State) -> Iterator[Violation]:
    """Do as `audit`, without a glance at the whole before."""
    yield from _token_count(state)
    yield from _cards(state)
    yield from _nobles(state)
    yield from _limits(state)
    yield from _turn(state)
    yield from _phase(state)
    reached = _seats_that_reached(state)
    yield from _final_round(state, reached)
    yield from _outcome(state, reached)
    yield from _market_gaps(state)
    yield from _drawn(state)
    yield from _too_many_cards(state)


def _token_count(state: State) -> Iterator[Violation]:
    """Hold bank and players against the supply (S84)."""
    gems, gold = state.options.gems_per_color, state.options.gold_tokens
    held = [player.tokens for player in state.players]
    for color, found in enumerate(map(sum, zip(state.bank, *held, strict=True))):
        expected = gold if color == GOLD else gems
        if found != expected:
            word = COLOR_WORDS[color]
            yield TOKEN_COUNT.at(f"/bank/{word}", color=word, expected=expected, found=found)


def _cards(state: State) -> Iterator[Violation]:
    """Find cards in several places, in none, or in those of another level (S83, S9)."""
    known = _known_cards(state)
    distinct = set(known)
    if len(distinct) != len(known):
        yield from _duplicates(state)
    yield from _uncounted_cards(state, distinct)
    yield from _strangers(state)


def _known_cards(state: State) -> list[int]:
    known = face_up(state.market)
    for deck in state.decks:
        if not isinstance(deck, int):
            known += deck
    for player in state.players:
        known += player.cards
        if player.reserved:
            known += [held.card for held in player.reserved if held.card is not None]
    return known


def _placed_cards(state: State) -> Iterator[tuple[str, int | str | None]]:
    """Yield what lies in every place for a card, with its pointer; not all of them are cards."""
    for level, row in zip(LEVELS, state.market, strict=True):
        yield from ((f"/market/{level}/{slot}", card) for slot, card in enumerate(row))
    for level, deck in zip(LEVELS, state.decks, strict=True):
        cards = () if isinstance(deck, int) else deck
        yield from ((f"/decks/{level}/{place}", card) for place, card in enumerate(cards))
    for seat, player in enumerate(state.players):
        for place, card in enumerate(player.cards):
            yield f"/players/{seat}/cards/{place}", card
        for place, held in enumerate(player.reserved):
            yield f"/players/{seat}/reserved/{place}/card", held.card


def _duplicates(state: State) -> Iterator[Violation]:
    seen: set[int] = set()
    for pointer, card in _placed_cards(state):
        if not isinstance(card, int):
            continue
        if card in seen:
            yield CARD_DUPLICATE.at(pointer, card=card)
        seen.add(card)


def _uncounted_cards(state: State, known: set[int]) -> Iterator[Violation]:
    """Hold the cards of each level that are nowhere seen against the places of unknown cards."""
    unknown = [place.level for place in owed_reveals(state.market)]
    unknown += [
        held.level for player in state.players for held in player.reserved if held.card is None
    ]
    if not unknown and has_known_decks(state) and known == _ALL_CARDS:
        return
    missing = {}
    for level, deck in zip(LEVELS, state.decks, strict=True):
        places = unknown.count(level) + (deck if isinstance(deck, int) else 0)
        missing[level] = len(CARDS_OF_LEVEL[level] - known) - places
    for level, count in missing.items():
        if count < 0:
            yield CARD_DUPLICATE.at(f"/decks/{level}", card=None)
    for level, count in missing.items():
        if count > 0:
            yield CARD_MISSING.at(f"/decks/{level}", level=level, count=count)


def _strangers(state: State) -> Iterator[Violation]:
    """Find cards in the rows and decks of other levels."""
    for level, row, deck in zip(LEVELS, state.market, state.decks, strict=True):
        cards = CARDS_OF_LEVEL[level]
        rest = () if isinstance(deck, int) else deck
        if cards.issuperset(rest) and _CONTENTS[level].issuperset(row):
            continue
        for slot, card in enumerate(row):
            if isinstance(card, int) and card not in cards:
                yield DECK_LEVEL.at(f"/market/{level}/{slot}", card=card, level=level)
        for place, card in enumerate(rest):
            if card not in cards:
                yield DECK_LEVEL.at(f"/decks/{level}/{place}", card=card, level=level)


def _nobles(state: State) -> Iterator[Violation]:
    """Find tiles too many or too few, twice there, or undeserved (S88)."""
    tiles = [*state.nobles, *(noble for player in state.players for noble in player.nobles)]
    expected = state.options.nobles_revealed
    if len(tiles) != expected:
        yield NOBLE_COUNT.at("/nobles", expected=expected, found=len(tiles))
    if len(set(tiles)) != len(tiles):
        yield from _duplicate_nobles(state)
    for seat, player in enumerate(state.players):
        for place, noble in enumerate(player.nobles):
            if not eligible_nobles((noble,), player.bonuses):
                yield NOBLE_UNDESERVED.at(f"/players/{seat}/nobles/{place}", noble=noble)


def _duplicate_nobles(state: State) -> Iterator[Violation]:
    placed = [(f"/nobles/{place}", noble) for place, noble in enumerate(state.nobles)]
    for seat, player in enumerate(state.players):
        for place, noble in enumerate(player.nobles):
            placed.append((f"/players/{seat}/nobles/{place}", noble))
    seen: set[int] = set()
    for pointer, noble in placed:
        if noble in seen:
            yield NOBLE_DUPLICATE.at(pointer, noble=noble)
        seen.add(noble)


def _limits(state: State) -> Iterator[Violation]:
    """Find who holds more tokens or reserved cards than allowed (S86, S87)."""
    options = state.options
    for seat, player in enumerate(state.players):
        surplus = return_tokens.surplus(player, options)
        if surplus and surplus > _allowed_surplus(state, seat, player):
            yield TOKEN_LIMIT_EXCEEDED.at(
                f"/players/{seat}/tokens", held=sum(player.tokens), limit=options.token_limit
            )
    for seat, player in enumerate(state.players):
        if len(player.reserved) > options.reserve_limit:
            yield RESERVE_LIMIT_EXCEEDED.at(
                f"/players/{seat}/reserved",
                held=len(player.reserved),
                limit=options.reserve_limit,
            )


def _allowed_surplus(state: State, seat: int, player: Player) -> int:
    """Return how far a seat may be above the limit: by what it drew, while the return is owed.

    A seat that resigned then, or while which another one did, keeps it.
    """
    if player.resigned:
        return return_tokens.MOST
    if seat != state.seat or state.phase in ("main", "choose_noble"):
        return 0
    if state.phase == "over":
        return return_tokens.MOST if _is_over_by_resignation(state) else 0
    return return_tokens.MOST if state.drawn is None else min(return_tokens.MOST, sum(state.drawn))


def _is_over_by_resignation(state: State) -> bool:
    return state.outcome is not None and state.outcome.reason == "resigned"


def _turn(state: State) -> Iterator[Violation]:
    """Hold the seat to act against the completed turns modulo the seats (S89)."""
    if state.phase != "over" and state.to_act != state.seat:
        yield TURN_MISMATCH.at("/to_act", turn=state.turn, to_act=state.to_act)


def _phase(state: State) -> Iterator[Violation]:
    """Hold the phase against what is owed (S92)."""
    if not _is_in_phase(state):
        yield PHASE_MISMATCH.at("/phase", phase=state.phase)


def _is_in_phase(state: State) -> bool:
    phase, player, options = state.phase, state.player, state.options
    is_reveal_owed = bool(owed_reveals(state.market))
    if phase == "over":
        is_cut_short = _is_over_by_resignation(state)
        return state.to_act is None and (is_cut_short or not is_reveal_owed)
    if phase == "reveal":
        return is_reveal_owed and not has_known_decks(state)
    if is_reveal_owed or player.resigned:
        return False
    surplus = return_tokens.surplus(player, options)
    if phase == "return_tokens":
        return surplus > 0
    if phase == "choose_noble":
        return not surplus and len(eligible_nobles(state.nobles, player.bonuses)) > 1
    return options.passing != "never" or not pass_turn.is_stuck(state, player)


def _final_round(state: State, reached: list[int]) -> Iterator[Violation]:
    """Find a final round that no turn began, or one that goes on too long (S91)."""
    is_too_long = state.phase != "over" and _is_late(state, reached)
    if state.final_round != bool(reached) or is_too_long:
        yield FINAL_ROUND_MISMATCH.at("/final_round", final_round=state.final_round)


def _is_late(state: State, reached: list[int]) -> bool:
    """Return whether play has gone on after the round in which a seat reached the target."""
    is_end = state.phase == "over" and _due_end(state, reached) == "target_prestige"
    return not is_end and any(seat >= state.seat for seat in reached)


def _seats_that_reached(state: State) -> list[int]:
    """Return the seats that have ended a turn at the target; in the midst of one it may be new."""
    return [
        seat
        for seat, player in enumerate(state.players)
        if player.prestige >= state.options.target_prestige
        and _ended_turns(state, seat)
        and (state.phase == "return_tokens" or not _is_mid_turn(state, seat))
    ]


def _outcome(state: State, reached: list[int]) -> Iterator[Violation]:
    """Hold the outcome against the one that follows from the state (S72 to S74)."""
    if not _is_outcome_right(state, reached):
        yield OUTCOME_MISMATCH.at("/outcome")


def _is_outcome_right(state: State, reached: list[int]) -> bool:
    reason = _due_end(state, reached)
    if _is_late(state, reached) or not seats_left(state):
        return False
    if state.phase != "over":
        return reason is None and state.outcome is None
    if reason is None and is_deadlocked(state):
        reason = "deadlock"
    return reason is not None and state.outcome == outcome(state, reason)


def _due_end(state: State, reached: list[int]) -> str | None:
    """Return for what reason, but for a deadlock, the game has to be over (S70)."""
    if len(seats_left(state)) < 2:
        return "resigned"
    return "target_prestige" if reached and state.seat == 0 else None


def _market_gaps(state: State) -> Iterator[Violation]:
    """Find slots that are empty although their level's deck is not (S85)."""
    for level, row, deck in zip(LEVELS, state.market, state.decks, strict=True):
        if None not in row or not deck_size(deck):
            continue
        for slot in range(SLOTS):
            if row[slot] is None:
                yield MARKET_GAP.at(f"/market/{level}/{slot}", level=level, slot=slot)


def _drawn(state: State) -> Iterator[Violation]:
    """Hold `drawn` against what one turn can draw, and a return that is owed (S86)."""
    if not _is_drawn_right(state):
        drawn = None if state.drawn is None else token_map(state.drawn)
        yield DRAWN_MISMATCH.at("/drawn", drawn=drawn)


def _is_drawn_right(state: State) -> bool:
    drawn, player = state.drawn, state.player
    is_surplus = return_tokens.surplus(player, state.options) > 0
    is_owed_later = state.phase == "reveal" and is_surplus and not player.resigned
    is_needed = state.phase == "return_tokens" or is_owed_later
    if drawn is None or not is_needed:
        return drawn is None and not is_needed
    is_held = all(have >= new for have, new in zip(player.tokens, drawn, strict=True))
    return is_surplus and is_held and _is_one_draw(drawn)


def _is_one_draw(drawn: Tokens) -> bool:
    """Return whether one action can have drawn this: up to three gems of different colours, two
    of one, or one gold.
    """
    *gems, gold = drawn
    taken = sorted(count for count in gems if count)
    if gold:
        return gold == 1 and not taken
    return taken in ([1], [1, 1], [1, 1, 1], [2])


def _too_many_cards(state: State) -> Iterator[Violation]:
    """Hold cards, and nobles, against the turns that a player has acted in (S90)."""
    for seat, player in enumerate(state.players):
        turns = _ended_turns(state, seat) + _is_mid_turn(state, seat)
        cards = len(player.cards) + len(player.reserved)
        for member, held in (("cards", cards), ("nobles", len(player.nobles))):
            if held > turns:
                yield TOO_MANY_CARDS.at(f"/players/{seat}/{member}", held=held, turns=turns)


def _ended_turns(state: State, seat: int) -> int:
    seats = len(state.players)
    return (state.turn - seat + seats - 1) // seats


def _is_mid_turn(state: State, seat: int) -> bool:
    """Return whether the seat may have acted in a turn that has not ended."""
    if seat != state.seat or state.phase == "main":
        return False
    return state.phase != "over" or _is_over_by_resignation(state)
