"""States that travel shut: what comes back is what went out, and nothing is told on the way."""

from __future__ import annotations

import random
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from splendor_api.games.registry import GAMES, Entry
from splendor_api.http.operations import Served
from splendor_api.sealing.box import HEAD_BYTES, NONCE_BYTES
from splendor_api.sealing.keys import KeyRing, master_text
from splendor_api.sealing.states import Deal, Opened, Seals
from splendor_api.wire import json_text
from splendor_api.wire.bodies import StateField
from splendor_api.wire.faults import Fault, InvalidRequest
from splendor_api.wire.json_text import Malformed
from splendor_api.wire.requests import LONGEST_SEAL, LONGEST_SEED, SEAL, Sealed
from tests.strategies.habits import HABITS, Json
from tests.strategies.playing import Manner, Play, as_json, play
from tests.strategies.profiles import tries
from tests.strategies.states import dealt_states, manners, seeds

SEED = "a seed that nobody guesses"
WHOLE = 20  # states of which every position is tried
SAMPLED = 200  # states of which some are
CHANGES = tries(25, 500)  # of each of these
STEPS = 70  # of a game that states are taken from
EVERY = 7
DRAWN = 1_000  # nonces of a process

OLD, MIDDLE, NEW = (master_text(bytes((number,)), bytes((number,)) * 32) for number in (1, 2, 3))


def counted() -> Callable[[int], bytes]:
    """Return what draws bytes that are the same in every run, and never the same twice."""
    numbers = random.Random(0)
    return numbers.randbytes


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its seals."""

    entry: Entry
    seals: Seals[Any]

    @classmethod
    def of(cls, entry: Entry, *keys: str, draw: Callable[[int], bytes] | None = None) -> Game:
        """Return the game of a service with these keys."""
        ring = KeyRing.of(keys or (NEW,))
        return cls(entry, Seals(entry.rules, entry.wire, lambda: ring, draw or counted()))

    def read(self, data: object) -> Sealed[Any] | None:
        """Return a sealed state as a request brings it; nothing if its shape is wrong."""
        faults: list[Fault] = []
        given = StateField(self.entry.wire, required=True).read(data, faults)
        return given if isinstance(given, Sealed) and not faults else None

    def open(self, data: object) -> Opened[Any] | str | None:
        """Return what a sealed state, as it travels, opens to."""
        given = self.read(data)
        return None if given is None else self.seals.open(given)

    def accepts(self, text: bytes) -> bool:
        """Return whether bytes are a sealed state that opens."""
        try:
            data = json_text.read(text)
        except (Malformed, InvalidRequest):
            return False
        return isinstance(self.open(data), Opened)


@pytest.fixture(params=tuple(GAMES.values()), ids=tuple(GAMES), scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    return Game.of(request.param)


@st.composite
def games_from_a_deal(draw: DrawFn, entry: Entry) -> Play:
    """Draw a game from a deal on, the only one that can be sealed."""
    steps = draw(st.integers(0, 100))
    return play(entry, draw(dealt_states(entry)), draw(manners(entry)), draw(seeds()), steps)


def sealed_states(game: Game, number: int) -> Iterator[Json]:
    """Return so many sealed states of several games, of every phase."""
    return islice(_sealed_states(game), number)


def _sealed_states(game: Game) -> Iterator[Json]:
    rules = game.entry.rules
    for place in count():
        seats = rules.seats[place % len(rules.seats)]
        dealt = rules.deal(seats, next(iter(rules.rulesets)), {}, str(place))
        played = play(game.entry, dealt, Manner(), str(place), STEPS)
        deal = game.seals.begin(SEED, is_locked=True)
        for state in played.states[place % EVERY :: EVERY]:
            yield as_json(game.seals.seal(state, deal))


@given(st.data())
def test_what_is_opened_is_what_was_sealed(game: Game, data: st.DataObject) -> None:
    played: Play = data.draw(games_from_a_deal(game.entry))
    seed = data.draw(st.text(min_size=1, max_size=LONGEST_SEED))
    is_locked = data.draw(st.booleans())
    deal = game.seals.begin(seed, is_locked=is_locked)
    for state in played.states:
        opened = game.open(as_json(game.seals.seal(state, deal)))
        assert isinstance(opened, Opened)
        assert opened.state == state
        assert opened.deal == deal
        assert (opened.deal.seed, opened.deal.is_locked) == (seed, is_locked)


@given(st.data())
def test_everybody_sees_what_a_spectator_sees_and_a_seal_of_one_length(
    game: Game, data: st.DataObject
) -> None:
    """T4: the length of a seal tells nothing of what is in it."""
    entry = game.entry
    played: Play = data.draw(games_from_a_deal(entry))
    deal = game.seals.begin(SEED, is_locked=True)
    lengths = set()
    for state in played.states:
        sealed = as_json(game.seals.seal(state, deal))
        lengths.add(len(sealed.pop(SEAL)))
        if entry.rules.outcome(state) is None:
            seen = entry.rules.observe(state, None)
            assert sealed == as_json(entry.wire.dump_state(seen))
        assert not HABITS[entry.rules.name].named(sealed) & _hidden(entry, state)
    assert len(lengths) == 1
    assert lengths.pop() <= LONGEST_SEAL


def _hidden(entry: Entry, state: Any) -> frozenset[int]:
    return HABITS[entry.rules.name].hidden(state, None)


@given(st.data())
def test_states_that_differ_in_what_is_hidden_differ_in_their_seal_alone(
    game: Game, data: st.DataObject
) -> None:
    state = data.draw(games_from_a_deal(game.entry)).last
    other = data.draw(HABITS[game.entry.rules.name].rearranged(state, None))
    if game.entry.rules.outcome(state) is not None:
        return
    deals = [game.seals.begin(seed, is_locked=True) for seed in (SEED, "of another length, but so")]
    some, others = (game.seals.seal(*each) for each in zip((state, other), deals, strict=True))
    some_seal, other_seal = str(some.pop(SEAL)), str(others.pop(SEAL))
    assert some == others
    assert some_seal != other_seal
    assert len(some_seal) == len(other_seal)


def test_the_longest_seal_is_accepted(game: Game) -> None:
    rules = game.entry.rules
    state = rules.deal(rules.seats[-1], next(iter(rules.rulesets)), {}, "any")
    deal = game.seals.begin("\U0001f0cf" * LONGEST_SEED, is_locked=False)
    sealed = game.seals.seal(state, deal)
    assert 900 < len(str(sealed[SEAL])) <= LONGEST_SEAL
    assert isinstance(game.open(as_json(sealed)), Opened)


def test_no_flipped_bit_is_accepted_anywhere(game: Game) -> None:
    for number, sealed in enumerate(sealed_states(game, WHOLE)):
        text = json_text.write(sealed)
        assert game.accepts(text)
        for place in range(len(text)):
            changed = bytearray(text)
            changed[place] ^= 1 << (place + number) % 8
            assert not game.accepts(bytes(changed)), (place, text)


def test_no_changed_byte_is_accepted_anywhere(game: Game) -> None:
    chance = random.Random(1)
    for sealed in sealed_states(game, SAMPLED):
        text = json_text.write(sealed)
        assert game.accepts(text)
        for _ in range(CHANGES):
            changed = bytearray(text)
            place = chance.randrange(len(text))
            changed[place] = (changed[place] + chance.randrange(1, 256)) % 256
            assert not game.accepts(bytes(changed)), (place, text)


def test_no_changed_character_of_a_seal_is_accepted(game: Game) -> None:
    (sealed,) = sealed_states(game, 1)
    seal = sealed[SEAL]
    for place, character in enumerate(seal):
        for other in "Aa0_-":
            changed = seal[:place] + other + seal[place + 1 :]
            expected = character == other
            opened = game.open({**sealed, SEAL: changed})
            assert isinstance(opened, Opened) == expected
            assert expected or opened == "seal_broken"


def test_seals_fit_no_other_deal_and_no_other_turn(game: Game) -> None:
    states = list(sealed_states(game, 12))
    for place, some in enumerate(states):
        for other_place, other in enumerate(states):
            opened = game.open({**some, SEAL: other[SEAL]})
            assert isinstance(opened, Opened) == (place == other_place)


def test_seals_fit_no_other_game() -> None:
    some, other = (Game.of(entry, NEW) for entry in tuple(GAMES.values())[:2])
    (of_some,), (of_other,) = sealed_states(some, 1), sealed_states(other, 1)
    assert some.open(of_other) is None, "its shape is another"
    assert some.open({**of_some, SEAL: of_other[SEAL]}) == "seal_broken"


def test_seals_fit_no_other_service(game: Game) -> None:
    elsewhere = Game.of(game.entry, master_text(bytes((3,)), b"\7" * 32))
    unknown = Game.of(game.entry, OLD)
    for sealed in sealed_states(game, 3):
        assert elsewhere.open(sealed) == "seal_broken", "a key of the same id"
        assert unknown.open(sealed) == "seal_broken"


def test_the_order_of_members_and_what_need_not_be_said_change_nothing(game: Game) -> None:
    for sealed in sealed_states(game, 5):
        turned = dict(reversed(sealed.items()))
        assert isinstance(game.open(turned), Opened)


def test_what_a_later_version_says_in_addition_is_no_obstacle(game: Game) -> None:
    (sealed,) = sealed_states(game, 1)
    given = game.read(sealed)
    assert given is not None
    bare = Sealed(given.seen, {}, given.seal)
    assert isinstance(game.seals.open(bare), Opened), "bound to the value, however it was spelt"


def test_keys_are_rotated_over_three_generations(game: Game) -> None:
    entry = game.entry
    first = Game.of(entry, OLD)
    (of_old,) = sealed_states(first, 1)
    second = Game.of(entry, MIDDLE, OLD)
    opened = second.open(of_old)
    assert isinstance(opened, Opened)
    resealed = as_json(second.seals.seal(opened.state, opened.deal))
    assert isinstance(first.open(resealed), Opened), "a deal stays under its key"
    (of_middle,) = sealed_states(second, 1)
    assert first.open(of_middle) == "seal_broken", "a key that it does not have"
    third = Game.of(entry, NEW, MIDDLE, "01:retired")
    assert third.open(of_old) == "seal_key_retired"
    assert third.open(resealed) == "seal_key_retired"
    assert isinstance(third.open(of_middle), Opened)
    last = Game.of(entry, NEW)
    assert last.open(of_middle) == "seal_broken"


def test_seat_keys_outlive_rotation(game: Game) -> None:
    first, second = Game.of(game.entry, OLD), Game.of(game.entry, NEW, OLD)
    deal = first.seals.begin(SEED, is_locked=True)
    keys = first.seals.seat_keys(deal, 3)
    assert second.seals.seat_keys(deal, 3) == keys


def test_a_seat_key_is_of_one_seat_in_one_deal(game: Game) -> None:
    deals = [game.seals.begin(SEED, is_locked=True) for _ in range(3)]
    keys = [game.seals.seat_keys(deal, 3) for deal in deals]
    for place, deal in enumerate(deals):
        for other, of_deal in enumerate(keys):
            for holder, key in enumerate(of_deal):
                is_of_deal = place == other
                assert game.seals.holder(deal, 3, key) == (holder if is_of_deal else None)
                for seat in range(3):
                    expected = is_of_deal and seat == holder
                    assert game.seals.is_seat_key(deal, seat, key) == expected
    assert len({key for of_deal in keys for key in of_deal}) == 9


def test_a_repeated_nonce_shows_equality_and_nothing_else(game: Game) -> None:
    """AES-GCM-SIV is chosen for this: a forked process, a restored snapshot."""
    stuck = Game.of(game.entry, NEW, draw=lambda size: b"\1" * size)
    rules = game.entry.rules
    some, other = (rules.deal(2, next(iter(rules.rulesets)), {}, seed) for seed in "ab")
    deal = stuck.seals.begin(SEED, is_locked=True)
    seals = [str(stuck.seals.seal(state, deal)[SEAL]) for state in (some, some, other)]
    assert seals[0] == seals[1]
    head = 4 * (1 + 16 + 16 + 12) // 3
    assert seals[0][:head] == seals[2][:head]
    same = sum(map(str.__eq__, seals[0][head:], seals[2][head:]))
    assert same < (len(seals[0]) - head) // 8, "as often as by chance: a 64th"


def test_nothing_secret_is_shown() -> None:
    for entry in GAMES.values():
        game = Game.of(entry, NEW)
        deal = game.seals.begin(SEED, is_locked=True)
        (sealed,) = sealed_states(game, 1)
        opened = game.open(sealed)
        shown = f"{deal!r} {opened!r} {game.seals!r}"
        for secret in (SEED, deal.nonce, repr(deal.key), NEW.split(":")[1]):
            assert secret not in shown


def test_a_service_without_keys_does_not_seal(game: Game) -> None:
    off = Seals(game.entry.rules, game.entry.wire, lambda: None, counted())
    assert not off.is_on
    assert game.seals.is_on


def test_halves_that_do_not_belong_together_are_refused(game: Game) -> None:
    rules = game.entry.rules
    state = rules.deal(2, next(iter(rules.rulesets)), {}, "halves")
    seen, hidden = rules.split(state)
    assert rules.join(seen, hidden) == state
    for wrong in (hidden + b"\0", hidden[:-1] + b"\1", hidden[:-1]):
        with pytest.raises(ValueError, match="more hidden cards than places"):
            rules.join(seen, wrong)


def test_a_deal_is_a_value(game: Game) -> None:
    deal = game.seals.begin(SEED, is_locked=True)
    again = Deal.of(deal.head, deal.key, SEED, deal.nonce, is_locked=True)
    assert again == deal
    assert len(bytes.fromhex(deal.nonce)) == 32
    assert len(deal.head.deal_id) == 16


def _drawn(_: int) -> list[str]:
    """Return seals of one state, as another process of the same service makes them."""
    entry = next(iter(GAMES.values()))
    served = Served.of(entry, lambda: KeyRing.of([NEW]))
    state = entry.rules.deal(2, next(iter(entry.rules.rulesets)), {}, "fork")
    deal = served.seals.begin(SEED, is_locked=True)
    return [str(served.seals.seal(state, deal)[SEAL]) for _ in range(DRAWN)]


def test_no_two_processes_draw_the_same_nonce() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        seals = [seal for drawn in pool.map(_drawn, range(2)) for seal in drawn]
    raw = [urlsafe_b64decode(seal + "=" * (-len(seal) % 4)) for seal in seals]
    assert len({each[HEAD_BYTES : HEAD_BYTES + NONCE_BYTES] for each in raw}) == 2 * DRAWN
    assert len({each[:HEAD_BYTES] for each in raw}) == 2, "two deals"
