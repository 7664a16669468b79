"""Shut, and bound to what is outside: any byte of it."""

from __future__ import annotations

import string
from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from hypothesis import given
from hypothesis import strategies as st

from splendor_api.sealing import box
from splendor_api.sealing.box import HEAD_BYTES, NONCE_BYTES, TAG_BYTES, Head

KEY = bytes(range(32))
NONCE = bytes(NONCE_BYTES)
HEAD = Head("k1", bytes(range(16)))
ALPHABET = f"{string.ascii_letters}{string.digits}-_"


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _vector(key: str, nonce: str, plaintext: str, associated: str) -> str:
    """Return in hex what the cipher makes of one of the examples of RFC 8452, C.2."""
    cipher = AESGCMSIV(bytes.fromhex(key.ljust(64, "0")))
    nonce_bytes = bytes.fromhex(nonce.ljust(24, "0"))
    return cipher.encrypt(nonce_bytes, bytes.fromhex(plaintext), bytes.fromhex(associated)).hex()


@pytest.mark.parametrize(
    ("plaintext", "associated", "expected"),
    [
        ("", "", "07f5f4169bbf55a8400cd47ea6fd400f"),
        ("0100000000000000", "", "c2ef328e5c71c83b843122130f7364b761e0b97427e3df28"),
        ("0200000000000000", "01", "1de22967237a813291213f267e3b452f02d01ae33e4ec854"),
    ],
)
def test_the_cipher_is_that_of_rfc_8452(plaintext: str, associated: str, expected: str) -> None:
    assert _vector("01", "03", plaintext, associated) == expected


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_what_is_opened_is_what_was_sealed(public: bytes, hidden: bytes) -> None:
    seal = box.sealed(KEY, HEAD, NONCE, public, hidden)
    taken = box.taken_apart(seal)
    assert taken is not None
    assert taken.head == HEAD
    assert box.opened(KEY, taken, public) == hidden
    assert box.opened(KEY, taken, public + b" ") is None
    assert box.opened(bytes(32), taken, public) is None


def test_the_parts_of_a_seal_lie_where_it_is_said() -> None:
    seal = box.sealed(KEY, HEAD, NONCE, b"", b"hidden")
    raw = urlsafe_b64decode(seal + "=" * (-len(seal) % 4))
    assert raw[0] == 1
    assert raw[1:17] == b"k1".ljust(16, b"\0")
    assert raw[17:33] == HEAD.deal_id
    assert raw[33:45] == NONCE
    assert len(raw) == HEAD_BYTES + NONCE_BYTES + len(b"hidden") + TAG_BYTES


def test_a_seal_has_one_spelling() -> None:
    seal = box.sealed(KEY, HEAD, NONCE, b"", b"hidden")
    assert box.taken_apart(seal) is not None
    others = [f"{seal}=", f"{seal}\n", f" {seal}", f"{seal[:40]}+{seal[41:]}", f"{seal[:9]}é"]
    assert not any(map(box.taken_apart, others))
    assert len(seal) % 4, "the last character has bits that stand for nothing"
    twins = [seal[:-1] + last for last in ALPHABET if last != seal[-1]]
    taken = [each for each in map(box.taken_apart, twins) if each is not None]
    assert len(taken) < len(twins)
    assert not any(box.opened(KEY, each, b"") for each in taken)


@pytest.mark.parametrize("length", [0, 1, HEAD_BYTES, HEAD_BYTES + NONCE_BYTES + TAG_BYTES - 1])
def test_what_is_too_short_is_no_seal(length: int) -> None:
    raw = (bytes((box.VERSION,)) * length)[:length]
    assert box.taken_apart(_base64url(raw)) is None


@given(st.text(max_size=400))
def test_any_text_is_taken_apart_or_is_no_seal(text: str) -> None:
    taken = box.taken_apart(text)
    assert taken is None or box.opened(KEY, taken, b"") is None


def test_another_version_is_no_seal() -> None:
    raw = bytes((2,)) + bytes(100)
    assert box.taken_apart(_base64url(raw)) is None


def test_a_build_without_the_cipher_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert box.is_available()

    def missing(_: bytes) -> None:
        raise UnsupportedAlgorithm("AES-GCM-SIV")

    monkeypatch.setattr(box, "AESGCMSIV", missing)
    assert not box.is_available()
