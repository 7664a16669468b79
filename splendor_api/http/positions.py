"""States as requests bring them, open or sealed, and who may be shown or may act in a sealed one.

An open state is the caller's to read. Of a sealed one nobody is told more than a spectator sees,
but a seat that shows its key what it may do and see; where seats are locked, nobody acts without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from splendor_api.games.protocol import Step
from splendor_api.http.operations import Answer, Served, refusal
from splendor_api.http.problems import FORBIDDEN, SEAL_BROKEN, SEAL_KEY_RETIRED, JsonObject
from splendor_api.sealing.states import Deal
from splendor_api.wire.faults import OUT_OF_RANGE, Fault
from splendor_api.wire.requests import Sealed

_OPEN_FAULTS: Final = {problem.code: problem for problem in (SEAL_BROKEN, SEAL_KEY_RETIRED)}


@dataclass(frozen=True, slots=True)
class Position:
    """A whole state, and the sealed deal that it is of, if it came sealed."""

    state: Any
    deal: Deal | None = None


def position_of(game: Served, given: Any) -> Position | Answer:
    """Return the position that a state in a request stands for, or why its seal does not open."""
    if not isinstance(given, Sealed):
        return Position(given)
    if not game.seals.is_on:
        return refusal(SEAL_BROKEN.document())
    opened = game.seals.open(given)
    if isinstance(opened, str):
        return refusal(_OPEN_FAULTS[opened].document())
    return Position(opened.state, opened.deal)


def seat_faults(game: Served, position: Position, seat: int | None) -> Iterator[Fault]:
    """Yield the fault of a seat that nobody has in this game."""
    seats = game.rules.seats_of(position.state)
    if seat is not None and seat >= seats:
        yield OUT_OF_RANGE.at("/seat", value=seat, low=0, high=seats - 1)


def stranger(game: Served, position: Position, seat: int | None, key: str | None) -> Answer | None:
    """Return why whoever shows `key` may not act for `seat`, `None` if they may.

    Without a seat any seat's key will do: where there are no turns, all may act.
    """
    deal = position.deal
    if deal is None:
        return None
    if key is None:
        return refusal(FORBIDDEN.document(_LOCKED)) if deal.is_locked else None
    return None if _is_known(game, position, deal, seat, key) else _wrong_key()


def onlooker(game: Served, position: Position, seat: int | None, key: str | None) -> Answer | None:
    """Return why whoever shows `key` may not see what `seat` sees; a spectator always may."""
    if position.deal is None or seat is None:
        return None
    if key is None:
        return refusal(FORBIDDEN.document("What a seat sees is shown to its seat_key only."))
    return stranger(game, position, seat, key)


def strangers(game: Served, position: Position, keys: Sequence[str] | None) -> Answer | None:
    """Return why whoever shows these keys, by seat, may not act for every seat."""
    deal = position.deal
    if deal is None:
        return None
    if keys is None:
        return refusal(FORBIDDEN.document(_LOCKED_ALL)) if deal.is_locked else None
    seats = game.rules.seats_of(position.state)
    are_known = [game.seals.is_seat_key(deal, seat, key) for seat, key in enumerate(keys)]
    return None if are_known == [True] * seats else _wrong_key()


def seen(game: Served, position: Position, seat: int | None) -> Any:
    """Return what a seat (`None`: a spectator) sees of a position."""
    state = position.state
    if position.deal is not None and game.rules.outcome(state) is not None:
        return game.rules.split(state)[0]  # it came sealed, so it has not been shown
    return game.rules.observe(state, seat)


def told_step(
    game: Served, deal: Deal | None, step: Step[Any, Any], *, for_all: bool = False
) -> JsonObject:
    """Return the JSON of a state and what led to it, as open or sealed as the one before it.

    Once a sealed game is over nothing is hidden any more; where its seats were locked, so that
    nobody can have played a copy of it to the end, that goes for its seed too. `for_all`: every
    seat has shown its key.
    """
    rules = game.rules
    outcome = rules.outcome(step.state)
    stays_shut = deal is not None and (
        outcome is None or not (for_all or _was_played_out(game, deal, step.state))
    )
    told: JsonObject = {
        "state": dumped(game, deal if stays_shut else None, step.state),
        "events": [game.wire.dump_event(event) for event in _events(game, deal, step, stays_shut)],
        "to_act": rules.to_act(step.state),
        "outcome": None if outcome is None else game.wire.dump_outcome(outcome),
    }
    if deal is not None and deal.is_locked and not stays_shut:
        told |= {"seed": deal.seed, "nonce": deal.nonce}
    return told


def dumped(game: Served, deal: Deal | None, state: Any) -> JsonObject:
    """Return the JSON of a state, sealed if a deal is named that it is of."""
    return game.wire.dump_state(state) if deal is None else game.seals.seal(state, deal)


_LOCKED: Final = "The seats of this deal are locked: seat_key must be the key of the seat."
_LOCKED_ALL: Final = "The seats of this deal are locked: seat_keys must have the key of each."


def _was_played_out(game: Served, deal: Deal, state: Any) -> bool:
    """Return whether a game ended otherwise than by all others leaving.

    With locked seats only that can be done alone: a seat could resign in a copy, look at all of it
    and go back. So what was hidden stays so until every seat has shown its key.
    """
    rules = game.rules
    alone = len(rules.seats_left(state)) < min(2, rules.seats_of(state))
    return not (deal.is_locked and alone)


def _events(
    game: Served, deal: Deal | None, step: Step[Any, Any], stays_shut: bool
) -> tuple[Any, ...]:
    """Return what may be told of the events of a step: of a sealed one, what a spectator sees."""
    rules, events = game.rules, step.events
    if deal is None:
        return events
    if not stays_shut or rules.outcome(step.state) is None:
        return rules.observe_step(step, None)
    return (*rules.observe_step(Step(step.state, events[:-1]), None), *events[-1:])


def _is_known(game: Served, position: Position, deal: Deal, seat: int | None, key: str) -> bool:
    if seat is None:
        seats = game.rules.seats_of(position.state)
        return game.seals.holder(deal, seats, key) is not None
    return game.seals.is_seat_key(deal, seat, key)


def _wrong_key() -> Answer:
    return refusal(FORBIDDEN.document("This is not the key of the seat."))
