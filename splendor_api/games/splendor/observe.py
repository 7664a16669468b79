"""What is hidden, in one place: what a seat sees of a state and of the events (S76 to S82)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from splendor_api.games.protocol import Step
from splendor_api.games.splendor.components import CARDS, LEVELS
from splendor_api.games.splendor.events import CardReserved, CardsShown, Event, GameOver
from splendor_api.games.splendor.options import Options
from splendor_api.games.splendor.state import (
    Decks,
    Player,
    Reserved,
    State,
    deck_size,
    is_concealed,
)


def observe(state: State, seat: int | None) -> State:
    """Return what the seat (`None`: a spectator) sees: decks as counts, of hidden cards the level.

    When the game is over nothing is hidden (S82).
    """
    return state if state.phase == "over" else _seen(state, seat)


def observe_step(step: Step[State, Event], seat: int | None) -> tuple[Event, ...]:
    """Return what the seat sees of the events of a step.

    At the end the event `cards_shown`, before `game_over`, tells what was hidden until then.
    """
    options = step.state.options
    seen = tuple(_event_from_outside(event, options, seat) for event in step.events)
    if not step.events or not isinstance(step.events[-1], GameOver):
        return seen
    return (*seen[:-1], _cards_shown(step.state), seen[-1])


def split(state: State) -> tuple[State, bytes]:
    """Return what a spectator sees while the game goes on, and the rest: decks, then hands.

    The second half, a byte a card, is as long as there are cards, so that it tells nothing by that.
    """
    seen = _seen(state, None)
    hidden = b"".join([bytes(deck) for deck in state.decks if not isinstance(deck, int)])
    for whole, player in zip(state.players, seen.players, strict=True):
        if player is not whole:
            hidden += bytes(_concealed(whole.reserved, player.reserved))
    return seen, hidden.ljust(len(CARDS), b"\0")


def join(seen: State, hidden: bytes) -> State:
    """Return the state of which these are the halves; raise `ValueError` if they are not."""
    first, second, third = map(deck_size, seen.decks)
    third += (second := first + second)
    cards = iter(hidden[third:])
    players = tuple([_with_cards(player, cards) for player in seen.players])
    if len(hidden) != len(CARDS) or any(cards):
        raise ValueError("there are more hidden cards than places for them")
    decks = tuple(hidden[:first]), tuple(hidden[first:second]), tuple(hidden[second:third])
    return _with_halves(seen, decks, players)


_BACKS = {level: Reserved(None, level, hidden=True) for level in LEVELS}
_FACE_WAS_SEEN = 0x80  # a card that all saw go into a hand (S78); ids are smaller
_UNCOVERED = {card.id: Reserved(card.id, card.level, hidden=True) for card in CARDS.values()} | {
    card.id | _FACE_WAS_SEEN: Reserved(card.id, card.level, hidden=False) for card in CARDS.values()
}


def _concealed(whole: tuple[Reserved, ...], seen: tuple[Reserved, ...]) -> Iterator[int]:
    """Yield a byte for each known card of a hand that does not show from outside."""
    for held, shown in zip(whole, seen, strict=True):
        if held.card is not None and shown.card is None:
            yield held.card if held.hidden else held.card | _FACE_WAS_SEEN


def _with_cards(player: Player, cards: Iterator[int]) -> Player:
    for held in player.reserved:
        if held.card is None:
            break
    else:
        return player
    return player.with_hand(
        tuple([_UNCOVERED[next(cards)] if held.card is None else held for held in player.reserved])
    )


def _seen(state: State, seat: int | None) -> State:
    first, second, third = map(deck_size, state.decks)
    options = state.options
    players = tuple(
        [
            player if holder == seat or not player.reserved else _from_outside(player, options)
            for holder, player in enumerate(state.players)
        ]
    )
    return _with_halves(state, (first, second, third), players)


def _with_halves(state: State, decks: Decks, players: tuple[Player, ...]) -> State:
    """Return the state with other decks and players; `_replace` takes three times as long."""
    (ruleset, options, turn, to_act, phase, drawn, final_round, outcome,
     bank, market, _, nobles, _) = state  # fmt: skip
    return State(
        ruleset, options, turn, to_act, phase, drawn, final_round, outcome,
        bank, market, decks, nobles, players,
    )  # fmt: skip


def _from_outside(player: Player, options: Options) -> Player:
    reserved = player.reserved
    hand = tuple([_BACKS[held.level] if is_concealed(held, options) else held for held in reserved])
    return player if hand == reserved else player.with_hand(hand)


def _event_from_outside(event: Event, options: Options, seat: int | None) -> Event:
    """Leave out the face of a card drawn unseen by another seat (S77).

    A card reserved from the market is named under every option: all saw it go (S78).
    """
    if not isinstance(event, CardReserved) or event.seat == seat or event.slot is not None:
        return event
    return event if options.reserve_visibility == "open" else replace(event, card=None)


def _cards_shown(state: State) -> CardsShown:
    return CardsShown(state.decks, tuple(player.reserved for player in state.players))
