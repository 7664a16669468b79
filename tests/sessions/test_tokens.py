"""Tokens, their hashes, and what they make of who holds them."""

from __future__ import annotations

import hmac

import pytest

from splendor_api.sessions import tokens
from splendor_api.sessions.tokens import HOST, ROLES, Access, Bearer, Role


def access() -> tuple[Access, list[str]]:
    """Return the access of a session for three, and host's and seats' tokens."""
    minted = [tokens.mint() for _ in range(4)]
    host, *seats = (tokens.hash_of(each) for each in minted)
    return Access(host, tuple(seats)), minted


def test_t10_tokens_have_256_random_bits() -> None:
    """T10: 43 characters of base64url, no two alike, every character used."""
    minted = [tokens.mint() for _ in range(2000)]
    assert len(set(minted)) == 2000
    assert {len(each) for each in minted} == {43}
    for place in range(42):
        assert len({each[place] for each in minted}) == 64


def test_t10_ids_have_128_random_bits() -> None:
    """T10: 22 characters of base64url."""
    minted = {tokens.mint_id() for _ in range(2000)}
    assert len(minted) == 2000
    assert {len(each) for each in minted} == {tokens.ID_LENGTH}


def test_a_token_makes_its_role() -> None:
    given, (host, *seats) = access()
    assert given.role_of(Bearer.of(host)) == HOST
    for number, token in enumerate(seats):
        assert given.role_of(Bearer.of(token)) == Role("seat", number)
    assert given.role_of(Bearer.of(tokens.mint())) is None


@pytest.mark.parametrize("digest", ["", "0", "a" * 64])
def test_a_seat_without_a_token_is_nobodys(digest: str) -> None:
    """T9: the hash of nothing opens no seat whose token was taken away."""
    given, _ = access()
    revoked = given.with_token(1, None)
    assert revoked.role_of(Bearer(digest)) is None


def test_t10_all_roles_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """T10: the same comparisons, whoever asks and whatever is found."""
    given, (host, *seats) = access()
    counted = []
    compare = hmac.compare_digest

    def counting(one: str, other: str) -> bool:
        counted.append(1)
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counting)
    sizes = set()
    for token in (host, *seats, tokens.mint()):
        counted.clear()
        given.role_of(Bearer.of(token))
        sizes.add(len(counted))
    assert sizes == {4}


def test_a_claim_is_good_for_its_seat_until_that_has_a_token() -> None:
    given, _ = access()
    linked = given.with_claim(1, "claim").with_claim(2, "other")
    assert (linked.claimed_seat("claim"), linked.claimed_seat("no")) == (1, None)
    joined = linked.with_token(1, tokens.mint())
    assert (joined.claimed_seat("claim"), joined.claimed_seat("other")) == (None, 2)


def test_a_key_derives_tokens_that_differ_in_everything() -> None:
    """T11: by key, salt, session and role."""
    made = {
        tokens.derived(key, salt, session, role)
        for key in ("key-one", "key-two")
        for salt in ("00", "01")
        for session in ("a", "b")
        for role in (HOST, Role("seat", 0), Role("seat", 1))
    }
    assert len(made) == 24
    assert {len(each) for each in made} == {43}
    assert tokens.derived_id("key-one") != tokens.derived_id("key-two")


def test_t8_no_token_shows_where_values_are_printed() -> None:
    """T8: a bearer is a hash, and even that is masked."""
    token = tokens.mint()
    bearer = Bearer.of(token)
    assert token not in repr(bearer)
    assert bearer.digest not in repr(bearer)


def test_only_the_host_changes_who_may_do_what() -> None:
    """T9: the table of roles, in one place."""
    alone = {deed for deed, roles in ROLES.items() if roles == {"host"}}
    assert alone == {
        "update_session",
        "delete_session",
        "create_join_link",
        "rotate_token",
        "revoke_token",
        "resign_seat",
    }
