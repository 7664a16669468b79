"""What is said of a state, against plays of every kind; what an action lacks, against giving it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from splendor_api.games import referee
from splendor_api.games.registry import GAMES
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Reserve,
    Resign,
    Reveal,
    TakeDifferent,
    TakeSame,
)
from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL, NOBLES
from splendor_api.games.splendor.explain import EXPLAINING, judges, under
from splendor_api.games.splendor.facts import facts
from splendor_api.games.splendor.needs import NEEDS, lacking
from splendor_api.games.splendor.state import (
    Player,
    State,
    cards_in_play,
    discounted_cost,
    with_player,
)
from splendor_api.games.splendor.tokens import (
    COLOR_WORDS,
    GEMS,
    GOLD,
    NONE,
    Color,
    Tokens,
    minus,
    plus,
    tokens_of,
)
from splendor_api.games.splendor.turn import choices, turns, violations
from tests.games.splendor.table import (
    BUYING,
    RESERVING,
    after,
    buy,
    choose,
    counted,
    dealt,
    draw,
    face_down,
    face_up,
    give,
    pair,
    passing,
    reached,
    reserve,
    resign,
    take,
    tell,
)
from tests.strategies.playing import Manner, play
from tests.strategies.profiles import tries
from tests.strategies.states import actions, played_states

SPLENDOR = GAMES["splendor"]


def needs(state: State, action: Action) -> list[tuple[str, dict[str, Any]]]:
    """Return code and parameters of each need."""
    return [(need.code.name, dict(need.params)) for need in lacking(state, action)]


def only(state: State, action: Action) -> dict[str, Any]:
    """Return the parameters of the only need, with its code."""
    ((code, params),) = needs(state, action)
    return {"code": code, **params}


# What is said of a seat.


def distances(state: State) -> dict[Tokens, int]:
    """Return in how many turns the seat to act can come to hold what, drawing alone (S23 to S61).

    The others pass. Every complete turn is tried, but that which card is reserved is all the same.
    """
    seat, found = state.seat, {state.player.tokens: 0}
    seen, edge = {(state.player.tokens, len(state.player.reserved))}, [state]
    while edge:
        following = []
        for before in edge:
            for (tokens, hand), action in _draws(before).items():
                if (tokens, hand) in seen:
                    continue
                made = step_without_audit(before, action)
                while made.to_act not in (seat, None):
                    made = step_without_audit(made, passing())
                player = made.players[seat]
                assert (player.tokens, len(player.reserved)) == (tokens, hand)
                seen.add((tokens, hand))
                found.setdefault(tokens, found[before.player.tokens] + 1)
                following += [made] if made.to_act == seat else []
        edge = following
    return found


def step_without_audit(state: State, action: Action) -> State:
    made: State = SPLENDOR.rules.apply(state, action).state
    return made


def _draws(state: State) -> dict[tuple[Tokens, int], Action]:
    """Return a complete turn for each thing that the seat can hold after it, and for each hand."""
    ways: dict[tuple[Tokens, int], Action] = {}
    for action in turns(state, None):
        if isinstance(action, TakeDifferent | TakeSame | Reserve):
            drawn = drawn_by(state, action)
            held = minus(plus(state.player.tokens, drawn), action.returned or NONE)
            ways[held, len(state.player.reserved) + isinstance(action, Reserve)] = action
    return ways


def drawn_by(state: State, action: TakeDifferent | TakeSame | Reserve) -> Tokens:
    if isinstance(action, TakeDifferent):
        return tokens_of(action.colors)
    if isinstance(action, TakeSame):
        return tokens_of((action.color,) * 2)
    return tokens_of((GOLD,) * min(1, state.bank[GOLD]))


def told_turns(state: State) -> dict[int, int | None]:
    (seat,) = (each for each in facts(state)["seats"] if each["seat"] == state.seat)
    return {card["card"]: card["turns"] for card in seat["cards"]}


def searched_turns(state: State) -> dict[int, int | None]:
    """Return for each card the fewest turns after which `distances` finds that it can be paid."""
    found, player = distances(state), state.player
    dues = {card: discounted_cost(CARDS[card], player.bonuses) for card in told_turns(state)}
    return {
        card: min(
            (
                turn
                for tokens, turn in found.items()
                if sum(max(0, cost - held) for cost, held in zip(due, tokens, strict=False))
                <= tokens[GOLD]
            ),
            default=None,
        )
        for card, due in dues.items()
    }


def small_games() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield games in which every play can be tried."""
    for gold, limit, gems, least, fewer in (
        (0, 6, 2, 2, "when_scarce"),
        (1, 5, 2, 2, "always"),
        (2, 4, 3, 2, "when_scarce"),
        (1, 4, 4, 4, "when_scarce"),
        (0, 4, 4, 3, "always"),
    ):
        options = {
            "gold_tokens": gold,
            "token_limit": limit,
            "gems_per_color": gems,
            "take_two_minimum": least,
            "take_fewer": fewer,
            "reserve_limit": 2,
        }
        yield f"{gold}-{limit}-{gems}-{least}-{fewer}", options


@pytest.mark.parametrize("options", [pytest.param(each, id=name) for name, each in small_games()])
def test_turns_of_drawing_are_those_that_a_search_finds(options: dict[str, Any]) -> None:
    first = dealt(2, "gamerules", "search", passing="always", **options)
    seen = set[int | None]()
    states = play(SPLENDOR, first, Manner(BUYING, firmness=3), "0", 30).states
    for state in [each for each in states if each.phase == "main"][:: tries(12, 3)]:
        told = told_turns(state)
        assert told == searched_turns(state), state
        seen.update(told.values())
    assert len(seen) > 1


@pytest.mark.parametrize(
    "narrow", [{"take_fewer": "never"}, {"returns": "drawn"}], ids=["never", "drawn"]
)
def test_turns_of_drawing_are_never_more_than_a_search_finds(narrow: dict[str, Any]) -> None:
    options = {"gold_tokens": 1, "token_limit": 5, "gems_per_color": 2, "reserve_limit": 1}
    first = dealt(2, "gamerules", "bound", passing="always", **options, **narrow)
    for state in play(SPLENDOR, first, Manner(BUYING, firmness=3), "0", 30).states[::6]:
        if state.phase != "main":
            continue
        told, found = told_turns(state), searched_turns(state)
        for card, turn in found.items():
            bound = told[card]
            assert turn is None or (bound is not None and bound <= turn)


@given(st.data())
def test_reachable_prestige_is_the_best_that_one_turn_makes(data: st.DataObject) -> None:
    state = data.draw(played_states(SPLENDOR))
    assume(state.to_act is not None)
    assume(state.phase not in ("over", "reveal"))
    assume(all(held.card is not None for held in state.player.reserved))
    told = facts(state)["seats"][state.seat]["reachable_prestige"]
    assert told == max(_after_turn(state, action).prestige for action in turns(state, None))


def _after_turn(state: State, action: Action) -> Player:
    """Return the seat to act as it is when its turn is over; a reveal is not waited for."""
    after_it = step_without_audit(state, action)
    player = after_it.players[state.seat]
    if after_it.phase == "reveal" and isinstance(action, Buy):
        best = max(
            (
                NOBLES[noble].points
                for noble in state.nobles
                if all(
                    have >= want
                    for have, want in zip(player.bonuses, NOBLES[noble].required, strict=True)
                )
            ),
            default=0,
        )
        return player._replace(prestige=player.prestige + best)
    return player


@given(st.data())
def test_what_a_card_lacks_is_what_buying_it_says(data: st.DataObject) -> None:
    state = data.draw(played_states(SPLENDOR))
    for seat in facts(state)["seats"]:
        player = state.players[seat["seat"]]
        assert seat["prestige"] == player.prestige
        assert list(seat["bonuses"].values()) == list(player.bonuses)
        turned = state._replace(turn=seat["seat"], to_act=seat["seat"], phase="main", outcome=None)
        for card in seat["cards"]:
            broken = {each.code.name: each for each in violations(turned, Buy(card["card"]))}
            assert set(broken) <= {"cannot_afford"}
            assert card["short"] == (broken["cannot_afford"].params["short"] if broken else 0)
            assert sum(card["missing"].values()) == card["gold"] + card["short"]
            is_held = sum(card["due"].values()) <= state.options.token_limit
            assert (card["turns"] == 0) == (is_held and not broken)
        for noble in seat["nobles"]:
            required = NOBLES[noble["noble"]].required
            lacking_bonuses = [max(0, r - b) for r, b in zip(required, player.bonuses, strict=True)]
            assert list(noble["missing"].values()) == lacking_bonuses
            assert noble["cards"] == sum(lacking_bonuses)


def test_who_has_resigned_lacks_nothing() -> None:
    state = after(dealt(3), resign(1))
    seat = facts(state)["seats"][1]
    assert (seat["cards"], seat["nobles"], seat["reachable_prestige"]) == ([], [], 0)
    assert facts(state)["seats"][0]["cards"]


def test_of_an_unseen_hand_nothing_is_told() -> None:
    """S77: what is drawn from a deck is its holder's to see."""
    state = after(dealt(), draw(1))
    for observed, hands in ((None, 0), (0, 1), (1, 0)):
        seat = facts(SPLENDOR.rules.observe(state, observed))["seats"][0]
        assert [card["place"] for card in seat["cards"]].count("reserve") == hands


# What an action lacks.


def test_one_red_is_short() -> None:
    """S46."""
    state = reached(lambda state: state.phase == "main" and _short_by_one(state))
    card = _short_by_one(state)
    told = only(state, buy(card))
    assert (told["code"], told["count"], told["colors"][-1]) == ("more_tokens", 1, "gold")


def _short_by_one(state: State) -> int:
    seat = facts(state)["seats"][state.seat]
    return next((card["card"] for card in seat["cards"] if card["short"] == 1), 0)


def test_two_are_to_be_returned_first() -> None:
    """S56."""
    full = after(dealt(token_limit=3, passing="always"), take("white", "blue", "red"), passing())
    state = after(full, pair("black"))
    assert needs(state, take("white", "blue", "red")) == [("return_first", {"count": 2})]
    told = only(state, give({"black": 1}))
    assert (told["code"], told["count"], told["tokens"]["black"]) == ("return_exactly", 2, 1)


def test_a_colour_that_the_bank_lacks_must_come_back() -> None:
    """S23: with it the take would do as it is."""
    state = after(dealt(gems_per_color=1), take("white", "blue", "red"))
    assert needs(state, take("white", "green", "black")) == [
        ("bank_tokens", {"color": "white", "count": 1})
    ]
    assert needs(state, pair("green")) == [("impossible", {})]
    assert needs(state, take("green", "green")) == [
        ("name_colors", {"count": 2, "colors": ["green", "black"]})
    ]


def test_no_take_at_all_needs_colours_in_the_bank() -> None:
    """S25, S26."""
    state = after(dealt(gems_per_color=1, take_fewer="never"), take("white", "blue", "red"))
    assert needs(state, take("green", "green")) == [
        ("bank_colors", {"count": 1, "colors": ["white", "blue", "red"]}),
        ("name_colors", {"count": 3, "colors": [*COLOR_WORDS[:5]]}),
    ]
    assert needs(state, take("green", "black", "red")) == [
        ("bank_tokens", {"color": "red", "count": 1})
    ]


def test_two_of_a_colour_need_a_pile() -> None:
    """S28."""
    state = after(dealt(), pair("red"))
    assert needs(state, pair("red")) == [("bank_tokens", {"color": "red", "count": 2})]
    assert needs(dealt(take_two_minimum=9), pair("red")) == [("impossible", {})]


def test_a_full_hand_must_be_bought_from() -> None:
    """S34."""
    state = after(dealt(reserve_limit=1, passing="always"), draw(1), passing())
    assert needs(state, draw(2)) == [("hand_room", {"count": 1})]
    assert needs(dealt(reserve_limit=0), draw(2)) == [("impossible", {})]


def test_a_reserve_may_want_gold() -> None:
    """S36."""
    state = after(dealt(gold_tokens=1, reserve_without_gold=False), draw(1))
    assert needs(state, draw(1)) == [("bank_tokens", {"color": "gold", "count": 1})]


def test_a_card_that_is_gone_never_comes() -> None:
    """S39, S42."""
    first = dealt()
    state = after(first, reserve(face_up(first, 1)))
    gone, still = (
        face_up(first, 1),
        next(card for card in sorted(CARDS) if card not in cards_in_play(counted(state))),
    )
    assert needs(state, buy(gone)) == [("impossible", {})]
    assert needs(state, reserve(gone)) == [("impossible", {})]
    assert needs(state, buy(still)) == [("card_face_up", {"card": still})]


def test_an_empty_deck_stays_empty() -> None:
    """S39, S77: then a card that is not seen is in a hand, and never lies face up."""
    state = reached(_has_hidden_card_of_an_empty_deck, RESERVING, 4, reserve_limit=10)
    level = state.decks.index(()) + 1
    seen = SPLENDOR.rules.observe(state, (state.seat + 1) % 4)
    unseen = CARDS_OF_LEVEL[level] - cards_in_play(seen)
    assert ("impossible", {}) in needs(seen, draw(level))
    for card in unseen:
        assert ("impossible", {}) in needs(seen, reserve(card))


def _has_hidden_card_of_an_empty_deck(state: State) -> bool:
    if () not in state.decks or state.phase != "main":
        return False
    level = state.decks.index(()) + 1
    hands = state.players[state.seat].reserved
    return any(held.hidden and held.level == level for held in hands)


def test_a_payment_is_mended_with_the_fewest_changes() -> None:
    """S47, S49."""
    state = after(dealt(passing="always", gold_payment="needed_only"), take("white", "blue", "red"))
    state = after(state, passing(), pair("black"), passing(), draw(2), passing())
    card = next(each.card for each in choices(state, None) if isinstance(each, Buy))
    told = only(state, buy(card, payment={"gold": 1}))
    assert told["code"] == "pay_exactly"
    paid = {color: count for color, count in told["payment"].items() if count}
    assert not lacking(state, buy(card, payment=paid))
    dear = max(CARDS, key=lambda each: sum(CARDS[each].cost) if each in state.market[2] else 0)
    assert [code for code, _ in needs(state, buy(dear, payment={"gold": 1}))] == [
        "more_tokens",
        "leave_out",
    ]


def test_what_nothing_asks_for_is_left_out() -> None:
    """S58, S66."""
    state = dealt()
    assert needs(state, take("white", "blue", "red", back={"white": 1})) == [
        ("leave_out", {"name": "return"})
    ]
    assert needs(state, take("white", "blue", "red", noble=state.nobles[0])) == [
        ("leave_out", {"name": "noble"})
    ]
    full = after(dealt(token_limit=3, passing="always"), take("white", "blue", "red"), passing())
    assert needs(full, pair("black", noble=1)) == [("leave_out", {"name": "noble"})]


def test_another_noble_must_be_named() -> None:
    """S66."""
    state = reached(lambda state: state.phase == "choose_noble")
    could = [action.noble for action in choices(state, None) if isinstance(action, ChooseNoble)]
    other = next(noble for noble in NOBLES if noble not in could)
    assert needs(state, choose(other)) == [("name_noble", {"nobles": could})]
    assert needs(state, passing()) == [("phase_first", {"phase": "choose_noble"})]


def test_a_reveal_names_what_is_owed() -> None:
    """S16, S83."""
    state = face_down(dealt(), (1, 2), (3, 0))
    lying, unseen = (
        face_up(state, 1),
        min(card for card in CARDS_OF_LEVEL[1] if card not in cards_in_play(state)),
    )
    slot = {"level": 1, "slot": 2}
    assert needs(state, tell(1, 0, unseen)) == [("name_slot", {"slots": [slot]})]
    assert needs(state, tell(1, 2, lying)) == [("name_card", {"level": 1})]
    assert needs(state, tell(2, 0, unseen)) == [
        ("name_slot", {"slots": [slot, {"level": 3, "slot": 0}]}),
        ("name_card", {"level": 1}),
    ]


def test_a_duty_that_is_not_owed_is_none() -> None:
    """S15."""
    assert needs(dealt(), give({"red": 1})) == [("not_owed", {})]
    assert needs(dealt(), choose(1)) == [("not_owed", {})]


def test_another_seat_has_its_turn() -> None:
    """S14."""
    state = after(dealt(3), resign(1))
    assert needs(state, take("red", seat=2)) == [("turn_of_seat", {"seat": 2})]
    assert needs(state, take("red", seat=1)) == [("impossible", {})]
    assert needs(state, take("red", seat=3)) == [("impossible", {})]
    assert needs(state, resign(1)) == [("impossible", {})]
    over = after(dealt(2), resign(1))
    assert needs(over, take("red", "blue", "white")) == [("impossible", {})]


def test_passing_is_for_those_without_a_choice() -> None:
    """S19, S20."""
    assert needs(dealt(passing="never"), passing()) == [("impossible", {})]
    state = dealt()
    assert needs(state, passing()) == [("nothing_else", {"count": len(choices(state, None))})]


@given(st.data())
def test_what_is_lacking_is_enough_and_no_less_would_do(data: st.DataObject) -> None:
    state = data.draw(played_states(SPLENDOR))
    action = data.draw(actions(SPLENDOR, state))
    lacks = {need.code.name: need.params for need in lacking(state, action)}
    assert bool(lacks) == any(violations(state, action))
    if lacks.keys() & {"impossible", "turn_of_seat", "return_first", "phase_first", "not_owed",
                       "nothing_else", "card_face_up"}:  # fmt: skip
        return  # what has to come first, or never comes
    for given_state, given_action in supplied(state, action, lacks):
        assert not list(violations(given_state, given_action)), (lacks, given_action)
    for name in lacks.keys() & {"more_tokens", "bank_tokens", "bank_colors", "hand_room"}:
        fewer = {**lacks, name: {**lacks[name], "count": lacks[name]["count"] - 1}}  # type: ignore[operator] # numbers
        for given_state, given_action in supplied(state, action, fewer):
            assert list(violations(given_state, given_action)), (fewer, given_action)


def supplied(state: State, action: Action, lacks: Mapping[str, Any]) -> Iterator[tuple[State, Any]]:
    """Yield the state and the action with what it lacks given to it, in each way that there is.

    Return and noble are judged only after all else, so that they are left out where more is wrong.
    """
    if isinstance(action, Resign):
        return
    state = _with_table(state, action, lacks)
    mended: Any = _mended(state, action, lacks)
    if nobles := lacks.get("name_noble"):
        yield from ((state, replace(mended, noble=noble)) for noble in nobles["nobles"])
    elif more := lacks.get("more_tokens"):
        for mixture in _mixtures(state, mended, more):
            held = plus(state.player.tokens, tokens_of(mixture))
            yield _with_player(state, state.player._replace(tokens=held)), mended
    else:
        yield state, mended


def _with_table(state: State, action: Any, lacks: Mapping[str, Any]) -> State:
    """Return the state with what the bank or the hand lacks."""
    if room := lacks.get("hand_room"):
        player = state.player
        state = _with_player(state, player._replace(reserved=player.reserved[room["count"] :]))
    added: tuple[Color, ...] = ()
    if tokens := lacks.get("bank_tokens"):
        absent = {color for color in getattr(action, "colors", ()) if not state.bank[color]}
        added = tuple(absent or {Color[tokens["color"].upper()]}) * tokens["count"]
    elif colors := lacks.get("bank_colors"):
        added = tuple(Color[word.upper()] for word in colors["colors"])[: colors["count"]]
    return state._replace(bank=plus(state.bank, tokens_of(added)))


def _with_player(state: State, player: Player) -> State:
    return state._replace(players=with_player(state.players, state.seat, player))


def _mended(state: State, action: Any, lacks: Mapping[str, Any]) -> Any:
    """Return the action as its needs have it."""
    duties = {"return_exactly", "leave_out", "name_noble"}
    members: dict[str, object] = {}
    if not lacks.keys() & duties and not isinstance(action, ChooseNoble | Reveal):
        action = _plain(action)
    if named := lacks.get("name_colors"):
        there = [color for color in GEMS if state.bank[color]]
        members["colors"] = tuple(there[: named["count"]])
    if paid := lacks.get("pay_exactly"):
        members["payment"] = _tokens(paid["payment"])
    if back := lacks.get("return_exactly"):
        members["returned"] = _tokens(back["tokens"])
    if out := lacks.get("leave_out"):
        members[{"return": "returned"}.get(out["name"], out["name"])] = None
    if members.keys() & {"returned"}:
        members["noble"] = None
    if slots := lacks.get("name_slot"):
        members |= slots["slots"][0]
    if card := lacks.get("name_card"):
        members["card"] = min(CARDS_OF_LEVEL[card["level"]] - cards_in_play(state))
    return replace(action, **members)


def _plain(action: Any) -> Any:
    members = [name for name in ("returned", "noble") if name in action.__slots__]
    if action.type == "return_tokens":
        members.remove("returned")
    return replace(action, **dict.fromkeys(members))


def _mixtures(state: State, action: Any, more: dict[str, Any]) -> Iterator[tuple[Color, ...]]:
    """Yield so many tokens of the colours, of each but gold no more than is missing of it."""
    due = discounted_cost(CARDS[action.card], state.player.bonuses)
    colors = [Color[word.upper()] for word in more["colors"]]
    for mixture in combinations_with_replacement(colors, more["count"]):
        if all(
            color is GOLD or mixture.count(color) <= due[color] - state.player.tokens[color]
            for color in colors
        ):
            yield mixture


def _tokens(counts: dict[str, int]) -> Tokens:
    white, blue, green, red, black, gold = (counts[word] for word in COLOR_WORDS)
    return white, blue, green, red, black, gold


# Where it would be judged otherwise.


@given(st.data())
def test_no_other_option_has_a_say(data: st.DataObject) -> None:
    state = data.draw(played_states(SPLENDOR))
    action = data.draw(actions(SPLENDOR, state))
    told = referee.explain(SPLENDOR.rules, EXPLAINING, state, action)
    is_legal = not any(violations(state, action))
    own = EXPLAINING.options(state)
    turning = {
        (option.name, value)
        for option in SPLENDOR.rules.options
        for value in option.values
        if any(violations(under(state, {option.name: value}), action)) == is_legal
    }
    assert {name for name, _ in turning} <= set(judges(action))
    assert set(told.options) <= turning
    words = {(name, value) for name, value in turning if type(value) is not int}
    assert words <= set(told.options)
    for name in {name for name, _ in turning - words}:
        best = min(abs(value - own[name]) for each, value in turning if each == name)  # type: ignore[operator] # numbers
        ((_, nearest),) = [each for each in told.options if each[0] == name]
        assert abs(nearest - own[name]) == best  # type: ignore[operator] # numbers


def test_another_ruleset_may_allow_it() -> None:
    """S36 under a misreading, S24 under another option."""
    state = after(dealt(2, "gamerules", gold_tokens=1, reserve_without_gold=False), draw(1))
    told = referee.explain(SPLENDOR.rules, EXPLAINING, state, draw(1))
    assert told.rulesets == {"gamerules": True, "publisher": True}
    assert told.options == (("gold_tokens", 0), ("reserve_without_gold", True))
    told = referee.explain(SPLENDOR.rules, EXPLAINING, dealt(), take("red"))
    assert told.rulesets == {"gamerules": False, "publisher": False}
    assert told.options == (("take_fewer", "always"),)


def test_every_need_has_been_met() -> None:
    """Each code of `NEEDS` stands in a test above."""
    source = Path(__file__).read_text("utf-8")
    assert [code.name for code in NEEDS if f'"{code.name}"' not in source] == []
