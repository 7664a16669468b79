"""Request and response headers: negotiation, entity tags, request ids, keys, origins, policies.

What every answer carries is put together once for each kind of answer (`Headers`), so a request
costs a look-up. What a caller sent goes back only where it matches a narrow pattern.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final

from splendor_api.http import html
from splendor_api.i18n.catalogue import ENGLISH, sentence
from splendor_api.i18n.languages import NAMES
from splendor_api.sessions.exchange import Precondition
from splendor_api.sessions.stored import Version

Fields = list[tuple[str, str]]

JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
SVG: Final = "image/svg+xml"

NO_STORE: Final = "no-store"
REVALIDATE: Final = "no-cache"
IMMUTABLE: Final = "public, max-age=31536000, immutable"
PRIVATE: Final = "private, no-store"  # of what another token is answered differently

EXPOSED: Final = "ETag, Idempotency-Replayed, Link, Location, Retry-After, X-Request-Id"
TAKEN: Final = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "X-Request-Id"
)
PREFLIGHT_SECONDS: Final = 7200  # the longest that every browser honours

_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
_POLICIES: Final = {html.MEDIA_TYPE: html.POLICY, SVG: f"{_POLICY}; sandbox"}
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._~-]{1,128}", re.ASCII)
_ENTITY_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')
_QUALITY: Final = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.ASCII)
_JSON_TYPE: Final = re.compile(
    r'application/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?', re.ASCII | re.IGNORECASE
)
_TAG: Final = re.compile(
    r'[ \t]*((?:W/)?"[\x21\x23-\x7e\x80-\xff]*"|[A-Za-z0-9._-]+)?[ \t]*(?:,|\Z)'
)
_VERSION_TAG: Final = re.compile(
    r"([^.]+\.[^.]+)(?:\.(?:host|spectator|seat-(?:0|[1-9][0-9]?))(?:\.text)?)?", re.ASCII
)
_BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*)", re.ASCII | re.IGNORECASE)
_BARE_KEY: Final = re.compile(r"[!#-~][!-~]{0,127}", re.ASCII)
_QUOTED_KEY: Final = re.compile(r'"((?:[!#-\[\]-~]|\\["\\]){1,128})"', re.ASCII)
REMEMBERED: Final = 256  # characters of a header that are worth remembering an answer to


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


class Unreadable(ValueError):  # noqa: N818 - as with what cannot be read of a body
    """A header or a query parameter is not as it must be; `sentence` is about that."""

    def __init__(self, says: str, **params: object) -> None:
        """Make the sentence of a template and its parameters."""
        self.sentence: Final = sentence(says, params)
        super().__init__(self.sentence)


def bearer_token(authorization: str) -> str | None:
    """Return the token of a bearer (RFC 6750, 2.1), `None` for any other credentials."""
    found = _BEARER.fullmatch(authorization)
    return None if found is None else found[1]


def version_tag(version: Version, audience: str) -> str:
    """Return the entity tag of a version of a session, as somebody sees it."""
    return f'"{version}.{audience}"'


def precondition(if_match: str) -> Precondition | None:
    """Return the versions that `If-Match` names: tags, quoted or bare, one or several.

    `None` for `*`, which names none. Raises `Unreadable` for what is no list of tags. A tag that
    is none of ours is one that matches nothing, and so is a weak one (RFC 9110, 13.1.1).
    """
    if if_match.strip(" \t") == "*":
        return None
    tags = list(_tags(if_match))
    strong = [tag for tag in tags if not tag.startswith("W/")]
    named = (version_of(tag.strip('"')) for tag in strong)
    return Precondition(tuple(version for version in named if version is not None), weak=not strong)


def version_of(text: str) -> Version | None:
    """Return the version in an entity tag of this service, with or without its audience."""
    found = _VERSION_TAG.fullmatch(text)
    return None if found is None else Version.parse(found[1])


def _tags(text: str) -> Iterator[str]:
    """Yield the tags of a list; a bare one is taken only if it is a version."""
    place, count = 0, 0
    while place < len(text):
        found = _TAG.match(text, place)
        if found is None or (found[1] and '"' not in found[1] and version_of(found[1]) is None):
            break
        place = found.end()
        if found[1]:
            count += 1
            yield found[1]
    if place < len(text) or count == 0:
        raise Unreadable(
            "The header If-Match must be versions of this session, quoted or bare, parted by "
            "commas."
        )


def idempotency_key(given: str) -> str:
    """Return a key, whether it comes in quotes (RFC 9651, 3.3.3) or without.

    Raises `Unreadable` unless it is 1 to 128 visible characters of ASCII.
    """
    quoted = _QUOTED_KEY.fullmatch(given)
    if quoted is not None:
        return re.sub(r"\\(.)", r"\1", quoted[1])
    if _BARE_KEY.fullmatch(given) is None:
        raise Unreadable("The header Idempotency-Key must be 1 to 128 visible ASCII characters.")
    return given


def client_of(address: str, forwarded_for: str | None, trusted: Sequence[str]) -> str:
    """Return who is asking: the address of the connection, or what a proxy says of it.

    Of the addresses in `X-Forwarded-For` it is the last that none of the `trusted` proxies has. An
    IPv6 address stands for its network of 64 bits, which belongs to one household.
    """
    if "*" in trusted:
        first, _, _ = (forwarded_for or address).partition(",")
        return _household(first.strip())
    networks = [ipaddress.ip_network(each) for each in trusted]
    for hop in (address, *reversed((forwarded_for or "").split(","))):
        found = _address(hop)
        if found is None:
            break
        address = hop.strip()
        if not any(found in network for network in networks):
            break
    return _household(address)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip())
    except ValueError:
        return None


def _household(text: str) -> str:
    """Return what stands for an address where requests are counted; short, whatever came."""
    found = _address(text)
    if found is None:
        return "unknown"
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)


def chosen(accept: str | None, offers: tuple[str, ...]) -> str | None:
    """Return the media type of `offers` that `accept` likes best (RFC 9110, 12.5.1).

    Of those liked equally it is the first; None if none is acceptable.
    """
    if not accept or accept == "*/*":
        return offers[0]
    if len(accept) > REMEMBERED:
        return _chosen(accept, offers)
    return _remembered(accept, offers)


def _chosen(accept: str, offers: tuple[str, ...]) -> str | None:
    ranges = ranges_of(accept)
    liked = [(_liking(offer, ranges), offer) for offer in offers]
    best = max(quality for quality, _ in liked)
    if best == 0:
        return None
    return next(offer for quality, offer in liked if quality == best)


_remembered = lru_cache(maxsize=256)(_chosen)


def ranges_of(preferences: str) -> list[tuple[str, float]]:
    """Return each range that a header of preferences names, in small letters, and its quality."""
    return [_range(part) for part in preferences.split(",")]


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


def language(accept_language: str | None) -> str:
    """Return the tag of the language that the caller likes best (RFC 9110, 12.5.4).

    A range fits a language that it names or makes more precise (RFC 4647, 3.4): `gd-GB` fits `gd`.
    Of languages liked equally it is the one that is named first. If none is liked it is English,
    for a sentence that cannot be read is better than no answer.
    """
    if not accept_language:
        return ENGLISH.tag
    if len(accept_language) > REMEMBERED:
        return _language(accept_language)
    return _remembered_language(accept_language)


def _language(accept_language: str) -> str:
    ranges = ranges_of(accept_language)
    liked = [(*_liking_of_language(tag, ranges), tag) for tag in NAMES]
    quality, _, tag = max(liked, key=lambda each: (each[0], each[1]))
    return tag if quality > 0 else ENGLISH.tag


_remembered_language = lru_cache(maxsize=256)(_language)


def _liking_of_language(tag: str, ranges: Sequence[tuple[str, float]]) -> tuple[float, int]:
    """Return the quality of the range that fits `tag` best, and how early it comes."""
    fitting = [
        (quality, -place)
        for place, (range_, quality) in enumerate(ranges)
        if range_ == tag or range_.startswith(f"{tag}-")
    ]
    any_ = [(quality, -place) for place, (name, quality) in enumerate(ranges) if name == "*"]
    return max(fitting or any_, default=(0.0, 0))


class Headers:
    """The headers of every kind of answer, for the web origins that may call."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._is_open = "*" in origins
        self._origins = frozenset(origins)
        self._made: dict[tuple[str, str, bool, str, str | None, bool], Fields] = {}

    def of(
        self,
        media_type: str,
        caching: str,
        has_offers: bool,
        origin: str | None,
        spoken: str = "",
        policy: str | None = None,
        *,
        is_coded: bool = False,
    ) -> Fields:
        """Return the headers of an answer: a list of the caller's own.

        `has_offers` if another Accept may get another media type; `origin` is the caller's;
        `spoken` is the language of its sentences, if an answer of its kind may have some; `policy`
        is its Content-Security-Policy, if that is not the one of its media type; `is_coded` if
        another Accept-Encoding may get it compressed.
        """
        key = (media_type, caching, has_offers, spoken, policy, is_coded)
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

    def _make(
        self,
        media_type: str,
        caching: str,
        has_offers: bool,
        spoken: str,
        policy: str | None,
        is_coded: bool,
    ) -> Fields:
        if policy is None:
            policy = _POLICIES.get(media_type, _POLICY)
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
        if spoken and media_type:
            made.append(("Content-Language", spoken))
        varying = ["Accept"] if has_offers else []
        varying += ["Accept-Encoding"] if is_coded else []
        varying += ["Accept-Language"] if spoken else []
        varying += [] if self._is_open else ["Origin"]
        varying += ["Authorization"] if caching == PRIVATE else []
        if varying:
            made.append(("Vary", ", ".join(varying)))
        return made
