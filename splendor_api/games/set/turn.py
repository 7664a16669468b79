"""One action after another: who may act, what it does, and what the table does by itself.

There are no turns (T13). Everything else asks here what may be done and what it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from splendor_api.games.protocol import Step
from splendor_api.games.set.actions import (
    Action,
    Call,
    Claim,
    Forfeit,
    NoSet,
    Resign,
    call,
    claim,
    forfeit,
    no_set,
    resign,
)
from splendor_api.games.set.actions.deal_cards import with_extra_cards
from splendor_api.games.set.actions.effect import Effect
from splendor_api.games.set.components import holds_set
from splendor_api.games.set.events import Event, GameOver
from splendor_api.games.set.scoring import outcome
from splendor_api.games.set.state import State, active_seats, cards_on
from splendor_api.games.violations import GAME_OVER, WRONG_SEAT, Violation


def violations(state: State, action: Action) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action.

    `game_over`, then `wrong_seat`, then what the phase forbids: the first stands alone.
    """
    if state.phase == "over":
        yield GAME_OVER.at()
    elif not _may_act(state, action):
        yield WRONG_SEAT.at("/seat", seat=action.seat, to_act=state.to_act)
    else:
        yield from _violations(state, action)


def apply(state: State, action: Action) -> Step[State, Event]:
    """Return the state after a legal `action`, and what happened."""
    effect = _effect(state, action)
    events = list(effect.events)
    after = _settled(effect.state, events)
    return Step(after, tuple(events))


def choices(state: State, seat: int | None) -> list[Action]:
    """Return every call, forfeit and saying of the seat (`None`: of any), seat by seat.

    Claims are left out: there are as many as threes of cards, see `turns`.
    """
    listed: list[Action] = []
    for caller in acting(state):
        if seat is None or seat == caller:
            candidates: tuple[Action, ...] = (Call(caller), Forfeit(caller), NoSet(caller))
            listed += [action for action in candidates if not any(_violations(state, action))]
    return listed


def turns(state: State, seat: int | None) -> Iterator[Action]:
    """Yield the choices, then every three cards of the table as a claim, for each seat (T21)."""
    yield from choices(state, seat)
    for claimant in acting(state):
        if seat is None or seat == claimant:
            yield from claim.candidates(state, claimant)


def shown(state: State, seat: int | None) -> Iterator[Action]:
    """Yield what an interface shows to the seat (`None`: to any), if only disabled."""
    if state.phase == "over":
        return
    for viewer in active_seats(state):
        if seat is None or seat == viewer:
            yield from (Call(viewer), Forfeit(viewer), NoSet(viewer))


def normal(_: State, action: Action) -> Action:
    """Return the one spelling of a legal `action`: cards ascending (T12)."""
    if not isinstance(action, Claim):
        return action
    first, second, third = sorted(action.cards)
    return Claim(action.seat, (first, second, third))


def preview(state: State, action: Action) -> Mapping[str, object]:
    """Return what an action puts at risk; whether a claim is a set, it does not tell (T24, T47).

    `penalty` is lost if the claim or the call fails, 0 where nothing can fail. `waiting_for` are
    the seats that must say `no_set` too before something comes of it (T36).
    """
    if isinstance(action, NoSet):
        others = (seat for seat in active_seats(state) if seat != action.seat)
        waiting_for = [seat for seat in others if seat not in state.no_set]
        return {"penalty": 0, "waiting_for": waiting_for}
    return {"penalty": state.options.penalty}


def acting(state: State) -> tuple[int, ...]:
    """Return the seats that may act: the caller, or while nobody has called every seat."""
    if state.phase == "over":
        return ()
    return active_seats(state) if state.to_act is None else (state.to_act,)


def overdue(state: State) -> Action:
    """Return what is done for a caller that takes too long (T19)."""
    assert state.to_act is not None, "somebody has called"
    return Forfeit(state.to_act)


def needs_cards(state: State) -> bool:
    """Return whether the table holds no set although the deck could bring one."""
    return bool(state.deck) and not holds_set(cards_on(state.table))


def due_end(state: State) -> str | None:
    """Return for what reason the game has to be over, if no more cards come (T40, T41)."""
    left = len(active_seats(state))
    if left < min(2, len(state.players)):
        return "resigned"
    if holds_set(cards_on(state.table)):
        return None
    if not state.deck:
        return "no_set_left"
    return "lost" if state.is_lost_without_set else None


def is_agreed(state: State) -> bool:
    """Return whether every seat that is left says that there is no set (T36, T39)."""
    return bool(state.no_set) and set(state.no_set) >= set(active_seats(state))


def begun(state: State) -> State:
    """Return the state as dealt with what the table does by itself before anybody acts (T8)."""
    return _settled(state, [])


def _may_act(state: State, action: Action) -> bool:
    """Return whether the action is for a seat that is there and not shut out by a call (T14)."""
    if action.seat not in active_seats(state):
        return False
    return state.to_act in (None, action.seat) or isinstance(action, Resign)


def _violations(state: State, action: Action) -> Iterator[Violation]:
    match action:
        case Call():
            return call.violations(state, action)
        case Claim():
            return claim.violations(state, action)
        case Forfeit():
            return forfeit.violations(state, action)
        case NoSet():
            return no_set.violations(state, action)
        case Resign():
            return iter(())


def _effect(state: State, action: Action) -> Effect:
    match action:
        case Call():
            return call.effect(state, action)
        case Claim():
            return claim.effect(state, action)
        case Forfeit():
            return forfeit.effect(state, action)
        case NoSet():
            return no_set.effect(state, action)
        case Resign():
            return resign.effect(state, action)


def _settled(state: State, events: list[Event]) -> State:
    """Return the state after what the table does by itself: extra cards (T32, T36), the end.

    No cards come while a seat has them to itself (T14).
    """
    if due_end(state) == "resigned":
        return _over(state, "resigned", events)
    if state.phase == "called":
        return state
    if is_agreed(state):
        if not state.deck:
            return _over(state, "agreed", events)
        state, dealt = with_extra_cards(state)
        events += dealt
    while state.options.extra_cards == "automatic" and due_end(state) is None:
        if not needs_cards(state):
            return state
        state, dealt = with_extra_cards(state)
        events += dealt
    reason = due_end(state)
    return state if reason is None else _over(state, reason, events)


def _over(state: State, reason: str, events: list[Event]) -> State:
    """End the game."""
    ended = state._replace(phase="over", to_act=None)
    final = outcome(ended, reason)
    events.append(GameOver(final))
    return ended._replace(outcome=final)
