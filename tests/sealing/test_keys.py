"""The ring of keys, and that no two purposes share one."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode
from itertools import product
from secrets import token_bytes

import pytest

from splendor_api.sealing import keys
from splendor_api.sealing.keys import KeyRing, master_text

SECRET = bytes(range(32))
NEW, OLD = master_text(b"\1", SECRET), master_text(b"\2", bytes(32))


def _derived(master: bytes, salt: bytes, info: bytes) -> bytes:
    """Return 32 bytes of HKDF-SHA-256 as RFC 5869 writes it down."""
    extracted = hmac.digest(salt, master, "sha256")
    return hmac.digest(extracted, info + b"\1", "sha256")


def test_keys_follow_from_the_master_as_documented() -> None:
    deal_id = bytes(range(16))
    assert keys.state_key(SECRET, deal_id, "chess") == _derived(
        SECRET, deal_id, b"splendor-api seal chess"
    )
    text = keys.seat_key(SECRET, deal_id, "chess", 3)
    assert urlsafe_b64decode(f"{text}=") == _derived(SECRET, deal_id, b"splendor-api seat chess 3")


def test_what_is_remembered_is_bounded_and_changes_no_key() -> None:
    """However many deals come by, no more memory goes to them, and a key is what it was."""
    first = keys.state_key(SECRET, bytes(16), "chess")
    for number in range(keys.KEYS_AT_HAND + 1):
        keys.state_key(SECRET, number.to_bytes(16, "big"), "chess")
        keys.seat_key(SECRET, number.to_bytes(16, "big"), "chess", 0)
    for kept in (keys.state_key.cache_info(), keys.seat_key.cache_info()):
        assert kept.currsize == kept.maxsize == keys.KEYS_AT_HAND
    assert keys.state_key(SECRET, bytes(16), "chess") == first
    assert (
        keys.state_key(SECRET, bytes(16), "chess")
        == first
        == _derived(SECRET, bytes(16), b"splendor-api seal chess")
    )


def test_no_two_purposes_deals_games_or_seats_share_a_key() -> None:
    masters, deals = (SECRET, bytes(32)), (bytes(16), token_bytes(16))
    games, seats = ("splendor", "set"), (0, 1, 10, 11)
    for_states = [keys.state_key(*each) for each in product(masters, deals, games)]
    for_seats = [keys.seat_key(*each) for each in product(masters, deals, games, seats)]
    texts = {*for_seats, *(keys.master_text(b"", each)[1:] for each in for_states)}
    assert len(texts) == len(for_states) + len(for_seats)
    assert {len(text) for text in for_seats} == {43}, "256 bits"


def test_the_ring_seals_with_the_first_key_that_is_not_retired() -> None:
    ring = KeyRing.of([NEW, OLD])
    assert (ring.current.id, ring.current.secret) == ("01", SECRET)
    assert KeyRing.of(["03:retired", OLD, NEW]).current.id == "02"
    found = KeyRing.of([NEW, "02:retired"]).find("02")
    assert found is not None
    assert found.secret is None
    assert ring.find("03") is None


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        ([], "every seal key is retired"),
        (["01:retired"], "every seal key is retired"),
        ([NEW, NEW], "two seal keys have the same id"),
        ([NEW, "01:retired"], "two seal keys have the same id"),
        ([""], "not of the form id:key"),
        (["no colon"], "not of the form id:key"),
        ([f"UPPER:{'A' * 43}"], "not of the form id:key"),
        ([f"{'a' * 17}:{'A' * 43}"], "not of the form id:key"),
        ([f"{NEW}+"], "not of the form id:key"),
        ([master_text(b"\1", bytes(31))], "less than 256 bits"),
    ],
)
def test_what_is_no_ring_is_refused(texts: list[str], fault: str) -> None:
    with pytest.raises(ValueError, match=fault) as refused:
        KeyRing.of(texts)
    assert not any(text in str(refused.value) for text in texts if text)


def test_no_key_is_shown() -> None:
    ring = KeyRing.of([NEW, OLD])
    for shown in (repr(ring), str(ring), f"{ring.current}", f"{ring.keys}"):
        assert "01" in shown
        assert NEW.split(":")[1] not in shown
        assert repr(SECRET) not in shown


def test_keys_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(some: bytes, other: bytes) -> bool:
        compared.append((some, other))
        return some == other

    monkeypatch.setattr("hmac.compare_digest", compare)
    assert keys.is_same("abc", "abc")
    assert not keys.is_same("abc", "abd")
    assert not keys.is_same("abc", "é")
    assert compared == [(b"abc", b"abc"), (b"abc", b"abd"), (b"abc", "é".encode())]
