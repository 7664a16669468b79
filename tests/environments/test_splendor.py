"""The environment: PettingZoo's own tests, and that it plays by the rules and shows no more."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pettingzoo.test import api_test, seed_test

from splendor_api.environments import actions, features, splendor
from splendor_api.games.registry import GAMES
from splendor_api.games.splendor import turn
from splendor_api.games.splendor.observe import observe
from splendor_api.games.splendor.state import State
from tests.docs.pages import ROOT, read
from tests.games.splendor.table import RICH, reached
from tests.strategies.habits import HABITS

SPLENDOR = GAMES["splendor"]
CYCLES = 300  # actions that PettingZoo's tests take


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pettingzoo_finds_nothing_wrong(seats: int) -> None:
    api_test(splendor.env(seats=seats), num_cycles=CYCLES)


def test_a_seed_repeats_everything() -> None:
    seed_test(splendor.env, num_cycles=CYCLES)


def played(env: Any, seed: int) -> Iterator[tuple[str, Any, float, bool]]:
    """Play at random; yield each agent with what it sees, what it gets, and whether it is over."""
    chance = Random(seed)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        is_over = terminated or truncated
        yield agent, seen, reward, is_over
        legal = np.flatnonzero(info["action_mask"]).tolist()
        env.step(None if is_over else chance.choice(legal))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_ends_with_a_reward_for_each(seats: int) -> None:
    """What one wins the others lose."""
    env = splendor.env(seats=seats, ruleset="publisher", options={"target_prestige": 5})
    earned = {agent: reward for agent, _, reward, is_over in played(env, 3) if is_over}
    assert sorted(earned) == [f"seat_{seat}" for seat in range(seats)]
    assert sorted(earned.values()) == [splendor.LOST] * (seats - 1) + [splendor.WON]


def test_a_seed_deals_what_the_service_deals() -> None:
    env = splendor.raw_env(seats=3)
    env.reset(seed=42)
    dealt = SPLENDOR.rules.deal(3, "gamerules", {}, "42")
    assert env.observe("seat_1").tolist() == features.features(observe(dealt, 1), 1)


def test_without_a_seed_every_game_is_another() -> None:
    env = splendor.raw_env()
    env.reset(seed=1)
    seen = []
    for _ in range(5):
        env.reset()
        seen.append(tuple(env.observe("seat_0").tolist()))
    assert len(set(seen)) == len(seen)


def _played_states() -> Iterator[State]:
    """Yield every state of some games, in which hands fill and tokens go back."""
    for seats, ruleset in ((2, "gamerules"), (3, "publisher"), (4, "publisher")):
        chance = Random(seats)
        state = SPLENDOR.rules.deal(seats, ruleset, {}, "played")
        yield state
        while state.to_act is not None:
            choice = chance.choice(turn.choices(state, None))
            state = turn.apply(state, choice).state
            yield state


STATES = tuple(_played_states())


def test_every_choice_has_a_number_of_its_own() -> None:
    met = set()
    owed = reached(lambda state: state.phase == "choose_noble", nobles_revealed=10, **RICH)
    for state in (*STATES, owed):
        numbered, choices = actions.numbered(state), turn.choices(state, None)
        assert sorted(map(repr, numbered.values())) == sorted(map(repr, choices))
        for number, action in numbered.items():
            (group,) = (
                each for each in actions.GROUPS if each.first <= number < each.first + each.size
            )
            assert action.type == group.type
            met.add(group)
    assert {group.type for group in met} | {"pass"} == {group.type for group in actions.GROUPS}


@given(st.data())
def test_a_seat_is_shown_what_it_sees_and_no_more(data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(STATES))
    seat = data.draw(st.integers(0, len(state.players) - 1))
    told = features.features(observe(state, seat), seat)
    assert len(told) == features.LENGTH
    assert all(0 <= number <= features.HIGHEST for number in told)
    other = data.draw(HABITS["splendor"].rearranged(state, seat))
    assert features.features(observe(other, seat), seat) == told


def test_what_is_told_is_where_it_is_said_to_be() -> None:
    state = SPLENDOR.rules.deal(2, "publisher", {}, "a")
    told = features.features(observe(state, 1), 1)
    part = {each.name: told[each.first : each.first + each.size] for each in features.PARTS}
    assert part["phase"] == [1, 0, 0, 0]
    assert part["to_act"] == [0, 1, 0, 0]
    assert part["table"] == [0, 15, 10, 2]
    assert part["bank"] == [4, 4, 4, 4, 4, 5]
    assert part["decks"] == [36, 26, 16]
    assert sum(part["nobles"][:: part_size("nobles", 10)]) == 3
    assert part["players"][: part_size("players", 4)][0] == 1


def part_size(name: str, count: int) -> int:
    """Return how many numbers one of so many things in a part has."""
    (size,) = (each.size for each in features.PARTS if each.name == name)
    return size // count


def test_numbers_follow_each_other_without_a_gap() -> None:
    for groups, total in ((actions.GROUPS, actions.COUNT), (features.PARTS, features.LENGTH)):
        first = 0
        for group in groups:
            assert group.first == first
            first += group.size
        assert first == total


def test_an_illegal_action_ends_the_game_for_whoever_did_it() -> None:
    env = splendor.env()
    env.reset(seed=1)
    _, _, _, _, info = env.last()
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env._cumulative_rewards == {"seat_0": splendor.ILLEGAL_REWARD, "seat_1": 0}


def test_without_its_wrappers_an_illegal_action_raises() -> None:
    env = splendor.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not legal"):
        env.step(actions.COUNT - 1)


def test_a_game_that_goes_on_for_ever_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splendor, "MOST_ACTIONS", 20)
    env = splendor.env()
    last = [(agent, reward) for agent, _, reward, is_over in played(env, 1) if is_over]
    assert last == [("seat_0", 0), ("seat_1", 0)]


def test_a_table_is_drawn_for_a_terminal() -> None:
    env = splendor.raw_env(render_mode="ansi")
    env.reset(seed=1)
    drawn = env.render()
    assert drawn is not None
    assert "Splendor" in drawn
    assert splendor.raw_env().render() is None
    env.close()


def test_the_end_is_told_in_words() -> None:
    env = splendor.raw_env(ruleset="publisher", options={"target_prestige": 5}, render_mode="ansi")
    earned = {agent: reward for agent, _, reward, is_over in played(env, 3) if is_over}
    (winner,) = (agent for agent, reward in earned.items() if reward == splendor.WON)
    drawn = env.render()
    assert drawn is not None
    assert f"Won by: {winner.capitalize().replace('_', ' ')}." in drawn


@pytest.mark.parametrize(
    "given", [{"seats": 5}, {"seats": 1}, {"options": {"reserve_limit": actions.HAND + 1}}]
)
def test_what_has_no_numbers_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"seats|reserve_limit"):
        splendor.raw_env(**given)


def test_without_pettingzoo_it_is_said_how_to_get_it() -> None:
    program = (
        "import sys; sys.modules['pettingzoo'] = None; import splendor_api.environments.splendor"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert 'pip install "splendor-api[pettingzoo]"' in done.stderr


def test_the_numbers_are_documented() -> None:
    page = read("docs/environment.md")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    for group in actions.GROUPS:
        last = group.first + group.size - 1
        numbers = f"{group.first}" if group.size == 1 else f"{group.first} to {last}"
        assert f"| {numbers} | `{group.type}` | {group.what} |" in rows
    for part in features.PARTS:
        last = part.first + part.size - 1
        assert f"| {part.first} to {last} | {part.what} |" in rows
    assert f"{actions.COUNT} actions" in page
    assert f"{features.LENGTH} numbers" in page


def test_an_agent_meets_only_what_it_may_do() -> None:
    env = splendor.env(seats=4)
    for agent, seen, _, is_over in islice(played(env, 5), 200):
        assert env.observation_space(agent).contains(seen)
        assert is_over or env.infos[agent]["action_mask"].any()
