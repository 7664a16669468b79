"""Facts that follow from what is seen: what each seat has, lacks and can reach.

Told from an observation alone, so that nothing hidden can be in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import take_different
from splendor_api.games.splendor.components import CARDS, NOBLES
from splendor_api.games.splendor.state import (
    Player,
    State,
    deck_size,
    discounted_cost,
    eligible_nobles,
    face_up,
    owed_reveals,
)
from splendor_api.games.splendor.tokens import (
    GEMS,
    GOLD,
    Gems,
    beyond,
    gem_map,
    gems_in,
    with_one_more,
)


def facts(state: State) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return what follows from an observation for each seat, as plain JSON values."""
    return {"seats": [_seat_facts(state, seat) for seat in range(len(state.players))]}


def _seat_facts(state: State, seat: int) -> dict[str, object]:
    player = state.players[seat]
    is_out = player.resigned or state.phase == "over"
    cards = [] if is_out else [*_visible_cards(state, player)]
    dues = {card: discounted_cost(CARDS[card], player.bonuses) for card, _ in cards}
    affordable = [card for card, due in dues.items() if not _shortage(player, due)]
    return {
        "seat": seat,
        "prestige": player.prestige,
        "bonuses": gem_map(player.bonuses),
        "reachable_prestige": player.prestige
        if is_out
        else _reachable(state, seat, [] if _is_mid_turn(state, seat) else affordable),
        "nobles": [] if is_out else [_noble_facts(noble, player) for noble in state.nobles],
        "cards": [_card_facts(state, player, card, place, dues[card]) for card, place in cards],
    }


def _visible_cards(state: State, player: Player) -> Iterator[tuple[int, str]]:
    """Yield every card that the player could buy if it could pay, and where that lies."""
    yield from ((card, "market") for card in face_up(state.market))
    yield from ((held.card, "reserve") for held in player.reserved if held.card is not None)


def _noble_facts(noble: int, player: Player) -> dict[str, object]:
    missing = beyond(NOBLES[noble].required, player.bonuses)
    return {"noble": noble, "missing": gem_map(missing), "cards": sum(missing)}


def _card_facts(
    state: State, player: Player, card: int, place: str, due: Gems
) -> dict[str, object]:
    missing = beyond(due, gems_in(player.tokens))
    gold = min(sum(missing), player.tokens[GOLD])
    return {
        "card": card,
        "place": place,
        "due": gem_map(due),
        "missing": gem_map(missing),
        "gold": gold,
        "short": sum(missing) - gold,
        "turns": _turns(state, player, due, missing),
    }


def _shortage(player: Player, due: Gems) -> int:
    """Return how many tokens the player lacks to pay what is due."""
    return max(0, sum(beyond(due, gems_in(player.tokens))) - player.tokens[GOLD])


def _is_mid_turn(state: State, seat: int) -> bool:
    """Return whether the seat has chosen already, and only settles what it owes."""
    return seat == state.to_act and state.phase != "main" and not turn.is_opening(state)


def _reachable(state: State, seat: int, affordable: Iterable[int]) -> int:
    """Return the most prestige that the seat can have at the end of one turn of its own."""
    player = state.players[seat]
    ends = [(player.prestige, player.bonuses)]
    ends += [
        (player.prestige + card.points, with_one_more(player.bonuses, card.bonus))
        for card in map(CARDS.__getitem__, affordable)
    ]
    return max(prestige + _visit(state, bonuses) for prestige, bonuses in ends)


def _visit(state: State, bonuses: Gems) -> int:
    """Return the points of the best noble that comes to such bonuses."""
    eligible = eligible_nobles(state.nobles, bonuses)
    return max((NOBLES[noble].points for noble in eligible), default=0)


class _Want(NamedTuple):
    """A colour that is missing: how much, how much the bank has of that, in how many pairs."""

    missing: int
    available: int
    pairs: int


def _turns(state: State, player: Player, due: Gems, missing: Gems) -> int | None:
    """Return in how few turns of drawing alone the seat could pay what is due (docs/explain.md)."""
    options = state.options
    if sum(due) > options.token_limit:
        return None
    wants = tuple(
        sorted(
            _want(count, state.bank[gem], options.take_two_minimum)
            for gem, count in zip(GEMS, missing, strict=True)
            if count
        )
    )
    to_reserve = sum(map(deck_size, state.decks)) + len(face_up(state.market))
    room = options.reserve_limit - len(player.reserved)
    gold = min(state.bank[GOLD], room, to_reserve + len(owed_reveals(state.market)))
    return _draws(wants, player.tokens[GOLD], max(0, gold))


def _want(missing: int, pile: int, least: int) -> _Want:
    pairs = max(0, (pile - least) // 2 + 1)
    return _Want(missing, min(missing, pile), min(missing // 2, pairs))


class _Plan(NamedTuple):
    """How the colours so far would come: by gold, in pairs, one at a time."""

    gold: int
    pairs: int
    singles: int
    longest: int  # singles of one colour, each of which takes a turn of its own


# The same few shortages recur from card to card and from seat to seat.
@lru_cache(maxsize=8192)
def _draws(wants: tuple[_Want, ...], gold_held: int, gold_to_draw: int) -> int | None:
    """Return the fewest draws for all of `wants`, `None` if no number of them is enough."""
    plans = {_Plan(0, 0, 0, 0)}
    for want in wants:
        plans = {
            _Plan(
                plan.gold + gold,
                plan.pairs + pairs,
                plan.singles + singles,
                max(plan.longest, singles),
            )
            for plan in plans
            for gold, pairs, singles in _ways(want)
            if plan.gold + gold <= gold_held + gold_to_draw
        }
    most = take_different.MOST
    return min(
        (
            max(0, plan.gold - gold_held) + plan.pairs + max(plan.longest, -(-plan.singles // most))
            for plan in plans
        ),
        default=None,
    )


def _ways(want: _Want) -> Iterator[tuple[int, int, int]]:
    """Yield every way to get what is missing of a colour: by gold, in pairs, one at a time."""
    for pairs in range(want.pairs + 1):
        for singles in range(want.available - 2 * pairs + 1):
            yield want.missing - 2 * pairs - singles, pairs, singles
