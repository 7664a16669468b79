"""How opponents play Splendor, and what they say for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from splendor_api.games.opponents import (
    LEVELS,
    ONLY_CHOICE,
    PLAYOUTS_WON,
    Advice,
    Effort,
    Fact,
    Level,
)
from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import Action, Buy, Reserve
from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL
from splendor_api.games.splendor.observe import observe
from splendor_api.games.splendor.opponents.advice import (
    BRINGS_NOBLE,
    BRINGS_PRESTIGE,
    KEEN,
    NEARS_CARD,
    PAYS_CARD,
    PLAIN,
    REACHES_TARGET,
    advise,
)
from splendor_api.games.splendor.opponents.appraisal import Weights
from splendor_api.games.splendor.opponents.greed import best, ranked
from splendor_api.games.splendor.opponents.search import MOST_RESERVES, MOST_TRIED, tried
from splendor_api.games.splendor.opponents.worlds import world
from splendor_api.games.splendor.state import State, cards_in_play, deck_size
from splendor_api.games.splendor.state import face_up as face_up_cards
from tests.games.splendor.table import (
    BUYING,
    RICH,
    SPLENDOR,
    counted,
    dealt,
    face_down,
    reached,
)

EFFORT = Effort(playouts=60)
DRAWING = "reserve"  # what a seat likes that fills its hand


def states() -> list[State]:
    """Return states of whole games, of each number of seats and with gold and without."""
    return [
        state
        for seats, ruleset in ((2, "gamerules"), (3, "publisher"), (4, "gamerules"))
        for state in _course(dealt(seats, ruleset=ruleset))
    ]


def _course(state: State) -> list[State]:
    course = [state]
    while state.to_act is not None:
        state = turn.apply(state, best(state, KEEN)).state
        course.append(state)
    return course[:-1]


def told(state: State, level: Level) -> Advice[Action]:
    """Return what the seat to act is advised to do."""
    assert state.to_act is not None
    return advise(observe(state, state.to_act), state.to_act, level, "any", EFFORT)


STATES = states()


@pytest.mark.parametrize("weights", [PLAIN, KEEN])
def test_what_is_chosen_quickly_is_the_first_of_all(weights: Weights) -> None:
    for state in STATES:
        assert best(state, weights) == ranked(state, weights)[0][0]


def test_a_world_looks_as_the_seat_sees_it() -> None:
    for state in STATES[::7]:
        assert state.to_act is not None
        seen = observe(state, state.to_act)
        made_up = world(seen, "any", 3)
        assert observe(made_up, state.to_act) == seen
        assert not list(SPLENDOR.rules.audit(made_up))


def test_worlds_differ_in_every_place_that_is_hidden() -> None:
    held = reached(lambda state: any(one.hidden for one in state.players[0].reserved), (DRAWING,))
    seen = observe(held, 1)
    worlds = [world(seen, "any", number) for number in range(100)]
    assert len({made_up.decks for made_up in worlds}) == len(worlds)
    hands = Counter(made_up.players[0].reserved[0].card for made_up in worlds)
    unseen = CARDS_OF_LEVEL[held.players[0].reserved[0].level] - cards_in_play(seen)
    assert len(hands) > len(unseen) / 2
    assert set(hands) <= unseen


def test_a_seed_makes_the_same_worlds_and_another_makes_others() -> None:
    seen = observe(dealt(), 0)
    assert world(seen, "a", 0) == world(seen, "a", 0)
    assert world(seen, "a", 0) != world(seen, "b", 0)


def test_the_strong_try_few_choices_and_few_reserves() -> None:
    trials, playouts = tried(observe(dealt(), 0), 0, KEEN, "any", Effort(MOST_TRIED))
    assert len(trials) <= MOST_TRIED
    assert sum(isinstance(trial.action, Reserve) for trial in trials) <= MOST_RESERVES
    assert playouts == sum(trial.playouts for trial in trials) <= MOST_TRIED


def test_the_strong_take_a_win_that_they_can_have() -> None:
    """With the last round under way, the seat that plays last buys what puts it ahead."""

    def wins(state: State) -> list[Action]:
        return [
            choice
            for choice in turn.choices(state, None)
            if state.final_round
            and state.seat == len(state.players) - 1
            and isinstance(choice, Buy)
            and _winner(turn.apply(state, choice).state) == state.seat
        ]

    state = reached(wins, target_prestige=5)
    assert len(wins(state)) < len(turn.choices(state, None))
    assert told(state, "strong").ranked[0].action in wins(state)


def _winner(state: State) -> int | None:
    return state.outcome.winners[0] if state.outcome and len(state.outcome.winners) == 1 else None


def test_the_greedy_buy_if_they_can() -> None:
    buying = [state for state in STATES if any(isinstance(a, Buy) for a in _choices(state))]
    assert len(buying) > len(STATES) / 4
    assert all(isinstance(told(state, "greedy").ranked[0].action, Buy) for state in buying)


def _choices(state: State) -> list[Action]:
    return [one.action for one in told(state, "greedy").ranked]


def test_every_choice_is_ranked() -> None:
    for state in STATES[::5]:
        for level in ("random", "greedy"):
            ranked_actions = [one.action for one in told(state, level).ranked]
            assert sorted(map(repr, ranked_actions)) == sorted(map(repr, turn.choices(state, None)))


def test_chance_is_the_seeds() -> None:
    seen = observe(dealt(), 0)
    drawn = Counter(
        advise(seen, 0, "random", str(seed), EFFORT).ranked[0].action for seed in range(200)
    )
    assert len(drawn) > len(turn.choices(seen, None)) / 2
    assert max(drawn.values()) < 30


def test_a_purchase_says_what_it_brings() -> None:
    for state in STATES:
        for one in told(state, "greedy").ranked:
            if not isinstance(one.action, Buy):
                continue
            said = {reason.fact: reason.params for reason in one.reasons}
            card, player = CARDS[one.action.card], state.player
            after = turn.apply(state, one.action).state
            gained = after.players[state.seat].prestige - player.prestige
            noble = _number(said.get(BRINGS_NOBLE, {}), "prestige")
            assert _number(said.get(BRINGS_PRESTIGE, {}), "prestige") == card.points
            is_settled = after.phase != "choose_noble"
            assert gained == card.points + (noble if is_settled else 0)
            if is_settled:
                starts = not state.final_round and (after.final_round or after.phase == "over")
                assert (REACHES_TARGET in said) == (starts and gained > 0)


def _number(params: Mapping[str, object], name: str) -> int:
    number = params.get(name, 0)
    assert isinstance(number, int)
    return number


def test_a_take_says_how_much_is_then_missing() -> None:
    named: Counter[Fact] = Counter()
    for state in STATES:
        for one in told(state, "greedy").ranked:
            for reason in one.reasons:
                if reason.fact is PAYS_CARD and not _owes(state, one.action):
                    after = turn.apply(state, one.action).state
                    mine = after._replace(turn=state.turn, to_act=state.seat)
                    goal = reason.params["card"]
                    assert any(
                        isinstance(choice, Buy) and choice.card == goal
                        for choice in turn.choices(mine, None)
                    )
                named[reason.fact] += 1
                assert reason.fact is not NEARS_CARD or _number(reason.params, "missing") > 0
    assert min(named[PAYS_CARD], named[NEARS_CARD]) > 50


def _owes(state: State, action: Action) -> bool:
    return turn.apply(state, action).state.phase != "main"


def test_an_only_choice_is_said_to_be_one() -> None:
    for state in STATES:
        ranked_actions = told(state, "greedy").ranked
        facts = {reason.fact for reason in ranked_actions[0].reasons}
        assert (ONLY_CHOICE in facts) == (len(ranked_actions) == 1)


def test_a_search_says_how_many_games_were_won() -> None:
    advice = told(dealt(), "strong")
    said = [one.reasons[0].params for one in advice.ranked]
    counts = [(_number(params, "won"), _number(params, "playouts")) for params in said]
    assert {one.reasons[0].fact for one in advice.ranked} == {PLAYOUTS_WON}
    assert sum(played for _, played in counts) == advice.playouts
    assert EFFORT.playouts - len(counts) < advice.playouts <= EFFORT.playouts
    assert all(0 <= won <= played for won, played in counts)


def test_the_cards_of_a_real_table_are_made_up_too() -> None:
    state = counted(dealt())
    advice = advise(state, 0, "strong", "any", EFFORT)
    assert advice.playouts > 0
    made_up = world(state, "any", 0)
    assert [len(deck) for deck in made_up.decks if not isinstance(deck, int)] == [
        deck_size(deck) for deck in state.decks
    ]


def test_nobody_is_advised_which_card_is_revealed() -> None:
    state = face_down(dealt(), (1, 0))
    assert all(advise(state, 0, level, "any", EFFORT).ranked == () for level in LEVELS)


def test_a_card_of_the_hand_that_nobody_has_told_is_not_bought() -> None:
    state = reached(
        lambda state: (
            any(held.card is None for held in state.player.reserved)
            and state.phase == "main"
            and any(isinstance(each, Buy) for each in turn.choices(state, None))
        ),
        (DRAWING, *BUYING),
        firmness=4,
        start=counted,
        **RICH,
    )
    seat = state.seat
    for level in LEVELS:
        for one in advise(state, seat, level, "any", EFFORT).ranked:
            if isinstance(one.action, Buy):
                known = {held.card for held in state.player.reserved}
                assert one.action.card in known | set(face_up_cards(state.market))
