"""Seal states and open them: the state travels, what is hidden in it travels shut.

The public part is what a spectator sees, in its JSON form; the hidden part is what the game splits
off, and the secrets of the deal. An opened seal has been ours, byte for byte, with just this public
part: nothing hidden is looked at before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from splendor_api.games.protocol import Game
from splendor_api.sealing import keys
from splendor_api.sealing.box import Head, opened, sealed, taken_apart
from splendor_api.sealing.keys import KeyRing
from splendor_api.wire import json_text

Json = dict[str, Any]

NONCE_CHARACTERS: Final = 64
SEED_SIZES: Final = (128, 512)  # bytes that a seed is padded to: most fit the first

OpenFault = Literal["seal_broken", "seal_key_retired"]


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the service knows of a sealed deal beside the cards.

    `nonce` is that of the commitment; `is_locked`: a seat must show its key to act.
    """

    seed: str
    nonce: str
    is_locked: bool


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed state as it came: the public part as JSON without the seal, and as a value."""

    public: Json
    seen: Any
    seal: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A state with nothing hidden, the secrets of its deal, and which deal it is of."""

    state: Any
    secrets: Secrets
    head: Head


def parted(game: Game[Any, Any, Any], state: Any, secrets: Secrets) -> tuple[Any, bytes]:
    """Return what a spectator sees of the state, and the bytes to shut in."""
    seen, hidden = game.split(state)
    return seen, _packed(secrets) + hidden


class Sealer:
    """Seals and opens the states of any game with the keys of a ring."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring: Final = ring

    def new_head(self) -> Head:
        """Return the head of a new deal, under the current key."""
        return Head(self._ring.current.id, keys.mint_deal_id())

    def seat_keys(self, game: str, head: Head, seats: int) -> list[str]:
        """Return every seat's key of a deal."""
        master = self._secret(head)
        return [keys.seat_key(master, head.deal_id, game, seat) for seat in range(seats)]

    def is_seat_key(self, game: str, head: Head, seat: int, given: str) -> bool:
        """Return whether `given` is the key of the seat in this deal."""
        return keys.is_seat_key(self._secret(head), head.deal_id, game, seat, given)

    def shut(self, game: str, public: Json, packed: bytes, head: Head) -> str:
        """Return the seal that binds `packed` to the JSON of the public part."""
        key = keys.deal_key(self._secret(head), head.deal_id, game)
        return sealed(key, head, json_text.canonical(public), packed)

    def open(self, game: Game[Any, Any, Any], given: Sealed) -> Opened | OpenFault:
        """Return the whole state, or one word for whatever is wrong with the seal."""
        box = taken_apart(given.seal)
        if box is None:
            return "seal_broken"
        master = self._ring.find(box.head.key_id)
        if master is None:
            return "seal_broken"
        if master.secret is None:
            return "seal_key_retired"
        key = keys.deal_key(master.secret, box.head.deal_id, game.name)
        packed = opened(key, box, json_text.canonical(given.public))
        if packed is None:
            return "seal_broken"
        secrets, hidden = _unpacked(packed)
        return Opened(game.join(given.seen, hidden), secrets, box.head)

    def _secret(self, head: Head) -> bytes:
        master = self._ring.find(head.key_id)
        assert master is not None, "a head names a key of the ring"
        assert master.secret is not None, "a head names a key that is not retired"
        return master.secret


def _packed(secrets: Secrets) -> bytes:
    """Return the secrets as bytes of a length that depends on the deal alone."""
    seed = secrets.seed.encode()
    size = next(size for size in SEED_SIZES if len(seed) <= size)
    head = bytes((secrets.is_locked, size // SEED_SIZES[0])) + len(seed).to_bytes(2, "big")
    return head + seed.ljust(size, b"\0") + secrets.nonce.encode().ljust(NONCE_CHARACTERS, b"\0")


def _unpacked(packed: bytes) -> tuple[Secrets, bytes]:
    """Return the secrets, and the bytes after them."""
    is_locked, size = bool(packed[0]), packed[1] * SEED_SIZES[0]
    length, rest = int.from_bytes(packed[2:4], "big"), packed[4:]
    seed, rest = rest[:length].decode(), rest[size:]
    nonce, hidden = rest[:NONCE_CHARACTERS].decode(), rest[NONCE_CHARACTERS:]
    return Secrets(seed, nonce, is_locked), hidden
