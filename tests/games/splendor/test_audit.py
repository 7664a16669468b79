"""Each finding, by the smallest change to a state that play has come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from splendor_api.games.splendor.scoring import outcome
from splendor_api.games.splendor.state import Player, State, eligible_nobles
from splendor_api.games.splendor.violations import FINDINGS
from tests.games.splendor.table import (
    RESERVING,
    RICH,
    SPLENDOR,
    TAKING,
    Json,
    after,
    counted,
    dealt,
    draw,
    face_down,
    findings,
    loaded,
    pair,
    passing,
    played,
    reached,
    reserve,
    resign,
    take,
    written,
)

Change = Callable[[Any], None]

TARGET = 8  # prestige that a seat has soon


def changed(state: State, change: Change) -> Json:
    """Return the state with one change, as JSON; without it, it passes the audit."""
    data = written(state)
    assert findings(data) == []
    change(data)
    return data


def found(state: State, change: Change) -> list[str]:
    """Return what the audit finds after one change to the state."""
    return findings(changed(state, change))


def only(state: State, change: Change) -> tuple[str, str, Json]:
    """Return code, pointer and parameters of the one finding after the change."""
    (finding,) = SPLENDOR.rules.audit(loaded(changed(state, change)))
    return finding.code.name, finding.pointer, dict(finding.params)


def setting(*path: str | int, to: object) -> Change:
    """Return a change of one member."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to

    return change


def adding(*path: str | int, by: int = 1) -> Change:
    """Return a change of one number."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] += by

    return change


def moving(source: tuple[str | int, ...], target: tuple[str | int, ...]) -> Change:
    """Return a change that takes the last item of one list to the end of another."""

    def change(data: Any) -> None:
        giver, taker = data, data
        for step in source:
            giver = giver[step]
        for step in target:
            taker = taker[step]
        taker.append(giver.pop())

    return change


def all_of(*changes: Change) -> Change:
    """Return several changes as one."""

    def change(data: Any) -> None:
        for each in changes:
            each(data)

    return change


def others(state: State) -> tuple[Player, ...]:
    """Return the players who are not to act."""
    return state.players[: state.seat] + state.players[state.seat + 1 :]


def in_course() -> State:
    """Return a state in the midst of a game: cards bought, reserved both ways, tokens held."""
    return reached(
        lambda state: (
            state.phase == "main"
            and state.turn > 20
            and all(len(player.cards) > 1 and any(player.tokens) for player in state.players)
            and any(held.hidden for player in state.players for held in player.reserved)
        ),
        firmness=5,
    )


def owing(seats: int = 2, **options: Any) -> State:
    """Return a state whose seat 0 owes the gold of a reserved card, or what it took."""
    state = after(dealt(seats, token_limit=3, **options), take("white", "blue", "green"))
    for color in ("red", "black", "white")[: seats - 1]:
        state = after(state, pair(color))
    return state


def choosing() -> State:
    """Return a state in which a seat must choose between nobles."""
    return reached(
        lambda state: state.phase == "choose_noble",
        nobles_revealed=10,
        target_prestige=50,
        **RICH,
    )


def ended(reason: str = "target_prestige") -> State:
    """Return a state of a game that is over."""
    if reason == "resigned":
        return after(in_course(), resign(0))
    if reason == "deadlock":
        return reached(
            lambda state: state.outcome is not None and state.outcome.reason == "deadlock",
            liked=("take_different", "reserve"),
            gems_per_color=1,
            gold_tokens=0,
            reserve_limit=1,
        )
    return reached(lambda state: state.phase == "over")


def final(seats: int = 2) -> State:
    """Return a state of a final round that seat 0 began."""
    return reached(
        lambda state: state.final_round and state.phase == "main" and state.seat == 1, seats=seats
    )


def test_s83_a_card_in_two_places() -> None:
    state = in_course()
    card = state.players[0].cards[0]
    for place in (("decks", "1"), ("players", 1, "cards"), ("decks", "3")):

        def change(data: Any, place: tuple[Any, ...] = place) -> None:
            for step in place:
                data = data[step]
            data.append(card)

        assert "card_duplicate" in found(state, change)


def test_s83_the_second_place_is_named() -> None:
    state = dealt()
    card = state.market[0][0]
    data = changed(state, lambda data: data["decks"]["1"].append(card))
    (finding,) = SPLENDOR.rules.audit(loaded(data))
    assert (finding.code.name, finding.pointer) == ("card_duplicate", "/decks/1/36")
    assert dict(finding.params) == {"card": card}


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_s83_a_card_that_is_nowhere(level: str) -> None:
    code, pointer, params = only(dealt(), lambda data: data["decks"][level].pop())
    assert (code, pointer) == ("card_missing", f"/decks/{level}")
    assert params == {"level": int(level), "count": 1}


def test_s83_every_place_counts() -> None:
    state = in_course()
    seat = next(seat for seat, player in enumerate(state.players) if player.reserved)
    assert "card_missing" in found(state, lambda data: data["players"][seat]["reserved"].pop())
    assert "card_missing" in found(state, lambda data: data["players"][seat]["cards"].pop())


def test_s83_counts_count_what_is_not_seen() -> None:
    state = counted(in_course())
    assert only(state, adding("decks", "2", "count", by=-2)) == (
        "card_missing",
        "/decks/2",
        {"level": 2, "count": 2},
    )
    assert only(state, adding("decks", "2", "count")) == (
        "card_duplicate",
        "/decks/2",
        {"card": None},
    )


def test_s83_a_card_too_many_is_named_behind_places_without_one() -> None:
    state = face_down(dealt(), (1, 0))
    card = state.market[1][0]
    data = changed(state, setting("market", "3", 0, to=card))
    pointers = [
        finding.pointer
        for finding in SPLENDOR.rules.audit(loaded(data))
        if finding.code.name == "card_duplicate"
    ]
    assert pointers == ["/market/3/0"]


def test_s83_there_is_no_unknown_card_where_all_are_known() -> None:
    state = dealt()
    data = written(state)
    data["decks"]["1"].append(data["market"]["1"][0])
    data["market"]["1"][0] = "unknown"
    assert findings(data)[0] == "card_duplicate"


def test_s83_slots_and_hands_of_unknown_cards_count() -> None:
    told = face_down(dealt(), (1, 0))
    assert found(told, adding("decks", "1", "count")) == ["card_duplicate"]
    hand = after(counted(dealt()), draw(1))
    assert found(hand, lambda data: data["players"][0]["reserved"].pop()) == ["card_missing"]
    level = setting("players", 0, "reserved", 0, "level", to=2)
    assert found(hand, level) == ["card_duplicate", "card_missing"]


def test_s9_a_card_in_the_row_or_deck_of_another_level() -> None:
    def swap(data: Any) -> None:
        row, deck = data["market"]["1"], data["decks"]["2"]
        row[0], deck[0] = deck[0], row[0]

    state = dealt()
    assert found(state, swap) == ["deck_level", "deck_level"]
    first, second = SPLENDOR.rules.audit(loaded(changed(state, swap)))
    assert (first.pointer, dict(first.params)) == ("/market/1/0", {"card": 65, "level": 1})
    assert (second.pointer, dict(second.params)) == ("/decks/2/0", {"card": 16, "level": 2})


def test_s9_also_where_the_decks_are_counted() -> None:
    state = counted(dealt())

    def swap(data: Any) -> None:
        data["market"]["1"][0], data["market"]["3"][0] = (
            data["market"]["3"][0],
            data["market"]["1"][0],
        )

    assert found(state, swap) == ["deck_level", "deck_level"]


@pytest.mark.parametrize("color", ["white", "blue", "green", "red", "black", "gold"])
def test_s84_tokens_add_up(color: str) -> None:
    expected = 5 if color == "gold" else 4
    for place in (("bank",), ("players", 0, "tokens")):
        assert only(dealt(), adding(*place, color)) == (
            "token_count",
            f"/bank/{color}",
            {"color": color, "expected": expected, "found": expected + 1},
        )


def test_s84_a_token_less_is_wrong_as_well() -> None:
    assert only(dealt(), adding("bank", "red", by=-1))[2]["found"] == 3


def test_s84_a_token_may_lie_elsewhere() -> None:
    state = in_course()
    color = next(name for name, count in written(state)["bank"].items() if count)
    change = all_of(adding("bank", color, by=-1), adding("players", 0, "tokens", color))
    assert "token_count" not in found(state, change)


def test_s85_no_gap_while_there_are_cards() -> None:
    state = dealt()
    card = state.market[1][2]
    change = all_of(
        setting("market", "2", 2, to=None), lambda data: data["decks"]["2"].insert(0, card)
    )
    assert only(state, change) == ("market_gap", "/market/2/2", {"level": 2, "slot": 2})


def test_s85_nor_while_they_are_counted() -> None:
    change = all_of(setting("market", "2", 2, to=None), adding("decks", "2", "count"))
    assert found(counted(dealt()), change) == ["market_gap"]


def test_s85_gaps_over_an_empty_deck_are_right() -> None:
    state = reached(
        lambda state: None in state.market[2],
        liked=("reserve",),
        firmness=8,
        seats=4,
        reserve_limit=10,
    )
    assert findings(written(state)) == []


def test_s86_nobody_holds_more_than_the_limit() -> None:
    state = reached(
        lambda state: (
            state.phase == "main" and sum(state.players[0].tokens) == 10 and state.bank[0] > 0
        ),
        liked=TAKING,
        gems_per_color=9,
    )
    change = all_of(adding("bank", "white", by=-1), adding("players", 0, "tokens", "white"))
    assert only(state, change) == (
        "token_limit_exceeded",
        "/players/0/tokens",
        {"held": 11, "limit": 10},
    )


def test_s86_only_the_seat_to_act_may_while_a_return_is_owed() -> None:
    state = after(owing(gems_per_color=9), take("white", "blue", "green"))
    assert state.phase == "return_tokens"
    change = all_of(adding("bank", "red", by=-2), adding("players", 1, "tokens", "red", by=2))
    assert only(state, change) == (
        "token_limit_exceeded",
        "/players/1/tokens",
        {"held": 4, "limit": 3},
    )


def test_s86_nobody_may_any_more_when_a_noble_is_chosen() -> None:
    state = choosing()
    beyond = 4 - sum(state.player.tokens)
    change = all_of(
        setting("ruleset", "options", "token_limit", to=3),
        adding("bank", "white", by=-beyond),
        adding("players", state.seat, "tokens", "white", by=beyond),
    )
    audited = SPLENDOR.rules.audit(loaded(changed(state, change)))
    exceeded = {found.pointer for found in audited if found.code.name == "token_limit_exceeded"}
    assert f"/players/{state.seat}/tokens" in exceeded


def test_s86_the_surplus_is_at_most_what_was_drawn() -> None:
    state = after(owing(), draw(1))
    change = all_of(adding("bank", "black", by=-1), adding("players", 0, "tokens", "black"))
    assert found(state, change) == ["token_limit_exceeded"]


def test_s86_a_seat_that_resigned_keeps_at_most_three_more() -> None:
    state = after(owing(3, gems_per_color=9), take("white", "blue", "green"), resign(0))
    assert sum(state.players[0].tokens) == 6
    assert findings(written(state)) == []
    change = all_of(adding("bank", "black", by=-1), adding("players", 0, "tokens", "black"))
    assert found(state, change) == ["token_limit_exceeded"]


def test_s86_a_seat_that_owed_when_the_game_ended_keeps_it() -> None:
    left = after(owing(), draw(1), resign(1))
    assert sum(left.players[0].tokens) == 4
    assert findings(written(left)) == []


def test_s86_no_other_seat_keeps_more_at_the_end() -> None:
    left = after(owing(3), resign(0), resign(1))
    change = all_of(adding("bank", "red", by=-2), adding("players", 2, "tokens", "red", by=2))
    assert sum(left.players[2].tokens) == 2
    assert found(left, change) == ["token_limit_exceeded"]


def test_s86_nobody_keeps_more_at_an_end_by_prestige() -> None:
    over = reached(lambda state: state.phase == "over" and sum(state.player.tokens) > 3)
    limit = sum(over.player.tokens) - 1
    lower = setting("ruleset", "options", "token_limit", to=limit)
    assert "token_limit_exceeded" in found(over, lower)


def test_s86_what_is_drawn_is_named_while_a_return_is_owed() -> None:
    state = after(owing(), draw(1))
    assert only(state, setting("drawn", to=None)) == (
        "drawn_mismatch",
        "/drawn",
        {"drawn": None},
    )


def tokens(**counts: int) -> Json:
    return dict.fromkeys(("white", "blue", "green", "red", "black", "gold"), 0) | counts


@pytest.mark.parametrize(
    "drawn",
    [
        tokens(),
        tokens(white=3),
        tokens(white=2, blue=1),
        tokens(white=1, gold=1),
        tokens(gold=2),
        tokens(white=1, blue=1, green=1, red=1),
        tokens(white=2, blue=2),
    ],
)
def test_s86_nobody_draws_so_many(drawn: Json) -> None:
    state = reached(
        lambda state: state.phase == "return_tokens" and min(state.player.tokens) > 1,
        liked=TAKING,
        gems_per_color=20,
        gold_tokens=20,
        token_limit=30,
        reserve_limit=10,
        firmness=3,
    )
    assert "drawn_mismatch" in found(state, setting("drawn", to=drawn))


@pytest.mark.parametrize(
    "drawn",
    [
        tokens(white=2),
        tokens(gold=1),
        tokens(red=1),
        tokens(red=1, black=1),
        tokens(red=1, black=1, blue=1),
    ],
)
def test_s86_but_so_many(drawn: Json) -> None:
    state = reached(
        lambda state: (
            state.phase == "return_tokens"
            and min(state.player.tokens) > 1
            and sum(state.player.tokens) == 31
        ),
        liked=TAKING,
        gems_per_color=20,
        gold_tokens=20,
        token_limit=30,
        reserve_limit=10,
        firmness=3,
    )
    assert found(state, setting("drawn", to=drawn)) == []


def test_s86_nobody_has_drawn_what_is_not_held() -> None:
    state = after(owing(), draw(1))
    assert found(state, setting("drawn", to=tokens(red=1))) == ["drawn_mismatch"]


def test_s86_nothing_is_drawn_where_no_return_is_owed() -> None:
    for state in (dealt(), choosing(), ended(), after(counted(dealt()), reserve(22))):
        drawn = tokens(white=1)
        change = setting("drawn", to=drawn)
        assert only(state, change) == ("drawn_mismatch", "/drawn", {"drawn": drawn})


def test_s86_what_is_drawn_is_kept_through_a_reveal() -> None:
    state = after(counted(owing()), reserve(22))
    assert (state.phase, state.drawn) == ("reveal", (0, 0, 0, 0, 0, 1))
    assert found(state, setting("drawn", to=None)) == ["drawn_mismatch"]
    assert found(state, setting("drawn", to=tokens(red=1))) == ["drawn_mismatch"]


def test_s87_nobody_holds_more_reserved_cards() -> None:
    state = reached(lambda state: len(state.players[0].reserved) == 3, liked=RESERVING)
    change = setting("ruleset", "options", "reserve_limit", to=2)
    (finding, *_) = SPLENDOR.rules.audit(loaded(changed(state, change)))
    assert (finding.code.name, finding.pointer) == (
        "reserve_limit_exceeded",
        "/players/0/reserved",
    )
    assert dict(finding.params) == {"held": 3, "limit": 2}


def test_s88_as_many_tiles_as_were_revealed() -> None:
    for change, number in (
        (lambda data: data["nobles"].pop(), 2),
        (lambda data: data["nobles"].append(10), 4),
    ):
        assert only(dealt(), change) == (
            "noble_count",
            "/nobles",
            {"expected": 3, "found": number},
        )


def test_s88_tiles_are_distinct() -> None:
    state = dealt()
    first = state.nobles[0]
    assert only(state, setting("nobles", 2, to=first)) == (
        "noble_duplicate",
        "/nobles/2",
        {"noble": first},
    )


def test_s88_a_tile_is_with_a_player_or_on_the_table() -> None:
    state = reached(lambda state: len(state.players[0].nobles) > 0, **RICH)
    noble = state.players[0].nobles[0]
    codes = found(state, lambda data: data["nobles"].append(noble))
    assert codes == ["noble_count", "noble_duplicate"]


def test_s88_the_holder_deserves_the_tile() -> None:
    state = after(dealt(), pair("red"), pair("black"))
    change = moving(("nobles",), ("players", 0, "nobles"))
    assert only(state, change) == (
        "noble_undeserved",
        "/players/0/nobles/0",
        {"noble": state.nobles[-1]},
    )


@pytest.mark.parametrize("seat", [1, None])
def test_s89_the_seat_to_act_follows_from_the_turn(seat: int | None) -> None:
    assert only(dealt(), setting("to_act", to=seat)) == (
        "turn_mismatch",
        "/to_act",
        {"turn": 0, "to_act": seat},
    )


def test_s89_modulo_the_seats() -> None:
    state = after(dealt(3, passing="always"), *[passing()] * 4)
    assert (state.turn, state.to_act) == (4, 1)
    assert found(state, adding("turn", by=3)) == []
    assert found(state, adding("turn", by=2)) == ["turn_mismatch"]


def test_s90_a_card_takes_a_turn() -> None:
    state = after(dealt(), draw(1))
    assert found(state, setting("turn", to=3)) == []
    data = all_of(setting("turn", to=0), setting("to_act", to=0))
    assert only(state, data) == (
        "too_many_cards",
        "/players/0/cards",
        {"held": 1, "turns": 0},
    )


def test_s90_of_its_own() -> None:
    state = after(dealt(), draw(1), draw(1))
    assert only(state, all_of(setting("turn", to=1), setting("to_act", to=1))) == (
        "too_many_cards",
        "/players/1/cards",
        {"held": 1, "turns": 0},
    )


def test_s90_bought_and_reserved_together() -> None:
    state = in_course()
    held = [len(player.cards) + len(player.reserved) for player in state.players]
    turns = 2 * max(held)
    low = all_of(setting("turn", to=turns - 2), setting("to_act", to=0))
    assert "too_many_cards" in found(state, low)
    assert found(state, all_of(setting("turn", to=turns), setting("to_act", to=0))) == []


def test_s90_so_do_nobles() -> None:
    state = reached(lambda state: len(state.players[0].nobles) > 1, **RICH)

    def change(data: Any) -> None:
        data["turn"], data["to_act"], data["phase"] = 2, 0, "main"

    pointers = [
        finding.pointer
        for finding in SPLENDOR.rules.audit(loaded(changed(state, change)))
        if finding.code.name == "too_many_cards"
    ]
    assert "/players/0/nobles" in pointers


def test_s90_the_turn_that_has_not_ended_counts() -> None:
    state = after(owing(), draw(1))
    assert (state.turn, state.phase) == (2, "return_tokens")
    assert found(state, setting("turn", to=0)) == []


def test_s91_no_final_round_before_the_target() -> None:
    assert only(dealt(), setting("final_round", to=True)) == (
        "final_round_mismatch",
        "/final_round",
        {"final_round": True},
    )


def test_s91_a_final_round_after_it() -> None:
    assert found(final(), setting("final_round", to=False)) == ["final_round_mismatch"]


def test_s91_the_round_is_complete() -> None:
    state = final()
    late = all_of(adding("turn"), setting("to_act", to=0))
    assert found(state, late) == ["final_round_mismatch", "outcome_mismatch"]


def test_s91_a_seat_that_reaches_it_in_its_turn_has_not_yet() -> None:
    state = reached(
        lambda state: state.phase == "choose_noble" and state.player.prestige >= TARGET,
        nobles_revealed=10,
        target_prestige=TARGET,
        **RICH,
    )
    assert not state.final_round
    assert found(state, setting("final_round", to=True)) == ["final_round_mismatch"]


def test_s91_a_seat_that_owes_tokens_has_reached_it_before() -> None:
    state = reached(
        lambda state: (
            state.phase == "return_tokens"
            and state.player.prestige > max(other.prestige for other in others(state))
        ),
        liked=("buy", *TAKING),
        token_limit=5,
    )
    lower = setting("ruleset", "options", "target_prestige", to=state.player.prestige)
    assert found(state, lower) == ["final_round_mismatch", "outcome_mismatch"]


def test_s92_a_return_is_owed_only_above_the_limit() -> None:
    assert found(dealt(), setting("phase", to="return_tokens")) == [
        "phase_mismatch",
        "drawn_mismatch",
    ]


def test_s92_above_it_nothing_else_is_owed() -> None:
    state = after(owing(), draw(1))
    for phase in ("choose_noble", "reveal", "over"):
        assert "phase_mismatch" in found(state, setting("phase", to=phase))
    assert found(state, setting("phase", to="main")) == ["token_limit_exceeded", "drawn_mismatch"]


def test_s92_a_choice_is_owed_only_between_two() -> None:
    assert only(dealt(), setting("phase", to="choose_noble")) == (
        "phase_mismatch",
        "/phase",
        {"phase": "choose_noble"},
    )
    state = choosing()
    eligible = eligible_nobles(state.nobles, state.player.bonuses)
    for nobles in ([], [eligible[0]]):
        assert "phase_mismatch" in found(state, setting("nobles", to=nobles))


def test_s92_a_reveal_is_owed_only_for_a_slot() -> None:
    assert found(counted(dealt()), setting("phase", to="reveal")) == ["phase_mismatch"]
    state = after(counted(dealt()), reserve(22))
    assert found(state, setting("phase", to="main"))[0] == "phase_mismatch"


def test_s92_no_reveal_is_owed_by_decks_that_are_known() -> None:
    change = all_of(setting("phase", to="reveal"), setting("market", "1", 0, to="unknown"))
    assert found(dealt(), change) == ["phase_mismatch"]


def test_s92_a_stuck_seat_is_never_to_act_where_passing_is_off() -> None:
    state = reached(
        lambda state: (
            state.phase == "main"
            and [action.type for action in SPLENDOR.rules.choices(state, None)] == ["pass"]
        ),
        liked=("take_different", "reserve"),
        gems_per_color=1,
        gold_tokens=0,
        reserve_limit=1,
    )
    assert found(state, setting("ruleset", "options", "pass", to="never")) == ["phase_mismatch"]
    assert found(state, setting("ruleset", "options", "pass", to="always")) == []


def test_s92_a_seat_that_resigned_is_not_to_act() -> None:
    assert found(dealt(3), setting("players", 0, "resigned", to=True)) == ["phase_mismatch"]
    assert found(dealt(3), setting("players", 1, "resigned", to=True)) == []


def test_s72_an_outcome_is_there_exactly_at_the_end() -> None:
    assert only(ended(), setting("outcome", to=None)) == ("outcome_mismatch", "/outcome", {})
    told = written(ended())["outcome"]
    assert found(dealt(), setting("outcome", to=told)) == ["outcome_mismatch"]


@pytest.mark.parametrize("reason", ["target_prestige", "deadlock", "resigned"])
def test_s72_it_is_the_one_that_follows(reason: str) -> None:
    state = ended(reason)
    for other in ("target_prestige", "deadlock", "resigned"):
        codes = found(state, setting("outcome", "reason", to=other))
        assert ("outcome_mismatch" in codes) == (other != reason)
    assert found(state, adding("outcome", "ranking", 0, "prestige")) == ["outcome_mismatch"]
    assert found(state, setting("outcome", "winners", to=[0, 1, 1])) == ["outcome_mismatch"]


def test_s70_a_game_is_over_only_after_a_whole_round() -> None:
    state = ended()
    assert "outcome_mismatch" in found(state, adding("turn", by=-1))


def test_s22_there_is_no_deadlock_while_somebody_can_act() -> None:
    state = in_course()
    over = state._replace(phase="over", to_act=None, outcome=outcome(state, "deadlock"))
    assert findings(written(over)) == ["outcome_mismatch"]


def test_over_means_that_nobody_is_to_act() -> None:
    assert "phase_mismatch" in found(ended(), setting("to_act", to=0))


def test_s70_no_game_ends_otherwise_after_its_last_round() -> None:
    """Seat 1 reached the target and seat 0 is to act again: the game was over before."""
    state = reached(
        lambda state: (
            state.phase == "main"
            and state.seat == 0
            and state.players[1].prestige > state.players[0].prestige
        )
    )
    late = all_of(
        setting("ruleset", "options", "target_prestige", to=state.players[1].prestige),
        setting("final_round", to=True),
    )
    assert found(state, late) == ["final_round_mismatch", "outcome_mismatch"]
    assert found(after(state, resign(0)), late) == ["outcome_mismatch"]


def test_somebody_is_left_at_the_end() -> None:
    """Of two seats the second cannot resign: the game is over as the first one does."""
    left = after(dealt(), resign(0))
    gone = left._replace(players=tuple(one._replace(resigned=True) for one in left.players))
    over = gone._replace(outcome=outcome(gone, "resigned"))
    assert findings(written(over)) == ["outcome_mismatch"]


def test_one_seat_left_is_the_end() -> None:
    assert found(dealt(2), setting("players", 1, "resigned", to=True)) == ["outcome_mismatch"]


def test_cards_may_be_untold_only_where_a_seat_resigned() -> None:
    state = reached(lambda state: state.phase == "over" and state.market[0][0], start=counted)
    assert "phase_mismatch" in found(state, setting("market", "1", 0, to="unknown"))
    left = after(counted(dealt()), reserve(22), resign(1))
    assert findings(written(left)) == []


def test_every_state_of_a_game_passes() -> None:
    for liked in (TAKING, RESERVING, ("buy",)):
        for state in played(liked, seats=3, steps=150):
            assert findings(written(state)) == []


def test_every_finding_is_named_once() -> None:
    names = [code.name for code in FINDINGS]
    assert len(set(names)) == len(names) == 16


def test_findings_come_in_the_order_of_their_table() -> None:
    def wreck(data: Any) -> None:
        data["bank"]["red"] += 1
        data["decks"]["1"].append(data["decks"]["1"][0])
        data["decks"]["2"].pop()
        data["nobles"].append(data["nobles"][0])
        data["to_act"] = 1
        data["final_round"] = True
        data["drawn"] = tokens(white=1)

    assert found(dealt(), wreck) == [
        "token_count",
        "card_duplicate",
        "card_missing",
        "noble_count",
        "noble_duplicate",
        "turn_mismatch",
        "final_round_mismatch",
        "drawn_mismatch",
    ]
