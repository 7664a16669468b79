"""What a request to a session brings beside its deed, and what it is answered with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from splendor_api.games.violations import Violation
from splendor_api.i18n.catalogue import sentence
from splendor_api.sessions.stored import Json, Session, Version
from splendor_api.sessions.tokens import Role
from splendor_api.wire.faults import Fault

DenialCode = Literal[
    "unauthorized",
    "forbidden",
    "not_found",
    "expired",
    "invalid_request",
    "version_required",
    "stale_version",
    "not_your_turn",
    "claim_late",
    "key_reused",
    "session_full",
    "illegal_action",
    "impossible_state",
    "store_unavailable",
    "busy",
]


@dataclass(frozen=True, slots=True)
class Denial:
    """Why a request is not answered as it wishes; nothing has been changed by it."""

    code: DenialCode
    detail: str
    violations: tuple[Violation, ...] = ()
    faults: tuple[Fault, ...] = ()
    game: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key, and what it is bound to: method, path and canonical body, hashed."""

    text: str = field(repr=False)
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Precondition:
    """The versions of `If-Match`; `weak` if only weak tags were given, which never match."""

    versions: tuple[Version, ...]
    weak: bool = False

    def allows(self, version: Version) -> bool:
        """Return whether the version is one of those named (RFC 9110, 13.1.1)."""
        return version in self.versions


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: JSON values, the version it tells of, and for whom.

    `replayed` if it repeats what the same request was told before; `due_ms` is how long the seat
    to act still has.
    """

    body: Json = field(repr=False)
    version: Version
    role: Role
    replayed: bool = False
    due_ms: int | None = None


UNKNOWN: Final = Denial("not_found", "There is no such session.")
NO_SEAT: Final = Denial("not_found", "There is no such seat.")
BUSY: Final = Denial("busy", "Others were faster time and again; try again.")
REUSED: Final = Denial("key_reused", "This key was used for another request.")
NO_VERSION: Final = Denial("stale_version", "This session has no such version.")
VERSION_REQUIRED: Final = Denial("version_required", "If-Match must name the version acted on.")


def staleness(
    session: Session, precondition: Precondition | None, *, is_needed: bool
) -> Denial | None:
    """Return why the version acted on is missing or not the present one (RFC 9110, 13.1.1)."""
    if precondition is None:
        return VERSION_REQUIRED if is_needed else None
    if precondition.allows(session.version):
        return None
    if precondition.weak:
        return Denial("stale_version", "A weak tag (W/) never matches; a proxy may have made it.")
    detail = sentence("The session is at version {version}.", {"version": str(session.version)})
    return Denial("stale_version", detail)
