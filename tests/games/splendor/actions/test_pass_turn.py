from __future__ import annotations

from typing import Any

from splendor_api.games.splendor.actions.pass_turn import is_stuck
from splendor_api.games.splendor.components import NOBLES
from splendor_api.games.splendor.state import State, eligible_nobles
from splendor_api.games.splendor.turn import is_deadlocked
from tests.games.splendor.table import (
    after,
    codes,
    counted,
    dealt,
    draw,
    events,
    findings,
    kinds,
    listed,
    loaded,
    only,
    pair,
    passing,
    reached,
    take,
    written,
)

SCARCE: dict[str, Any] = {"gems_per_color": 1, "gold_tokens": 0, "reserve_limit": 1}
"""A game in which the bank and the hands are soon exhausted."""


def stuck(**options: Any) -> State:
    """Return a state whose seat to act has no legal action but to pass."""
    return reached(
        lambda state: state.phase == "main" and is_stuck(state, state.player),
        liked=("take_different", "reserve"),
        **{**SCARCE, **options},
    )


def test_s19_a_stuck_player_passes() -> None:
    state = stuck()
    assert listed(state) == [passing()]
    later = after(state, passing())
    assert later.turn == state.turn + 1
    assert (later.players, later.bank, later.market) == (state.players, state.bank, state.market)


def test_s19_nobody_else_may() -> None:
    assert only(dealt(), passing()) == ("pass_not_allowed", "/type", {})
    assert passing() not in listed(dealt())


def test_s19_one_thing_that_can_be_done_is_enough() -> None:
    state = stuck()
    assert not is_stuck(dealt(), dealt().player)
    emptied = reached(
        lambda state: state.phase == "main" and not any(state.bank) and state.market[0][0],
        liked=("take_different",),
        firmness=8,
        gems_per_color=1,
        gold_tokens=0,
    )
    assert codes(emptied, passing()) == ["pass_not_allowed"]
    assert len(listed(emptied, "reserve")) == len(listed(emptied)) - len(listed(emptied, "buy"))
    assert is_stuck(state, state.player)


def test_s20_always_in_every_turn_before_an_action() -> None:
    state = dealt(passing="always")
    assert listed(state)[-1] == passing()
    assert listed(state).count(passing()) == 1
    assert after(state, passing()).turn == 1


def test_s20_always_but_not_after_an_action() -> None:
    state = after(
        dealt(passing="always", token_limit=3), take("white", "blue", "green"), pair("red")
    )
    owing = after(state, take("white", "blue", "red"))
    assert only(owing, passing()) == (
        "wrong_phase",
        "/type",
        {"phase": "return_tokens", "expected": "main"},
    )


def test_s20_always_lists_it_once_for_the_stuck() -> None:
    assert listed(stuck(passing="always")) == [passing()]


def test_s20_never_there_is_no_passing() -> None:
    state = dealt(passing="never")
    assert codes(state, passing()) == ["pass_not_allowed"]
    assert passing() not in listed(state)


def test_s20_never_the_stuck_are_skipped() -> None:
    before = reached(
        lambda state: (
            state.phase == "main"
            and any("turn_skipped" in kinds(state, action) for action in listed(state))
        ),
        liked=("take_different", "reserve"),
        passing="never",
        **SCARCE,
    )
    action = next(each for each in listed(before) if "turn_skipped" in kinds(before, each))
    told = events(before, action)
    skipped = next(event for event in told if event["type"] == "turn_skipped")
    assert skipped["seat"] != before.seat
    ended = [event["turn"] for event in told if event["type"] == "turn_ended"]
    assert ended == list(range(before.turn + 1, before.turn + 1 + len(ended)))
    assert len(ended) > 1
    assert after(before, action).turn == ended[-1]


def test_s21_a_pass_counts_as_a_turn() -> None:
    state = after(dealt(passing="always"), passing(), passing(), passing())
    assert (state.turn, state.to_act) == (3, 1)
    assert events(dealt(passing="always"), passing()) == [
        {"type": "passed", "seat": 0},
        {"type": "turn_ended", "seat": 0, "turn": 1},
    ]


def test_s21_the_final_round_goes_on() -> None:
    state = reached(
        lambda state: state.final_round and state.phase == "main",
        seats=3,
        target_prestige=3,
        passing="always",
    )
    while state.phase != "over":
        state = after(state, passing())
    assert state.outcome is not None
    assert state.turn % 3 == 0


def test_s22_nothing_can_change_any_more() -> None:
    state = reached(
        lambda state: state.outcome is not None and state.outcome.reason == "deadlock",
        liked=("take_different", "reserve"),
        **SCARCE,
    )
    assert not state.final_round
    assert not any(state.bank)
    assert {len(player.reserved) for player in state.players} == {1}
    assert (state.phase, state.to_act) == ("over", None)


def test_s22_the_deadlock_is_found_whatever_passing_is() -> None:
    for how in ("never", "always", "when_stuck"):
        state = reached(
            lambda state: state.outcome is not None and state.outcome.reason == "deadlock",
            liked=("take_different", "reserve"),
            passing=how,
            **SCARCE,
        )
        assert state.outcome is not None
        assert len(state.outcome.ranking) == 2


def test_s22_not_while_one_seat_can_do_something() -> None:
    state = stuck(seats=3)
    assert any(not is_stuck(state, player) for player in state.players)
    assert state.outcome is None


def waiting(seats: int, *nobles: int) -> State:
    """Return a state of stuck seats that have all bonuses that any noble asks, and these tiles.

    Play comes to a deadlock that differs from it only in the tiles.
    """
    ended = reached(
        lambda state: state.phase == "over",
        liked=("buy", "take_different"),
        firmness=6,
        seats=seats,
        nobles_revealed=0,
        target_prestige=50,
        gems_per_color=5,
        token_limit=50,
        gold_tokens=0,
        reserve_limit=0,
    )
    assert ended.outcome is not None
    assert ended.outcome.reason == "deadlock"
    options = ended.options._replace(nobles_revealed=len(nobles))
    return ended._replace(
        phase="main", to_act=ended.seat, outcome=None, nobles=nobles, options=options
    )


def test_s22_not_while_a_noble_could_come() -> None:
    state = waiting(4, 6)
    due = [bool(eligible_nobles((6,), player.bonuses)) for player in state.players]
    assert any(due)
    assert findings(written(state)) == []
    assert not is_deadlocked(state)
    assert is_deadlocked(state._replace(nobles=()))
    assert all(is_stuck(state, player) for player in state.players)
    while state.outcome is None:
        state = after(state, passing())
    assert [bool(player.nobles) for player in state.players].count(True) == 1
    assert state.outcome.reason == "deadlock"


def test_s21_a_skipped_seat_is_due_its_noble() -> None:
    state = waiting(4, 6)
    tile = next(
        noble
        for noble in NOBLES
        if not eligible_nobles((noble,), state.player.bonuses)
        and any(eligible_nobles((noble,), player.bonuses) for player in state.players)
    )
    data = written(waiting(4, tile))
    data["ruleset"]["options"]["pass"] = "never"
    giver = next(player for player in data["players"] if player["tokens"]["white"])
    giver["tokens"]["white"] -= 1
    data["bank"]["white"] += 1
    assert findings(data) == []
    told = kinds(loaded(data), take("white"))
    visit = told.index("noble_visited")
    assert told[visit - 1 : visit + 2] == ["turn_skipped", "noble_visited", "turn_ended"]
    assert told[-1] == "game_over"


def test_s22_not_while_an_unseen_card_could_be_bought() -> None:
    ended = reached(
        lambda state: (
            state.phase == "over"
            and any(held.hidden for player in state.players for held in player.reserved)
        ),
        liked=("take_different",),
        firmness=6,
        **SCARCE,
    )
    state = ended._replace(phase="main", to_act=ended.seat, outcome=None)
    assert is_deadlocked(state)
    assert not is_deadlocked(counted(state))
    assert findings(written(counted(state))) == []


def test_a_deadlock_is_the_end() -> None:
    ended = reached(
        lambda state: state.outcome is not None and state.outcome.reason == "deadlock",
        liked=("take_different", "reserve"),
        **SCARCE,
    )
    assert codes(ended, draw(1)) == ["game_over"]
