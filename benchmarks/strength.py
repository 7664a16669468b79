"""How strong opponents are: many games of one level against another, on deals that both get.

A game is played by what each seat sees. Searches are bounded by playouts and not by time, so that
the games are the same on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from multiprocessing import Pool
from time import process_time
from typing import NamedTuple

import click

from splendor_api.games.opponents import Effort, Level
from splendor_api.games.registry import GAMES

SPLENDOR = GAMES["splendor"]
RULESET = "gamerules"
PLAYOUTS = 120  # of a search; a quarter of a second on the machine where this was chosen
LONGEST = 1_000  # actions of a game; what takes longer is won by nobody
CONFIDENCE = 1.96  # standard deviations within which 95 of 100 lie


@dataclass(frozen=True, slots=True)
class Match:
    """One seat of a level against the others of another, and the share it is hoped to win."""

    level: Level
    others: Level
    seats: int
    games: int
    goal: float | None = None


MATCHES = (
    Match("greedy", "random", seats=2, games=200, goal=0.95),
    Match("strong", "greedy", seats=2, games=200, goal=0.85),
    Match("strong", "greedy", seats=4, games=24),
)


class Played(NamedTuple):
    """A game: the share of the win, the decisions of the level, their CPU seconds and playouts."""

    won: float
    decisions: int
    seconds: float
    playouts: int


class Score(NamedTuple):
    """What the games of a match come to."""

    match: Match
    games: int
    won: float
    low: float
    high: float
    seconds: float
    playouts: float


def report(playouts: int, processes: int) -> None:
    """Play every match, tell how it goes, and print what it came to."""
    scored: list[Score] = []
    for one in scores(MATCHES, playouts, processes):
        scored.append(one)
        click.echo(list(table([one]))[-1], err=True)
    for line in table([one for one in scored if one.games == one.match.games]):
        click.echo(line)


def scores(matches: Sequence[Match], playouts: int, processes: int) -> Iterator[Score]:
    """Yield the score of each match, and, as it goes on, of every tenth of its games."""
    with Pool(processes) as pool:
        for match in matches:
            played: list[Played] = []
            for game in pool.imap(partial(play, match, playouts), range(match.games)):
                played.append(game)
                if len(played) % max(1, match.games // 10) == 0 or len(played) == match.games:
                    yield score(match, played)


def play(match: Match, playouts: int, number: int) -> Played:
    """Play a game of the match; the seat of the level goes round from game to game."""
    rules, opponents = SPLENDOR.rules, SPLENDOR.opponents
    assert opponents is not None
    own, effort = number % match.seats, Effort(playouts)
    deal = f"strength {number // match.seats}"  # each deal once for each seat
    state, actions, decisions, seconds, spent = (
        rules.deal(match.seats, RULESET, {}, deal),
        0,
        0,
        0.0,
        0,
    )
    while rules.outcome(state) is None and actions < LONGEST:
        seat = rules.to_act(state)
        assert seat is not None
        seen, seed = rules.observe(state, seat), f"{number}/{actions}"
        began = process_time()
        level = match.level if seat == own else match.others
        advice = opponents.advise(seen, seat, level, seed, effort)
        if seat == own:
            decisions += 1
            seconds += process_time() - began
            spent += advice.playouts
        state, actions = rules.apply(state, advice.ranked[0].action).state, actions + 1
    outcome = rules.outcome(state)
    won = 0.0 if outcome is None or own not in outcome.winners else 1 / len(outcome.winners)
    return Played(won, decisions, seconds, spent)


def score(match: Match, played: Sequence[Played]) -> Score:
    """Return the share of wins so far, within which bounds it lies, and what a decision takes."""
    games, won = len(played), sum(game.won for game in played)
    decisions = sum(game.decisions for game in played)
    low, high = wilson(won, games)
    return Score(
        match,
        games,
        won / games,
        low,
        high,
        sum(game.seconds for game in played) / decisions,
        sum(game.playouts for game in played) / decisions,
    )


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return the bounds within which the true share lies in 95 of 100 cases (Wilson, 1927)."""
    share, square = won / games, CONFIDENCE**2 / games
    middle = share + square / 2
    spread = CONFIDENCE * sqrt(share * (1 - share) / games + square / games / 4)
    return (middle - spread) / (1 + square), (middle + spread) / (1 + square)


def table(scored: Sequence[Score]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| match | seats | games | won | 95 % interval | goal | playouts a turn | CPU ms a turn |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for one in scored:
        goal = one.match.goal
        hoped = "" if goal is None else f"≥ {goal:.0%}{'' if one.won >= goal else ', missed'}"
        cells = (
            f"`{one.match.level}` against `{one.match.others}`",
            f"{one.match.seats}",
            f"{one.games}",
            f"{one.won:.1%}",
            f"{one.low:.1%} to {one.high:.1%}",
            hoped,
            f"{one.playouts:.0f}",
            f"{1000 * one.seconds:.1f}",
        )
        yield f"| {' | '.join(cells)} |"
