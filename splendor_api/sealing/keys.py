"""The service's keys: a ring to rotate, a key per deal, a key per seat.

Every key that is used follows from one of the ring by HKDF-SHA-256 (RFC 5869), with the deal's id
as the salt and its purpose in the info: so no two deals, purposes or seats share one, and however
many states are sealed, few are sealed under the same key (T17, T18).
"""

from __future__ import annotations

import hmac
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

DEAL_ID_BYTES: Final = 16
KEY_BYTES: Final = 32
LONGEST_KEY_ID: Final = 16
RETIRED: Final = "retired"
KEYS_AT_HAND: Final = 1_024
"""Keys of either kind that a process remembers, the last used: most states are of a deal seen just
before.
"""

_TEXT: Final = re.compile(
    rf"(?P<id>[a-z0-9-]{{1,{LONGEST_KEY_ID}}}):(?P<key>{RETIRED}|[A-Za-z0-9_-]+)", re.ASCII
)
_TO_URL: Final = bytes.maketrans(b"+/", b"-_")
_FROM_URL: Final = bytes.maketrans(b"-_", b"+/")


@dataclass(frozen=True, slots=True)
class MasterKey:
    """A key of the ring; `secret` is `None` once it is retired."""

    id: str
    secret: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys of the service, the newest first. Its `repr` shows their ids alone."""

    keys: tuple[MasterKey, ...]

    @property
    def current(self) -> MasterKey:
        """Return the key to seal with: the first that is not retired."""
        return next(key for key in self.keys if key.secret is not None)

    def find(self, key_id: str) -> MasterKey | None:
        """Return the key of this id, retired or not."""
        for key in self.keys:
            if key.id == key_id:
                return key
        return None

    @classmethod
    def of(cls, texts: Sequence[str]) -> KeyRing:
        """Return the ring of `id:key` texts, a key in base64url or the word `retired`.

        Raise `ValueError` if one is no key of 256 bits or more, if an id occurs twice, or if every
        key is retired.
        """
        keys = tuple(_master(text) for text in texts)
        if len({key.id for key in keys}) < len(keys):
            raise ValueError("two seal keys have the same id")
        if all(key.secret is None for key in keys):
            raise ValueError("every seal key is retired")
        return cls(keys)


def master_text(identity: bytes, secret: bytes) -> str:
    """Return a master key as the text of a setting, its id being `identity` in hex."""
    return f"{identity.hex()}:{base64url(secret)}"


@lru_cache(maxsize=KEYS_AT_HAND)
def state_key(master: bytes, deal_id: bytes, game: str) -> bytes:
    """Return the key under which the states of a deal are sealed."""
    return _derived(master, deal_id, f"splendor-api seal {game}")


@lru_cache(maxsize=KEYS_AT_HAND)
def seat_key(master: bytes, deal_id: bytes, game: str, seat: int) -> str:
    """Return the key by which a seat shows itself, as text."""
    return base64url(_derived(master, deal_id, f"splendor-api seat {game} {seat}"))


def is_same(expected: str, given: str) -> bool:
    """Return whether two keys are the same; how long that takes does not tell where they differ."""
    return hmac.compare_digest(expected.encode(), given.encode())


def base64url(raw: bytes) -> str:
    """Return bytes as text (RFC 4648, 5), without padding."""
    return b2a_base64(raw, newline=False).translate(_TO_URL, b"=").decode("ascii")


def from_base64url(text: str) -> bytes:
    """Return the bytes that such a text stands for; raise `ValueError` if it is none.

    Not every fault is seen: what is read may be written in another way.
    """
    return a2b_base64(text.encode("ascii").translate(_FROM_URL) + b"=" * (-len(text) % 4))


def _derived(master: bytes, deal_id: bytes, info: str) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt=deal_id, info=info.encode()).derive(master)


def _master(text: str) -> MasterKey:
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError("a seal key is not of the form id:key")
    if found["key"] == RETIRED:
        return MasterKey(found["id"], None)
    secret = from_base64url(found["key"])
    if len(secret) < KEY_BYTES:
        raise ValueError("a seal key has less than 256 bits")
    return MasterKey(found["id"], secret)
