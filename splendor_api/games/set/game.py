"""SET behind the game protocol: its table of contents."""

from __future__ import annotations

from splendor_api.games.protocol import Game
from splendor_api.games.set import turn
from splendor_api.games.set.actions import ACTIONS, Action, Resign
from splendor_api.games.set.audit import audit
from splendor_api.games.set.deal import deal
from splendor_api.games.set.events import EVENTS, Event, is_revealing
from splendor_api.games.set.explain import EXPLAINING
from splendor_api.games.set.observe import join, observe, observe_step, solutions, split
from splendor_api.games.set.options import OPTIONS, RULESETS, SEATS, option_map, resolve
from splendor_api.games.set.scoring import REASONS
from splendor_api.games.set.state import State, active_seats
from splendor_api.games.set.violations import CODES, FINDINGS

SET: Game[State, Action, Event] = Game(
    name="set",
    title="SET",
    seats=SEATS,
    rulesets=RULESETS,
    options=OPTIONS,
    actions=ACTIONS,
    codes=CODES,
    findings=FINDINGS,
    events=EVENTS,
    outcomes=REASONS,
    resolve=lambda ruleset, seats, given: option_map(resolve(ruleset, seats, given)),
    deal=deal,
    audit=audit,
    violations=turn.violations,
    apply=turn.apply,
    choices=turn.choices,
    turns=turn.turns,
    shown=turn.shown,
    preview=turn.preview,
    normal=turn.normal,
    acting=turn.acting,
    seat_of=lambda _, action: action.seat,
    to_act=lambda state: state.to_act,
    seats_of=lambda state: len(state.players),
    seats_left=active_seats,
    outcome=lambda state: state.outcome,
    observe=observe,
    observe_step=observe_step,
    observations_are_states=False,
    resign=Resign,
    has_turns=False,
    time_limit="call_seconds",
    overdue=turn.overdue,
    split=split,
    join=join,
    turn_of=lambda state: state.turn,
    is_revealing=is_revealing,
    solutions=solutions,
    explaining=EXPLAINING,
)
