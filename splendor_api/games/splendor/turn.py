"""One turn, in order: phase and seat, the action, the refill, return, noble, end (S12 to S22).

Everything else asks here what may be done and what it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from splendor_api.games.protocol import Step
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Pass,
    Reserve,
    Resign,
    ReturnTokens,
    Reveal,
    TakeDifferent,
    TakeSame,
    TurnAction,
    buy,
    choose_noble,
    pass_turn,
    reserve,
    resign,
    return_tokens,
    reveal,
    take_different,
    take_same,
)
from splendor_api.games.splendor.actions.effect import Effect, unchanged
from splendor_api.games.splendor.components import CARDS
from splendor_api.games.splendor.events import (
    Event,
    FinalRoundStarted,
    GameOver,
    NobleOwed,
    NobleVisited,
    Place,
    Resigned,
    ReturnOwed,
    RevealOwed,
    TokensReturned,
    TurnEnded,
    TurnSkipped,
)
from splendor_api.games.splendor.scoring import outcome
from splendor_api.games.splendor.state import (
    Phase,
    Player,
    State,
    eligible_nobles,
    owed_reveals,
    with_player,
)
from splendor_api.games.splendor.tokens import (
    NONE,
    Tokens,
    minus,
    plus,
    token_map,
    with_one_more,
)
from splendor_api.games.splendor.violations import NOBLE_NOT_YET
from splendor_api.games.violations import GAME_OVER, WRONG_PHASE, WRONG_SEAT, Violation

PHASE_OF: Mapping[type[TurnAction], Phase] = {
    TakeDifferent: "main",
    TakeSame: "main",
    Reserve: "main",
    Buy: "main",
    Pass: "main",
    ReturnTokens: "return_tokens",
    ChooseNoble: "choose_noble",
    Reveal: "reveal",
}

# Each function takes just the actions of its key, which the type of a table cannot say.
_VIOLATIONS: Mapping[type[TurnAction], Callable[[State, Any], Iterator[Violation]]] = {
    TakeDifferent: take_different.violations,
    TakeSame: take_same.violations,
    Reserve: reserve.violations,
    Buy: buy.violations,
    Pass: pass_turn.violations,
    Reveal: reveal.violations,
}
_EFFECTS: Mapping[type[TurnAction], Callable[[State, Any], Effect]] = {
    TakeDifferent: take_different.effect,
    TakeSame: take_same.effect,
    Reserve: reserve.effect,
    Buy: buy.effect,
    Pass: pass_turn.effect,
    ReturnTokens: return_tokens.effect,
    ChooseNoble: choose_noble.effect,
    Reveal: reveal.effect,
}


def violations(state: State, action: Action) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action.

    What cannot be judged because of an earlier violation is not guessed at.
    """
    if state.phase == "over":
        yield GAME_OVER.at()
        return
    if isinstance(action, Resign):
        yield from resign.violations(state, action)
        return
    if action.seat is not None and action.seat != state.to_act:
        yield WRONG_SEAT.at("/seat", seat=action.seat, to_act=state.to_act)
        return
    if PHASE_OF[type(action)] != state.phase:
        yield WRONG_PHASE.at("/type", phase=state.phase, expected=PHASE_OF[type(action)])
        return
    broken = list(_choice_violations(state, action))
    yield from broken
    if not broken and (action.returned is not None or action.noble is not None):
        yield from _duty_violations(state, action)


def choices(state: State, seat: int | None) -> list[Action]:
    """Return what the seat may choose in the present phase, without return, noble and payment.

    Order: takes of different colours (fewer first, then by colour), takes of two, reserves (face
    up by level and slot, then decks), purchases (face up, then from the hand), passing.
    """
    if state.to_act is None or (seat is not None and seat != state.to_act):
        return []
    if state.phase == "return_tokens":
        return [*return_tokens.legal(state)]
    if state.phase == "choose_noble":
        return [*choose_noble.legal(state)]
    if state.phase == "reveal":
        return [*reveal.legal(state)]
    player = state.player
    listed: list[Action] = [
        *take_different.legal(state),
        *take_same.legal(state),
        *reserve.legal(state, player),
        *buy.legal(state, player),
    ]
    if not listed or state.options.passing == "always":
        listed += pass_turn.legal(state)
    return listed


def turns(state: State, seat: int | None) -> Iterator[Action]:
    """Yield every complete turn of the seat, with each payment, return and noble that leads to a
    state of its own; in the order of `choices`.
    """
    is_plain = _owes_nothing(state)
    for action in choices(state, seat):
        assert not isinstance(action, Resign), "resigning is never listed"
        if is_plain and not isinstance(action, Buy):
            yield action
            continue
        settled = _with_payments_or_returns(state, action)
        nobles = _nobles_to_choose(state, action)
        yield from _with_nobles(settled, nobles) if nobles else settled


def shown(state: State, seat: int | None) -> Iterator[Action]:
    """Yield what an interface shows to the seat, if only disabled."""
    if state.to_act is None or (seat is not None and seat != state.to_act):
        return
    yield from (
        action for action in take_different.CANDIDATES if len(action.colors) == take_different.MOST
    )
    yield from take_same.CANDIDATES
    yield from reserve.FROM_DECK
    for card in buy.candidates(state, state.player):
        yield reserve.FROM_MARKET[card]
        yield buy.PLAIN[card]
    yield pass_turn.PLAIN


def apply(state: State, action: Action) -> Step[State, Event]:
    """Return the state after a legal `action`, and what happened."""
    if isinstance(action, Resign):
        events: list[Event] = [Resigned(action.seat, action.timeout)]
        return Step(_after_resigning(state, action, events), tuple(events))
    effect = effect_of(state, action)
    events = [*effect.events]
    after = _after_effect(state, effect, action.returned, action.noble, events)
    return Step(after, tuple(events))


def normal(state: State, action: Action) -> Action:
    """Return the one spelling of a legal `action`: colours sorted, the payment written out, no
    noble that comes without being named, no seat.
    """
    if isinstance(action, Resign):
        return action
    if isinstance(action, TakeDifferent):
        action = replace(action, colors=tuple(sorted(action.colors)))
    if isinstance(action, Buy):
        action = replace(action, payment=buy.payment(state.player, action))
    if action.noble is not None and not isinstance(action, (ChooseNoble, Reveal)):
        bonuses = effect_of(state, action).player.bonuses
        if len(eligible_nobles(state.nobles, bonuses)) == 1:
            action = replace(action, noble=None)
    return replace(action, seat=None)


def preview(state: State, action: Action) -> Mapping[str, object]:
    """Return what an interface shows beside a legal `action`, as plain JSON values.

    Always `nobles`, the ids of those that could come; for a purchase `payment`, `bonus` and the
    card's `prestige`; for takes, reserves and returns `tokens_after` and `must_return`.
    """
    assert not isinstance(action, Resign), "resigning is never listed"
    player = state.player
    if isinstance(action, Buy):
        card = CARDS[action.card]
        bonuses = with_one_more(player.bonuses, card.bonus)
        return {
            "payment": token_map(buy.payment(player, action)),
            "bonus": card.bonus.word,
            "prestige": card.points,
            "nobles": list(eligible_nobles(state.nobles, bonuses)),
        }
    nobles = list(eligible_nobles(state.nobles, player.bonuses))
    if isinstance(action, (Pass, ChooseNoble, Reveal)):
        return {"nobles": nobles}
    held = plus(player.tokens, _tokens_drawn(state, action))
    left = held if action.returned is None else minus(held, action.returned)
    return {
        "tokens_after": token_map(left),
        "must_return": return_tokens.beyond_limit(held, state.options),
        "nobles": nobles,
    }


def _tokens_drawn(
    state: State, action: TakeDifferent | TakeSame | Reserve | ReturnTokens
) -> Tokens:
    """Return what the seat takes from the bank by an action."""
    match action:
        case TakeDifferent():
            return take_different.tokens_drawn(action)
        case TakeSame():
            return take_same.tokens_drawn(action)
        case Reserve():
            return reserve.tokens_drawn(state)
    return NONE


def is_deadlocked(state: State) -> bool:
    """Return whether nothing can ever change again: no seat in the game has a legal action but to
    pass, and no noble could come to any (S22).

    A card of unknown face in a hand counts as one that could still be bought. Not so where stuck
    seats are skipped: the game would go round for ever without asking anybody for it.
    """
    if take_different.legal(state):
        return False
    return all(player.resigned or _is_finished(state, player) for player in state.players)


def _is_finished(state: State, player: Player) -> bool:
    """Return whether `player` can change nothing any more, once nobody can take tokens."""
    holds_unknown = any(held.card is None for held in player.reserved)
    if holds_unknown and state.options.passing != "never":
        return False
    has_noble_due = bool(eligible_nobles(state.nobles, player.bonuses))
    return pass_turn.is_stuck(state, player) and not has_noble_due


def is_opening(state: State) -> bool:
    """Return whether nobody has acted yet: the first cards of a counted deck are being told."""
    return state.turn == 0 and not any(
        any(player.tokens) or player.cards or player.reserved for player in state.players
    )


def _choice_violations(state: State, action: TurnAction) -> Iterator[Violation]:
    """Yield what forbids the choice itself, the turn's duties left aside."""
    if isinstance(action, (ReturnTokens, ChooseNoble)):
        return iter(())
    return _VIOLATIONS[type(action)](state, action)


def effect_of(state: State, action: TurnAction) -> Effect:
    """Return what the choice does, before the turn's duties."""
    return _EFFECTS[type(action)](state, action)


def _duty_violations(state: State, action: TurnAction) -> Iterator[Violation]:
    """Yield what is wrong with the return and the noble of an action that breaks nothing else."""
    effect, options = effect_of(state, action), state.options
    if action.returned is not None:
        member = "/tokens" if isinstance(action, ReturnTokens) else "/return"
        broken = [
            violation.under(member)
            for violation in return_tokens.violations(
                effect.player, effect.drawn, action.returned, options
            )
        ]
        if broken:
            yield from broken
            return
    if action.noble is None:
        return
    is_return_owed = action.returned is None and return_tokens.surplus(effect.player, options)
    if is_return_owed or _owed_reveals(effect):
        yield NOBLE_NOT_YET.at("/noble")
        return
    eligible = eligible_nobles(state.nobles, effect.player.bonuses)
    yield from choose_noble.violations(action.noble, eligible)


def _owed_reveals(effect: Effect) -> tuple[Place, ...]:
    return owed_reveals(effect.market) if isinstance(effect.decks[0], int) else ()


def _after_effect(
    state: State,
    effect: Effect,
    returned: Tokens | None,
    noble: int | None,
    events: list[Event],
) -> State:
    """Return the state after the duties that follow the action, as far as they are settled."""
    seat, player, drawn = state.seat, effect.player, effect.drawn
    reveals = _owed_reveals(effect)
    if reveals and state.phase == "main":
        events.append(RevealOwed(seat, reveals))
    surplus = return_tokens.surplus(player, state.options)
    if surplus and returned is not None:
        player = player.with_tokens(minus(player.tokens, returned))
        effect = effect.with_player(player, plus(effect.bank, returned))
        events.append(TokensReturned(seat, returned))
        surplus = 0
    if reveals:
        is_return_owed = surplus and not player.resigned
        return _moved(state, effect, "reveal", drawn if is_return_owed else None)
    if state.phase == "reveal" and is_opening(state):
        return _begin(_moved(state, effect, "main", None), events)
    if player.resigned:
        return _end(state, effect, state.nobles, events)
    if surplus:
        events.append(ReturnOwed(seat, surplus))
        return _moved(state, effect, "return_tokens", drawn)
    eligible = eligible_nobles(state.nobles, player.bonuses)
    if not eligible:
        return _end(state, effect, state.nobles, events)
    if len(eligible) > 1 and noble is None:
        events.append(NobleOwed(seat, eligible))
        return _moved(state, effect, "choose_noble", None)
    visitor = eligible[0] if noble is None else noble
    events.append(NobleVisited(seat, visitor))
    visited = effect.with_player(player.with_noble(visitor), effect.bank)
    return _end(state, visited, tuple(tile for tile in state.nobles if tile != visitor), events)


def _moved(state: State, effect: Effect, phase: Phase, drawn: Tokens | None) -> State:
    """Return the state with the things where `effect` has put them, in the same turn."""
    seat = state.seat
    players = with_player(state.players, seat, effect.player)
    return State(
        state.ruleset, state.options, state.turn, seat, phase, drawn, state.final_round, None,
        effect.bank, effect.market, effect.decks, state.nobles, players,
    )  # fmt: skip


def _end(state: State, effect: Effect, nobles: tuple[int, ...], events: list[Event]) -> State:
    """End the turn of the seat to act, with the things where `effect` has put them and with these
    tiles, and begin the next one (S69 to S71, S22).
    """
    ruleset, options, turn, _, _, _, final_round, _, _, _, _, _, players = state
    bank, player, market, decks, _, _ = effect
    seat, turn = turn % len(players), turn + 1
    is_final = final_round or player.prestige >= options.target_prestige
    if is_final and not final_round:
        events.append(FinalRoundStarted(seat))
    events.append(TurnEnded(seat, turn))
    players = with_player(players, seat, player)
    following = turn % len(players)
    begun = State(
        ruleset, options, turn, following, "main", None, is_final, None,
        bank, market, decks, nobles, players,
    )  # fmt: skip
    if is_final and following == 0:
        return _over(begun, "target_prestige", events)
    if is_deadlocked(begun):
        return _over(begun, "deadlock", events)
    return _begin(begun, events)


def _begin(state: State, events: list[Event]) -> State:
    """Begin the turn of the seat to act, or skip it: the seat has resigned, or is stuck where
    passing is off (S20). A stuck seat is due its noble like any other (S21).
    """
    player = state.player
    if player.resigned:
        events.append(TurnSkipped(state.seat))
        return _end(state, unchanged(state), state.nobles, events)
    if state.options.passing != "never" or not pass_turn.is_stuck(state, player):
        return state
    events.append(TurnSkipped(state.seat))
    return _after_effect(state, unchanged(state), None, None, events)


def _after_resigning(state: State, action: Resign, events: list[Event]) -> State:
    """Return the state without the seat: its turn, if it is its turn, ends, and what it owed lapses
    but for a reveal, which is the table's affair.
    """
    resigned = state.players[action.seat]._replace(resigned=True)
    left = state._replace(players=with_player(state.players, action.seat, resigned))
    if sum(not player.resigned for player in left.players) == 1:
        return _over(left, "resigned", events)
    if action.seat != state.to_act:
        return left
    if state.phase == "reveal":
        return left._replace(drawn=None)
    if state.phase == "main":
        return _begin(left, events)
    return _end(left, unchanged(left), left.nobles, events)


def _over(state: State, reason: str, events: list[Event]) -> State:
    """End the game."""
    ended = state._replace(phase="over", to_act=None, drawn=None)
    final = outcome(ended, reason)
    events.append(GameOver(final))
    return ended._replace(outcome=final)


def _owes_nothing(state: State) -> bool:
    """Return whether no choice but a purchase can have a return or a noble follow to choose."""
    player = state.player
    has_room = sum(player.tokens) + return_tokens.MOST <= state.options.token_limit
    return has_room and len(eligible_nobles(state.nobles, player.bonuses)) < 2


def _with_payments_or_returns(state: State, action: TurnAction) -> Sequence[TurnAction]:
    """Return the choice once for each way to settle what it costs, and what is held then."""
    player, options = state.player, state.options
    if isinstance(action, Buy):
        return buy.with_payments(player, action, options.gold_payment)
    if isinstance(action, TakeDifferent):
        return take_different.with_returns(player, action, options)
    if isinstance(action, TakeSame):
        return take_same.with_returns(player, action, options)
    if isinstance(action, Reserve):
        return reserve.with_returns(state, player, action)
    return (action,)


def _with_nobles(actions: Sequence[TurnAction], nobles: tuple[int, ...]) -> Iterator[TurnAction]:
    """Yield each action once with each noble."""
    for action in actions:
        assert not isinstance(action, (ChooseNoble, Reveal)), "these do not name one beside"
        for noble in nobles:
            yield replace(action, noble=noble)


def _nobles_to_choose(state: State, action: TurnAction) -> tuple[int, ...]:
    """Return the nobles between which the seat may choose with the action: none, or several."""
    if isinstance(action, (ChooseNoble, Reveal)):
        return ()
    bonuses = state.player.bonuses
    if isinstance(action, Buy):
        bonuses = with_one_more(bonuses, CARDS[action.card].bonus)
    eligible = eligible_nobles(state.nobles, bonuses)
    if len(eligible) < 2 or _owed_reveals(effect_of(state, action)):
        return ()
    return eligible


def acting(state: State) -> tuple[int, ...]:
    """Return the seat that may act, if the game goes on (S14)."""
    return () if state.to_act is None else (state.to_act,)


def seat_of(state: State, action: Action) -> int | None:
    """Return the seat that the action is for."""
    return state.to_act if action.seat is None else action.seat
