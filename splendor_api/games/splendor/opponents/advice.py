"""What each level of opponent suggests, and the reasons that it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from splendor_api.games.opponents import (
    BY_CHANCE,
    ONLY_CHOICE,
    PLAYOUTS_WON,
    Advice,
    Effort,
    Fact,
    Level,
    Opponents,
    Ranked,
    Reason,
)
from splendor_api.games.shuffle import shuffled
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Reserve,
    ReturnTokens,
    TakeDifferent,
    TakeSame,
)
from splendor_api.games.splendor.components import CARDS, NOBLES, Card
from splendor_api.games.splendor.opponents.appraisal import Weights, appraise, in_reach
from splendor_api.games.splendor.opponents.greed import choices, ranked
from splendor_api.games.splendor.opponents.search import Tried, tried
from splendor_api.games.splendor.state import (
    State,
    discounted_cost,
    eligible_nobles,
    has_known_decks,
)
from splendor_api.games.splendor.tokens import (
    GOLD,
    Tokens,
    beyond,
    gems_in,
    plus,
    token_map,
    tokens_of,
    with_one_more,
)

PLAIN = Weights(
    bonus=0.5,
    cheaper=0.0,
    cheaper_point=0.0,
    noble=0.0,
    noble_distance=1.0,
    wait=1.0,
    focus=2.0,
)
"""How the greedy weigh: prestige, and how soon; a bonus is a bonus."""

KEEN = Weights(
    bonus=0.6,
    cheaper=0.05,
    cheaper_point=0.05,
    noble=2.5,
    noble_distance=0.5,
    wait=1.0,
    focus=2.0,
)
"""How the strong weigh, before and while they try things out."""

REACHES_TARGET = Fact(
    "reaches_target",
    params=("target",),
    says="It reaches {target} prestige, which starts the final round.",
    means="The purchase, with the noble that comes by it, reaches the target prestige.",
)
BRINGS_PRESTIGE = Fact(
    "brings_prestige",
    params=("prestige",),
    says="It brings {prestige} prestige.",
    means="The card is worth so much prestige.",
)
BRINGS_NOBLE = Fact(
    "brings_noble",
    params=("noble", "prestige"),
    says="Noble {noble} comes, with {prestige} prestige.",
    means="The noble can come at the end of the turn.",
)
BRINGS_BONUS = Fact(
    "brings_bonus",
    params=("count", "color"),
    says="Other cards in reach that its {color} bonus makes cheaper: {count}.",
    means="The bonus of the card is one that the seat can use.",
)
PAYS_CARD = Fact(
    "pays_card",
    params=("card",),
    says="Card {card} can then be paid.",
    means="After the take the seat has all the tokens for the card that it goes for.",
)
NEARS_CARD = Fact(
    "nears_card",
    params=("card", "missing"),
    says="Tokens that are still missing for card {card} then: {missing}.",
    means="The take brings tokens for the card that the seat goes for.",
)
HOLDS_CARD = Fact(
    "holds_card",
    params=("card",),
    says="No other seat can get card {card} then.",
    means="The card goes into the seat's own hand.",
)
DRAWS_CARD = Fact(
    "draws_card",
    params=("level",),
    says="It draws an unseen card of level {level}.",
    means="The card comes from the top of a deck.",
)
NEEDED_LEAST = Fact(
    "needed_least",
    params=("tokens",),
    says="The seat needs {tokens} least.",
    means="Of the tokens that could go back, these are those the seat misses least.",
)
FACTS = (
    BY_CHANCE,
    ONLY_CHOICE,
    PLAYOUTS_WON,
    REACHES_TARGET,
    BRINGS_PRESTIGE,
    BRINGS_NOBLE,
    BRINGS_BONUS,
    PAYS_CARD,
    NEARS_CARD,
    HOLDS_CARD,
    DRAWS_CARD,
    NEEDED_LEAST,
)


def advise(seen: State, seat: int, level: Level, seed: str, effort: Effort) -> Advice[Action]:
    """Return what the seat, which sees `seen`, is advised to do.

    Nothing while a card must be revealed: which one it is, nobody chooses.
    """
    if seat != seen.to_act or seen.phase == "reveal":
        return Advice()
    match level:
        case "random":
            return _by_chance(seen, seed)
        case "greedy":
            return _by_greed(seen)
        case "strong":
            return _by_trial(seen, seat, seed, effort)


def play(seen: State, seat: int, level: Level, seed: str, effort: Effort) -> Action | None:
    """Return what an opponent does in the seat: what it would suggest."""
    advice = advise(seen, seat, level, seed, effort)
    return advice.ranked[0].action if advice.ranked else None


def patience(seen: State, seat: int, _level: Level, _seed: str) -> int | None:
    """Return that an opponent acts as soon as it is to act: there is nothing to be quick at."""
    return None if seat != seen.to_act or seen.phase == "reveal" else 0


def is_playable(state: State) -> bool:
    """Return whether every card is known to the service, so that nobody has to reveal any."""
    return has_known_decks(state) and all(
        held.card is not None for player in state.players for held in player.reserved
    )


def _by_chance(seen: State, seed: str) -> Advice[Action]:
    listed = choices(seen)
    order = shuffled(range(len(listed)), seed, f"opponent/{seen.turn}/{seen.phase}")
    return Advice(tuple(Ranked(listed[place], 0.0, (BY_CHANCE.of(),)) for place in order))


def _by_greed(seen: State) -> Advice[Action]:
    valued, goals = ranked(seen, PLAIN), _goals(seen, PLAIN)
    is_only = len(valued) == 1
    return Advice(
        tuple(
            Ranked(action, value, tuple(_reasons(seen, goals, action, is_only=is_only)))
            for action, value in valued
        )
    )


def _by_trial(seen: State, seat: int, seed: str, effort: Effort) -> Advice[Action]:
    trials, playouts = tried(seen, seat, KEEN, seed, effort)
    goals, is_only = _goals(seen, KEEN), len(trials) == 1
    return Advice(
        tuple(
            Ranked(
                trial.action,
                trial.score,
                (*_wins(trial), *_reasons(seen, goals, trial.action, is_only=is_only)),
            )
            for trial in trials
        ),
        playouts,
    )


def _wins(trial: Tried) -> Iterator[Reason]:
    if trial.playouts:
        yield PLAYOUTS_WON.of(won=trial.won, playouts=trial.playouts)


def _goals(seen: State, weights: Weights) -> list[int]:
    """Return the cards that the seat to act goes for, the first above all."""
    pull = appraise(seen, seen.player, weights).pull
    return sorted(pull, key=lambda card: -pull[card])


def _reasons(
    seen: State, goals: Sequence[int], action: Action, *, is_only: bool
) -> Iterator[Reason]:
    """Yield what speaks for an action, as far as it can be said in a sentence."""
    if is_only:
        yield ONLY_CHOICE.of()
    match action:
        case Buy():
            yield from _reasons_to_buy(seen, CARDS[action.card])
        case TakeDifferent():
            yield from _reasons_to_take(seen, goals, tokens_of(action.colors))
        case TakeSame():
            yield from _reasons_to_take(seen, goals, tokens_of((action.color,) * 2))
        case Reserve(card=int(card)):
            yield HOLDS_CARD.of(card=card)
        case Reserve(level=level):
            yield DRAWS_CARD.of(level=level)
        case ReturnTokens():
            yield NEEDED_LEAST.of(tokens=token_map(action.returned))
        case ChooseNoble():
            yield _visit_of(action.noble)
        case _:
            return


def _reasons_to_buy(seen: State, card: Card) -> Iterator[Reason]:
    player = seen.player
    eligible = eligible_nobles(seen.nobles, with_one_more(player.bonuses, card.bonus))
    visited = NOBLES[eligible[0]].points if eligible else 0
    target = seen.options.target_prestige
    if player.prestige + card.points + visited >= target and not seen.final_round:
        yield REACHES_TARGET.of(target=target)
    if card.points:
        yield BRINGS_PRESTIGE.of(prestige=card.points)
    if eligible:
        yield _visit_of(eligible[0])
    others = (CARDS[other] for other in in_reach(seen, player) if other != card.id)
    cheaper = sum(discounted_cost(other, player.bonuses)[card.bonus] > 0 for other in others)
    if cheaper:
        yield BRINGS_BONUS.of(count=cheaper, color=card.bonus.word)


def _reasons_to_take(seen: State, goals: Sequence[int], drawn: Tokens) -> Iterator[Reason]:
    """Yield how the tokens help with the first of the goals that they help with."""
    player = seen.player
    for goal in goals:
        due = discounted_cost(CARDS[goal], player.bonuses)
        before = sum(beyond(due, gems_in(player.tokens)))
        after = sum(beyond(due, gems_in(plus(player.tokens, drawn))))
        if after < before:
            missing = after - player.tokens[GOLD]
            if missing <= 0:
                yield PAYS_CARD.of(card=goal)
            else:
                yield NEARS_CARD.of(card=goal, missing=missing)
            return


def _visit_of(noble: int) -> Reason:
    return BRINGS_NOBLE.of(noble=noble, prestige=NOBLES[noble].points)


SPLENDOR_OPPONENTS: Final[Opponents[State, Action]] = Opponents(
    levels={
        "random": "Any legal choice, each as likely.",
        "greedy": "The card that is worth most, if one can be paid, else tokens for the one that "
        "is worth most and near.",
        "strong": "The choices that look best, played to the end time and again with what is not "
        "seen made up; the one that wins most.",
    },
    facts=FACTS,
    advise=advise,
    play=play,
    searches=frozenset({"strong"}),
    patience=patience,
    is_playable=is_playable,
)
