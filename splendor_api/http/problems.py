"""Every problem the service answers with (RFC 9457): code, status, title, and what to do about it.

A problem is a value; `document` makes the JSON of one occurrence. A rule that forbids something is
told in it as a list of violations, a request of the wrong shape as a list of faults. However much
is wrong, a document stays small: few enough violations, short enough quotations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.exceptions import HTTPException

from splendor_api.games.violations import Violation
from splendor_api.i18n.catalogue import ENGLISH, Voice, constant, sentence
from splendor_api.wire import json_text
from splendor_api.wire.faults import Fault
from splendor_api.wire.json_text import Malformed

MEDIA_TYPE = "application/problem+json"

MOST_VIOLATIONS = 50
"""Violations listed in one problem; the rest is said by `truncated: true`."""

MOST_BYTES = 16 * 1024
"""The largest problem document."""

_BYTES_BESIDE = 2 * 1024  # kept for what stands beside the violations

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of problem. `means` is its sentence; an occurrence may say more in `detail`."""

    code: str
    status: int
    title: str
    means: str
    what_to_do: str

    def document(self, detail: str | None = None, **members: object) -> JsonObject:
        """Return the JSON of an occurrence, without its `instance`."""
        return {
            "type": f"/problems/{self.code}",
            "title": constant(self.title),
            "status": self.status,
            "detail": constant(detail or self.means),
            "code": self.code,
            **members,
        }

    def listing(
        self, violations: Iterable[JsonObject], detail: str | None = None, **members: object
    ) -> JsonObject:
        """Return the JSON of an occurrence with as many of `violations` as fit into it."""
        listed, is_truncated = _fitting(violations)
        document = self.document(detail, **members, violations=listed)
        if is_truncated:
            document["truncated"] = True
        return document


MALFORMED_JSON = Problem(
    "malformed_json",
    400,
    "The body is not JSON",
    "The body of the request is not one JSON text in UTF-8 as this service reads it.",
    "Send exactly one JSON value as RFC 8259 has it: UTF-8 without a byte order mark, no NaN or "
    "Infinity, no lone surrogates, nested no deeper than 32 levels.",
)
INVALID_REQUEST = Problem(
    "invalid_request",
    400,
    "The request has the wrong shape",
    "The request is not of the shape that this operation takes.",
    "Mend every fault listed in violations; each names its place in the body by a JSON Pointer. "
    "Without a list the fault lies outside the body, and detail names it.",
)
UNAUTHORIZED = Problem(
    "unauthorized",
    401,
    "A token is needed",
    "This needs a token, or a token of another kind than the one that was sent.",
    "Send the header Authorization: Bearer, a space, and the seat's or the host's token.",
)
FORBIDDEN = Problem(
    "forbidden",
    403,
    "This token may not do that",
    "The token is not one that may do this.",
    "Hosts open and close, seats act, each for itself. Use the token that was given out for it.",
)
NOT_FOUND = Problem(
    "not_found",
    404,
    "There is nothing here",
    "Nothing is known under this address.",
    "Compare the address with the service's OpenAPI document; GET /v1/games lists the games.",
)
NOT_OFFERED = Problem(
    "not_offered",
    404,
    "This game does not offer that",
    "There is such a game, but it does not offer what is asked for.",
    "Do without, or ask for another game: what is optional is said of each operation in the "
    "service's OpenAPI document.",
)
METHOD_NOT_ALLOWED = Problem(
    "method_not_allowed",
    405,
    "This method is not possible here",
    "This address does not take requests of this method.",
    "Use one of the methods that the header Allow names.",
)
NOT_ACCEPTABLE = Problem(
    "not_acceptable",
    406,
    "No representation is acceptable",
    "This address has no representation that the header Accept allows.",
    "Send no header Accept, or one that allows application/json.",
)
REQUEST_TIMEOUT = Problem(
    "request_timeout",
    408,
    "The request took too long",
    "The body of the request did not arrive in time.",
    "Send the request again, all of it at once.",
)
NOT_YOUR_TURN = Problem(
    "not_your_turn",
    409,
    "It is not this seat's turn",
    "Another seat is to act.",
    "Wait for the turn, by the stream of events or by asking with wait; to_act names the seat.",
)
CLAIM_LATE = Problem(
    "claim_late",
    409,
    "Another seat was faster",
    "Another seat has the call.",
    "Wait until its call is decided, then look at the table again.",
)
KEY_REUSED = Problem(
    "key_reused",
    409,
    "This key was used for something else",
    "The idempotency key was used before, for another request.",
    "Use a fresh key for each request; use a key again only for the very same one.",
)
SESSION_FULL = Problem(
    "session_full",
    409,
    "The session is full",
    "No more actions, or no more versions, fit into this session.",
    "Take the record and go on in another session.",
)
EXPIRED = Problem(
    "expired",
    410,
    "The session is gone",
    "There was such a session; it has expired or was deleted.",
    "Begin another one. After seven days this address is answered as one that never was.",
)
STALE_VERSION = Problem(
    "stale_version",
    412,
    "The session is at another version",
    "What If-Match names is not the version that the session is at.",
    "Read the session, decide again, and send its version. A proxy that compresses may have made "
    "the tag weak: take version from the body.",
)
TOO_LARGE = Problem(
    "too_large",
    413,
    "The request is too large",
    "The request asks for more than one request may.",
    "Divide it into several requests; the service's limits are part of its documentation.",
)
UNSUPPORTED_MEDIA_TYPE = Problem(
    "unsupported_media_type",
    415,
    "The body is not of the right type",
    "The body must be sent as application/json, in UTF-8 and without a content coding.",
    "Send the header Content-Type: application/json, once, and no header Content-Encoding.",
)
ILLEGAL_ACTION = Problem(
    "illegal_action",
    422,
    "The rules forbid this action",
    "The request is well formed, but the rules forbid the action.",
    "Each entry of violations names a broken rule and what would have been needed; the "
    "operation legal-actions lists what is possible.",
)
IMPOSSIBLE_STATE = Problem(
    "impossible_state",
    422,
    "No play leads to this state",
    "The state contradicts itself or the rules, so nothing can be decided from it.",
    "Each entry of violations names a contradiction. Send states exactly as the service gave "
    "them; to set up a position, mend it with the operation audit.",
)
SEAL_BROKEN = Problem(
    "seal_broken",
    422,
    "The seal does not fit",
    "The seal and the state that it came with are not as the service gave them.",
    "Send a sealed state exactly as the service gave it, to the game that it is of.",
)
SEAL_KEY_RETIRED = Problem(
    "seal_key_retired",
    422,
    "The key of this seal is retired",
    "The state was sealed under a key that this service does not use any more.",
    "Deal a new game; the operator may allow more time before a key is retired.",
)
VERSION_REQUIRED = Problem(
    "version_required",
    428,
    "A version must be named",
    "In this game an action must name the version that it was decided on.",
    "Send the session's version as If-Match.",
)
TOO_MANY_REQUESTS = Problem(
    "too_many_requests",
    429,
    "Too many requests",
    "More is asked for than one client or one session may.",
    "Wait as long as Retry-After says; close streams that are not read any more.",
)
HEADERS_TOO_LARGE = Problem(
    "headers_too_large",
    431,
    "The headers are too large",
    "The header of the request has too many fields, or a field that is too long.",
    "Send fewer and shorter header fields.",
)
INTERNAL_ERROR = Problem(
    "internal_error",
    500,
    "The service has failed",
    "The fault is the service's own; nothing about the request is known to be wrong.",
    "Report it with the request id in instance. Sending the same request again is safe.",
)
BUSY = Problem(
    "busy",
    503,
    "The service is busy",
    "All places are taken, or others were faster time and again.",
    "Try again after the time in Retry-After.",
)
STORE_UNAVAILABLE = Problem(
    "store_unavailable",
    503,
    "The session store is away",
    "Sessions cannot be read or changed now.",
    "Send the same request again after the time in Retry-After, under the same idempotency key: "
    "if it was done after all, its first answer comes. Everything but sessions goes on working.",
)
PROBLEMS: Mapping[str, Problem] = {
    problem.code: problem
    for problem in (
        MALFORMED_JSON,
        INVALID_REQUEST,
        UNAUTHORIZED,
        FORBIDDEN,
        NOT_FOUND,
        NOT_OFFERED,
        METHOD_NOT_ALLOWED,
        NOT_ACCEPTABLE,
        REQUEST_TIMEOUT,
        NOT_YOUR_TURN,
        CLAIM_LATE,
        KEY_REUSED,
        SESSION_FULL,
        EXPIRED,
        STALE_VERSION,
        TOO_LARGE,
        UNSUPPORTED_MEDIA_TYPE,
        ILLEGAL_ACTION,
        IMPOSSIBLE_STATE,
        SEAL_BROKEN,
        SEAL_KEY_RETIRED,
        VERSION_REQUIRED,
        TOO_MANY_REQUESTS,
        HEADERS_TOO_LARGE,
        INTERNAL_ERROR,
        BUSY,
        STORE_UNAVAILABLE,
    )
}

_BY_STATUS: Mapping[int, Problem] = {
    problem.status: problem
    for problem in (
        INVALID_REQUEST,
        NOT_FOUND,
        METHOD_NOT_ALLOWED,
        NOT_ACCEPTABLE,
        REQUEST_TIMEOUT,
        TOO_LARGE,
        UNSUPPORTED_MEDIA_TYPE,
        HEADERS_TOO_LARGE,
    )
}
"""What the frame around the views may find wrong with a request."""


def of_exception(error: Exception) -> Problem:
    """Return the problem behind an exception that reached the shell; a bug is the service's own."""
    if isinstance(error, HTTPException) and error.code is not None:
        return _BY_STATUS.get(error.code, INTERNAL_ERROR)
    return INTERNAL_ERROR


def rule_url(game: str, rule: str) -> str:
    """Return the address of a rule's text on the page of its game."""
    return f"/rules/{game}#{rule}"


def told(game: str, violation: Violation) -> JsonObject:
    """Return the JSON of a violation or finding of `game`."""
    code = violation.code
    return {
        "code": code.name,
        "pointer": violation.pointer,
        "params": dict(violation.params),
        "message": sentence(code.says, violation.params),
        "rule": code.rule or None,
        "rule_url": rule_url(game, code.rule) if code.rule else None,
    }


def told_need(need: Violation) -> JsonObject:
    """Return the JSON of what an action lacks."""
    code = need.code
    return {
        "code": code.name,
        "params": dict(need.params),
        "message": sentence(code.says, need.params),
    }


def told_fault(fault: Fault) -> JsonObject:
    """Return the JSON of a fault in the shape of a request."""
    return {
        "code": fault.code.name,
        "pointer": fault.pointer,
        "params": dict(fault.params),
        "message": sentence(fault.code.says, fault.params),
    }


def malformed(error: Malformed) -> JsonObject:
    """Return the problem of a body that is no JSON."""
    fault = sentence(error.says, error.params)
    if error.position is None:
        return MALFORMED_JSON.document(fault)
    params = {"fault": fault, "position": error.position}
    return MALFORMED_JSON.document(sentence("{fault} (Characters before it: {position}.)", params))


def invalid(faults: Iterable[Fault]) -> JsonObject:
    """Return the problem of a request of the wrong shape."""
    return INVALID_REQUEST.listing(map(told_fault, faults))


def refit(document: JsonObject, voice: Voice) -> None:
    """Leave as many violations in `document` as fit into it in the language that it is told in."""
    if "violations" not in document:
        return
    document["violations"], is_truncated = _fitting(document["violations"], voice)
    if is_truncated:
        document["truncated"] = True


def _fitting(
    violations: Iterable[JsonObject], voice: Voice = ENGLISH
) -> tuple[list[JsonObject], bool]:
    """Return as many of `violations` as a document holds, and whether any is left out."""
    listed: list[JsonObject] = []
    room = MOST_BYTES - _BYTES_BESIDE
    for violation in violations:
        room -= len(json_text.write(violation, voice.written)) + 1
        if len(listed) == MOST_VIOLATIONS or room < 0:
            return listed, True
        listed.append(violation)
    return listed, False
