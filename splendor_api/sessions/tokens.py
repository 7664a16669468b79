"""Who may do what in a session: tokens, their hashes, roles.

A token has 256 random bits, or follows from an idempotency key and a stored salt, so that a
repeated request to create a session gets the same ones. Only hashes are stored, and compared in
constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

RoleName = Literal["host", "seat", "spectator"]
Deed = Literal[
    "get_session",
    "update_session",
    "delete_session",
    "list_session_actions_legal",
    "act",
    "get_history",
    "stream_events",
    "create_stream_ticket",
    "undo",
    "create_join_link",
    "rotate_token",
    "revoke_token",
    "resign_seat",
    "get_record",
    "get_session_picture",
]
"""What can be asked of a session that is there."""

TOKEN_BYTES: Final = 32
ID_LENGTH: Final = 22  # characters of base64url: 132 bits
COMMIT_BYTES: Final = 8
COMMIT_LENGTH: Final = 11  # characters of base64url of so many bytes

_ANYBODY: Final[frozenset[RoleName]] = frozenset({"host", "seat", "spectator"})
_HOST: Final[frozenset[RoleName]] = frozenset({"host"})
_SEAT: Final[frozenset[RoleName]] = frozenset({"seat"})

ROLES: Final[Mapping[Deed, frozenset[RoleName]]] = {
    "get_session": _ANYBODY,
    "update_session": _HOST,
    "delete_session": _HOST,
    "list_session_actions_legal": _SEAT,
    "act": _SEAT,
    "get_history": _ANYBODY,
    "stream_events": _ANYBODY,
    "create_stream_ticket": _HOST | _SEAT,
    "undo": _SEAT,
    "create_join_link": _HOST,
    "rotate_token": _HOST,
    "revoke_token": _HOST,
    "resign_seat": _HOST,
    "get_record": _ANYBODY,
    "get_session_picture": _ANYBODY,
}
"""Who may do what; a spectator has no token, and is let in only where spectators are."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a caller is in a session; `seat` is there for a seat only."""

    name: RoleName
    seat: int | None = None

    @property
    def audience(self) -> str:
        """Return the word for whom an observation is made: it is part of entity tags."""
        return self.name if self.seat is None else f"{self.name}-{self.seat}"


HOST: Final = Role("host")
SPECTATOR: Final = Role("spectator")


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whoever holds the token of this hash. The token itself goes no further than to `of`."""

    digest: str = field(repr=False)

    @classmethod
    def of(cls, token: str) -> Bearer:
        """Return the bearer of a token."""
        return cls(hash_of(token))


@dataclass(frozen=True, slots=True)
class Access:
    """The hashes of a session's tokens: the host's, each seat's (`None`: the seat has none), and
    those of join links that are open, by seat.
    """

    host: str
    seats: tuple[str | None, ...]
    claims: Mapping[int, str] = field(default_factory=dict)
    spectators: bool = True

    def role_of(self, bearer: Bearer) -> Role | None:
        """Return the role that the token gives, if it gives any; always the same work."""
        found = HOST if hmac.compare_digest(bearer.digest, self.host) else None
        for seat, stored in enumerate(self.seats):
            if hmac.compare_digest(bearer.digest, stored or "") and stored:
                found = Role("seat", seat)
        return found

    def claimed_seat(self, claim: str) -> int | None:
        """Return the seat whose open join link carries this claim; always the same work."""
        digest, found = hash_of(claim), None
        for seat, stored in self.claims.items():
            if hmac.compare_digest(digest, stored):
                found = seat
        return found

    def with_token(self, seat: int, token: str | None) -> Access:
        """Return the access after a seat got another token, or lost its own; its link is void."""
        stored = None if token is None else hash_of(token)
        seats = (*self.seats[:seat], stored, *self.seats[seat + 1 :])
        claims = {other: claim for other, claim in self.claims.items() if other != seat}
        return replace(self, seats=seats, claims=claims)

    def with_claim(self, seat: int, claim: str) -> Access:
        """Return the access with a new join link for a seat."""
        return replace(self, claims={**self.claims, seat: hash_of(claim)})


def mint() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def mint_id() -> str:
    """Return a new session id."""
    return _base64url(secrets.token_bytes(TOKEN_BYTES))[:ID_LENGTH]


def mint_commit() -> str:
    """Return the id of a commit: with its number it names one version of one history."""
    return secrets.token_urlsafe(COMMIT_BYTES)


def derived_id(key: str) -> str:
    """Return the session id that follows from an idempotency key."""
    return short_hash("session", key)


def derived(key: str, salt: str, session: str, role: Role) -> str:
    """Return the token that follows from an idempotency key, for a role in a session."""
    message = f"{salt}|{session}|{role.audience}".encode()
    return _base64url(hmac.digest(key.encode(), message, "sha256"))


def hash_of(token: str) -> str:
    """Return what is stored of a token: hexadecimal SHA-256."""
    return hashlib.sha256(token.encode()).hexdigest()


def short_hash(*parts: str) -> str:
    """Return 132 bits of the SHA-256 of the parts, joined by NUL, in base64url."""
    return _base64url(hashlib.sha256("\0".join(parts).encode()).digest())[:ID_LENGTH]


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
