"""The service's keys: a ring to rotate, a key per deal, a key per seat.

Every key that is used follows from one of the ring by HKDF-SHA-256 (RFC 5869), with the deal's id
as the salt and its purpose in the info: so no two deals, purposes or seats share one, and however
many states are sealed, few are sealed under the same key.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

DEAL_ID_BYTES: Final = 16
KEY_BYTES: Final = 32
LONGEST_KEY_ID: Final = 16
RETIRED: Final = "retired"


@dataclass(frozen=True, slots=True)
class MasterKey:
    """A key of the ring; `secret` is `None` once it is retired."""

    id: str
    secret: bytes | None


@dataclass(frozen=True, slots=True, repr=False)
class KeyRing:
    """The keys of the service, the one to seal with first. Its `repr` shows none of them."""

    keys: tuple[MasterKey, ...]

    def __repr__(self) -> str:
        return f"KeyRing({', '.join(key.id for key in self.keys)})"

    @property
    def current(self) -> MasterKey:
        """Return the key to seal with: the first that is not retired."""
        return next(key for key in self.keys if key.secret is not None)

    def find(self, key_id: str) -> MasterKey | None:
        """Return the key of this id, retired or not."""
        return next((key for key in self.keys if key.id == key_id), None)

    @classmethod
    def of(cls, texts: Sequence[str]) -> KeyRing:
        """Return the ring of `id:key` texts, a key in base64url or the word `retired`.

        Raise `ValueError` if an id occurs twice or every key is retired.
        """
        keys = tuple(_master(text) for text in texts)
        if len({key.id for key in keys}) < len(keys):
            raise ValueError("two seal keys have the same id")
        if all(key.secret is None for key in keys):
            raise ValueError("every seal key is retired")
        return cls(keys)


def mint_deal_id() -> bytes:
    """Return a new id of a deal."""
    return secrets.token_bytes(DEAL_ID_BYTES)


def mint_master() -> str:
    """Return a new master key as the text of a setting."""
    identity, secret = secrets.token_hex(4), secrets.token_bytes(KEY_BYTES)
    return f"{identity}:{_base64url(secret)}"


def deal_key(master: bytes, deal_id: bytes, game: str) -> bytes:
    """Return the key under which the states of a deal are sealed."""
    return _derived(master, deal_id, f"splendor-api seal {game}")


def seat_key(master: bytes, deal_id: bytes, game: str, seat: int) -> str:
    """Return the key by which a seat shows itself, as text."""
    return _base64url(_derived(master, deal_id, f"splendor-api seat {game} {seat}"))


def is_seat_key(master: bytes, deal_id: bytes, game: str, seat: int, given: str) -> bool:
    """Return whether `given` is the seat's key; always the same work."""
    expected = seat_key(master, deal_id, game, seat)
    return hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))


def _derived(master: bytes, deal_id: bytes, info: str) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt=deal_id, info=info.encode()).derive(master)


def _master(text: str) -> MasterKey:
    key_id, _, secret = text.partition(":")
    return MasterKey(key_id, None if secret == RETIRED else _bytes(secret))


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
