"""Seal states and open them: the state travels, what is hidden in it travels shut.

The public part is what a spectator sees; the hidden part is what the game splits off, with the
secrets of the deal. A seal that opens has been ours, byte for byte, with just this public part:
nothing hidden is looked at before (T20).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar

from splendor_api.games.protocol import Game
from splendor_api.sealing import keys
from splendor_api.sealing.box import NONCE_BYTES, Head, opened, sealed, taken_apart
from splendor_api.sealing.keys import DEAL_ID_BYTES, KeyRing
from splendor_api.wire import json_text
from splendor_api.wire.game import GameWire
from splendor_api.wire.requests import SEAL, Sealed

StateT = TypeVar("StateT")

Json = dict[str, object]
Draw = Callable[[int], bytes]
"""Returns so many random bytes."""

COMMITMENT_NONCE_BYTES: Final = 32
NONCE_CHARACTERS: Final = 2 * COMMITMENT_NONCE_BYTES
SEED_SIZES: Final = (128, 512)  # bytes that a seed is filled up to: most fit the first
SEED_AT: Final = 4  # whether seats are locked, which size, the seed's length in two bytes; the seed

OpenFault = Literal["seal_broken", "seal_key_retired"]


@dataclass(frozen=True, slots=True)
class Deal:
    """What is known of a sealed deal beside its state.

    `key` is the one that its states are sealed under; `secrets` go with each state, and are the
    same bytes, as many, in all of them: seldom does anybody ask what they say.
    """

    head: Head
    key: bytes = field(repr=False)
    secrets: bytes = field(repr=False)

    @classmethod
    def of(cls, head: Head, key: bytes, seed: str, nonce: str, *, is_locked: bool) -> Deal:
        """Return a deal; `nonce` is that of the commitment, in hex."""
        said = seed.encode()
        size = next(size for size in SEED_SIZES if len(said) <= size)
        begins = bytes((is_locked, SEED_SIZES.index(size))) + len(said).to_bytes(2, "big")
        return cls(head, key, begins + said.ljust(size, b"\0") + nonce.encode())

    @classmethod
    def unpacked(cls, head: Head, key: bytes, packed: bytes) -> tuple[Deal, bytes]:
        """Return the deal whose secrets `packed` begins with, and the rest of it."""
        size = SEED_AT + SEED_SIZES[packed[1]] + NONCE_CHARACTERS
        return cls(head, key, packed[:size]), packed[size:]

    @property
    def is_locked(self) -> bool:
        """Return whether a seat must show its key to act."""
        return bool(self.secrets[0])

    @property
    def seed(self) -> str:
        """Return what the deal was made from."""
        length = int.from_bytes(self.secrets[2:SEED_AT], "big")
        return self.secrets[SEED_AT : SEED_AT + length].decode()

    @property
    def nonce(self) -> str:
        """Return what the commitment was made with, in hex."""
        return self.secrets[-NONCE_CHARACTERS:].decode()


@dataclass(frozen=True, slots=True)
class Opened(Generic[StateT]):
    """A state with nothing hidden, and the deal that it is of."""

    state: StateT = field(repr=False)
    deal: Deal


class Seals(Generic[StateT]):
    """Seals and opens the states of one game.

    `ring` returns the service's keys, or nothing where there are none and none can be kept: then
    sealing is off, and nothing but `is_on` may be asked.
    """

    def __init__(
        self,
        rules: Game[StateT, Any, Any],
        wire: GameWire[StateT, Any, Any, Any, Any],
        ring: Callable[[], KeyRing | None],
        draw: Draw,
    ) -> None:
        self._rules: Final = rules
        self._wire: Final = wire
        self._keys: Final = ring
        self._draw: Final = draw

    @property
    def is_on(self) -> bool:
        """Return whether there are keys."""
        return self._keys() is not None

    def begin(self, seed: str, *, is_locked: bool) -> Deal:
        """Return a new deal, under the current key."""
        head = Head(self._ring.current.id, self._draw(DEAL_ID_BYTES))
        key = keys.state_key(self._master(head), head.deal_id, self._rules.name)
        nonce = self._draw(COMMITMENT_NONCE_BYTES).hex()
        return Deal.of(head, key, seed, nonce, is_locked=is_locked)

    def seat_keys(self, deal: Deal, seats: int) -> list[str]:
        """Return every seat's key."""
        master = self._master(deal.head)
        return [
            keys.seat_key(master, deal.head.deal_id, self._rules.name, seat)
            for seat in range(seats)
        ]

    def is_seat_key(self, deal: Deal, seat: int, given: str) -> bool:
        """Return whether `given` is the key of the seat in this deal."""
        expected = keys.seat_key(self._master(deal.head), deal.head.deal_id, self._rules.name, seat)
        return keys.is_same(expected, given)

    def holder(self, deal: Deal, seats: int, given: str) -> int | None:
        """Return the seat whose key `given` is, if it is any's."""
        same = [keys.is_same(each, given) for each in self.seat_keys(deal, seats)]
        return same.index(True) if any(same) else None

    def seal(self, state: StateT, deal: Deal) -> Json:
        """Return the JSON of a state that goes on: what a spectator sees of it, and the seal."""
        seen, hidden = self._rules.split(state)
        public = self._wire.dump_state(seen)
        seal = sealed(
            deal.key,
            deal.head,
            self._draw(NONCE_BYTES),
            json_text.canonical(public, is_vouched_for=True),
            deal.secrets + hidden,
        )
        return {**public, SEAL: seal}

    def open(self, given: Sealed[StateT]) -> Opened[StateT] | OpenFault:
        """Return the whole state, or one word for whatever is wrong with the seal.

        `seal_broken` is every fault but one: a key that has been retired is said to be.
        """
        box = taken_apart(given.seal)
        master = None if box is None else self._ring.find(box.head.key_id)
        if box is None or master is None:
            return "seal_broken"
        if master.secret is None:
            return "seal_key_retired"
        key = keys.state_key(master.secret, box.head.deal_id, self._rules.name)
        for public in self._spellings(given):
            packed = opened(key, box, public)
            if packed is not None:
                deal, hidden = Deal.unpacked(box.head, key, packed)
                return Opened(self._rules.join(given.seen, hidden), deal)
        return "seal_broken"

    def _spellings(self, given: Sealed[StateT]) -> Iterator[bytes]:
        """Yield what the seal may be bound to: the public part as it came, and as it is written.

        The first is quick, and stays true when a later version writes more of a state; the second
        is the same for all who leave out what need not be said. Either way it is the value that
        was read from `given` which is vouched for, and which is used.
        """
        yield json_text.canonical(given.public, is_vouched_for=True)
        yield json_text.canonical(self._wire.dump_state(given.seen), is_vouched_for=True)

    @property
    def _ring(self) -> KeyRing:
        ring = self._keys()
        assert ring is not None, "sealing is off"
        return ring

    def _master(self, head: Head) -> bytes:
        master = self._ring.find(head.key_id)
        assert master is not None, "a head names a key of the ring"
        assert master.secret is not None, "a head names a key that is not retired"
        return master.secret
