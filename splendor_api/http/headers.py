"""Request and response headers: negotiation, entity tags, request ids, origins, policies.

What every answer carries is put together once for each kind of answer (`Headers`), so a request
costs a look-up. What a caller sent goes back only where it matches a narrow pattern.
"""

from __future__ import annotations

import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final

from splendor_api.http import html

Fields = list[tuple[str, str]]

JSON: Final = "application/json"

NO_STORE: Final = "no-store"
REVALIDATE: Final = "no-cache"
IMMUTABLE: Final = "public, max-age=31536000, immutable"

EXPOSED: Final = "ETag, Link, Location, Retry-After, X-Request-Id"
TAKEN: Final = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "X-Request-Id"
)
PREFLIGHT_SECONDS: Final = 7200  # the longest that every browser honours

_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._~-]{1,128}", re.ASCII)
_ENTITY_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')
_QUALITY: Final = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.ASCII)
_JSON_TYPE: Final = re.compile(
    r'application/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?', re.ASCII | re.IGNORECASE
)
_REMEMBERED: Final = 256  # characters of a header that are worth remembering an answer to


def is_json(content_type: str) -> bool:
    """Tell whether a body of this type is read: JSON, and if a charset is named, then UTF-8."""
    return content_type == JSON or _JSON_TYPE.fullmatch(content_type) is not None


def request_id(given: str | None) -> str:
    """Return the caller's own id of the request if it is a sane one, else a fresh one."""
    if given is not None and _REQUEST_ID.fullmatch(given):
        return given
    return secrets.token_hex(16)


def entity_tag(body: bytes) -> str:
    """Return a strong entity tag of `body` (RFC 9110, 8.8.3)."""
    return f'"{urlsafe_b64encode(sha256(body).digest()[:16]).decode().rstrip("=")}"'


def is_unchanged(if_none_match: str | None, tag: str) -> bool:
    """Tell whether the caller has what `tag` names; compared weakly (RFC 9110, 13.1.2)."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or tag in _ENTITY_TAG.findall(if_none_match)


def chosen(accept: str | None, offers: tuple[str, ...]) -> str | None:
    """Return the media type of `offers` that `accept` likes best (RFC 9110, 12.5.1).

    Of those liked equally it is the first; None if none is acceptable.
    """
    if not accept or accept == "*/*":
        return offers[0]
    if len(accept) > _REMEMBERED:
        return _chosen(accept, offers)
    return _remembered(accept, offers)


def _chosen(accept: str, offers: tuple[str, ...]) -> str | None:
    ranges = [_range(part) for part in accept.split(",")]
    liked = [(_liking(offer, ranges), offer) for offer in offers]
    best = max(quality for quality, _ in liked)
    if best == 0:
        return None
    return next(offer for quality, offer in liked if quality == best)


_remembered = lru_cache(maxsize=256)(_chosen)


def _range(part: str) -> tuple[str, float]:
    """Return a media range and its quality; parameters of the range itself are not told apart."""
    name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    for parameter in parameters:
        if parameter.startswith("q="):
            value = parameter[2:]
            return name, float(value) if _QUALITY.fullmatch(value) else 0.0
    return name, 1.0


def _liking(offer: str, ranges: Sequence[tuple[str, float]]) -> float:
    """Return the quality that the most precise range has for `offer`, 0 without any."""
    name = offer.partition(";")[0]
    for pattern in (name, f"{name.partition('/')[0]}/*", "*/*"):
        qualities = [quality for range_, quality in ranges if range_ == pattern]
        if qualities:
            return max(qualities)
    return 0.0


class Headers:
    """The headers of every kind of answer, for the web origins that may call."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._is_open = "*" in origins
        self._origins = frozenset(origins)
        self._made: dict[tuple[str, str, bool], Fields] = {}

    def of(self, media_type: str, caching: str, has_offers: bool, origin: str | None) -> Fields:
        """Return the headers of an answer: a list of the caller's own.

        `has_offers` if another Accept may get another media type; `origin` is the caller's.
        """
        key = (media_type, caching, has_offers)
        made = self._made.get(key) or self._made.setdefault(key, self._make(*key))
        if self._is_open or origin not in self._origins:
            return made.copy()
        return [*made, ("Access-Control-Allow-Origin", str(origin))]

    def preflight(self, allow: str) -> Fields:
        """Return what a browser wants to know before it sends a request from another origin."""
        return [
            ("Access-Control-Allow-Methods", allow),
            ("Access-Control-Allow-Headers", TAKEN),
            ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
        ]

    def _make(self, media_type: str, caching: str, has_offers: bool) -> Fields:
        policy = html.POLICY if media_type == html.MEDIA_TYPE else _POLICY
        made = [
            ("Cache-Control", caching),
            ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", policy),
            ("Referrer-Policy", "no-referrer"),
            ("Access-Control-Expose-Headers", EXPOSED),
        ]
        if media_type:
            made.append(("Content-Type", media_type))
        if self._is_open:
            made.append(("Access-Control-Allow-Origin", "*"))
        varying = (["Accept"] if has_offers else []) + ([] if self._is_open else ["Origin"])
        if varying:
            made.append(("Vary", ", ".join(varying)))
        return made
