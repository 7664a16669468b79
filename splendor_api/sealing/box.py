"""Encrypt and bind: AES-256-GCM-SIV (RFC 8452), which a repeated nonce does not break.

A seal is base64url, without padding, of: version (1 byte), key id (16, filled up with NUL), deal id
(16), nonce (12), ciphertext and tag (16). What comes before the nonce is the head; head and public
part together are the associated data: no byte of either can be changed, and no seal fits another
state.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from splendor_api.sealing.keys import (
    DEAL_ID_BYTES,
    KEY_BYTES,
    LONGEST_KEY_ID,
    base64url,
    from_base64url,
)

VERSION: Final = 1
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
CIPHERS_AT_HAND: Final = 256
"""Keys that a process has made ready for use, the last used."""
HEAD_BYTES: Final = 1 + LONGEST_KEY_ID + DEAL_ID_BYTES
NOT_AVAILABLE: Final = "AES-256-GCM-SIV needs a cryptography with OpenSSL 3.2 or newer"


class Head(NamedTuple):
    """What a seal says in the clear: whose key opens it, and of which deal it is."""

    key_id: str
    deal_id: bytes

    def __bytes__(self) -> bytes:
        name = self.key_id.encode().ljust(LONGEST_KEY_ID, b"\0")
        return bytes((VERSION,)) + name + self.deal_id


class Box(NamedTuple):
    """A seal taken apart, not opened yet."""

    head: Head
    nonce: bytes
    ciphertext: bytes


def is_available() -> bool:
    """Return whether this build of cryptography has the cipher: OpenSSL has it from 3.2 on."""
    try:
        AESGCMSIV(bytes(KEY_BYTES))
    except UnsupportedAlgorithm:
        return False
    return True


def sealed(key: bytes, head: Head, nonce: bytes, public: bytes, hidden: bytes) -> str:
    """Return the seal of `hidden`, bound to `head` and `public`."""
    clear = bytes(head)
    return base64url(clear + nonce + _cipher(key).encrypt(nonce, hidden, clear + public))


def taken_apart(seal: str) -> Box | None:
    """Return the parts of a seal, or nothing if it is none. Only one spelling is accepted."""
    try:
        raw = from_base64url(seal)
    except ValueError:
        return None
    if base64url(raw) != seal:
        return None
    if len(raw) < HEAD_BYTES + NONCE_BYTES + TAG_BYTES or raw[0] != VERSION:
        return None
    name, deal_id = raw[1 : 1 + LONGEST_KEY_ID], raw[1 + LONGEST_KEY_ID : HEAD_BYTES]
    if not name.isascii():
        return None
    body = raw[HEAD_BYTES:]
    head = Head(name.rstrip(b"\0").decode(), deal_id)
    return Box(head, body[:NONCE_BYTES], body[NONCE_BYTES:])


def opened(key: bytes, box: Box, public: bytes) -> bytes | None:
    """Return what is hidden, or nothing if a bit of it, of the head or of `public` is another."""
    try:
        return _cipher(key).decrypt(box.nonce, box.ciphertext, bytes(box.head) + public)
    except InvalidTag:
        return None


@lru_cache(maxsize=CIPHERS_AT_HAND)
def _cipher(key: bytes) -> AESGCMSIV:
    return AESGCMSIV(key)
