"""Splendor as an environment of PettingZoo (AEC): one agent a seat, one action at a time.

    from splendor_api.environments import splendor

    env = splendor.env(seats=2)
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        ...

The rules are those of the service, and so is the deal that follows from a seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from splendor_api.environments.actions import COUNT, HAND, numbered
from splendor_api.environments.features import HIGHEST, LENGTH, features
from splendor_api.games.drawing import View
from splendor_api.games.protocol import Value
from splendor_api.games.splendor.actions import Action
from splendor_api.games.splendor.game import SPLENDOR
from splendor_api.games.splendor.options import SEATS, resolve
from splendor_api.games.splendor.picture import SPLENDOR_PICTURE
from splendor_api.games.splendor.state import State
from splendor_api.i18n.catalogue import ENGLISH, sentence

MOST_ACTIONS: Final = 1_000  # of a game, after which it is cut off
ILLEGAL_REWARD: Final = -1.0
WON, SHARED, LOST = 1.0, 0.0, -1.0


def env(**given: Any) -> AECEnv[str, Any, Any]:
    """Return an environment that ends the game of whoever does what is not legal.

    Takes what `raw_env` takes.
    """
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(raw_env(**given), illegal_reward=ILLEGAL_REWARD)
        )
    )


Numbers = np.ndarray[Any, np.dtype[np.int8]]


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801 - the name that PettingZoo's environments have
    """The environment itself, which raises `ValueError` for what is not legal."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "splendor_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    agents: list[str]
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Numbers]]
    agent_selection: str
    _cumulative_rewards: dict[str, float]
    _state: State
    _legal: dict[int, Action]
    _actions: int

    def __init__(
        self,
        seats: int = 2,
        ruleset: str = "gamerules",
        options: Mapping[str, Value] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Take what `deal` takes. Raise `ValueError` for more seats than there are, and for hands
        of more places than have numbers.
        """
        super().__init__()
        if seats not in SEATS:
            raise ValueError(f"{seats} seats cannot play")
        if resolve(ruleset, seats, options or {}).reserve_limit > HAND:
            raise ValueError(f"reserve_limit is more than {HAND}")
        self._dealing: Final = (seats, ruleset, options or {})
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._observation_spaces: Final = {
            agent: spaces.Box(0, HIGHEST, (LENGTH,), np.int8) for agent in self.possible_agents
        }
        self._action_spaces: Final = {
            agent: spaces.Discrete(COUNT) for agent in self.possible_agents
        }
        self._chance = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent's observations are: so many numbers."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent's actions are: a number each."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: with the seed's deal, else with one that follows from those before."""
        del options
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        dealt_from = self._chance.integers(1 << 62) if seed is None else seed
        seats, ruleset, given = self._dealing
        self._begin(SPLENDOR.deal(seats, ruleset, given, str(dealt_from)))

    def step(self, action: Any) -> None:
        """Do the action of this number for the agent that is selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = self._legal.get(int(action))
        if chosen is None:
            raise ValueError(f"action {action} is not legal now")
        self._cumulative_rewards[agent] = 0.0
        self._state = SPLENDOR.apply(self._state, chosen).state
        self._actions += 1
        self.rewards = self._earned()
        is_over, is_long = self._state.outcome is not None, self._actions >= MOST_ACTIONS
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, is_long and not is_over)
        self._look()
        self._accumulate_rewards()
        if is_over or is_long:
            self._deads_step_first()

    def observe(self, agent: str) -> Numbers:
        """Return what an agent sees."""
        seat = self.possible_agents.index(agent)
        return np.array(features(SPLENDOR.observe(self._state, seat), seat), np.int8)

    def render(self) -> str | None:
        """Return what a spectator sees, in lines for a terminal, if that was asked for."""
        if self.render_mode != "ansi":
            return None
        seen = SPLENDOR.observe(self._state, None)
        return SPLENDOR_PICTURE.lay_out(seen, View(ENGLISH.tag, sentence))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def _begin(self, state: State) -> None:
        self._state, self._actions = state, 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._look()

    def _look(self) -> None:
        """Select the agent that is to act, and tell it by a mask what it may do."""
        to_act = self._state.to_act
        self._legal = numbered(self._state)
        if to_act is not None:
            self.agent_selection = self.possible_agents[to_act]
        self.infos = {agent: {"action_mask": np.zeros(COUNT, np.int8)} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"][list(self._legal)] = 1

    def _earned(self) -> dict[str, float]:
        """Return the rewards of the last action: nothing before the end."""
        outcome = self._state.outcome
        if outcome is None:
            return dict.fromkeys(self.agents, 0.0)
        won = WON if len(outcome.winners) == 1 else SHARED
        return {
            agent: won if seat in outcome.winners else LOST
            for seat, agent in enumerate(self.possible_agents)
        }
