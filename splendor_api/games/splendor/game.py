"""Splendor behind the game protocol: its table of contents."""

from __future__ import annotations

from splendor_api.games.protocol import Game
from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import ACTIONS, Action, Resign
from splendor_api.games.splendor.audit import audit
from splendor_api.games.splendor.deal import deal
from splendor_api.games.splendor.events import EVENTS, Event, is_revealing
from splendor_api.games.splendor.explain import EXPLAINING
from splendor_api.games.splendor.observe import join, observe, observe_step, split
from splendor_api.games.splendor.options import OPTIONS, RULESETS, SEATS, option_map, resolve
from splendor_api.games.splendor.scoring import REASONS
from splendor_api.games.splendor.state import State, seats_left
from splendor_api.games.splendor.violations import CODES, FINDINGS

SPLENDOR: Game[State, Action, Event] = Game(
    name="splendor",
    title="Splendor",
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
    seat_of=turn.seat_of,
    to_act=lambda state: state.to_act,
    seats_of=lambda state: len(state.players),
    seats_left=seats_left,
    outcome=lambda state: state.outcome,
    observe=observe,
    observe_step=observe_step,
    observations_are_states=True,
    resign=Resign,
    has_turns=True,
    time_limit="turn_seconds",
    overdue=lambda state: Resign(state.seat, timeout=True),
    split=split,
    join=join,
    turn_of=lambda state: state.turn,
    is_revealing=is_revealing,
    explaining=EXPLAINING,
)
