"""Answers made smaller for whoever can read them so (RFC 9110, 8.4.1).

Compressed are documents that are the same for everybody, once and for good, and long lists in
which nothing is secret. What a session answers is not, for who else can put words into an answer
could tell from its length what is in it; nor are streams, which would wait for more to compress.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final, Literal

import brotli  # type: ignore[import-untyped] # has no types

from splendor_api.http.headers import REMEMBERED, ranges_of

Coding = Literal["br", "gzip", ""]
"""A content coding; empty for none."""

SMALLEST: Final = 1_400
"""Bytes below which nothing is won: they travel in one packet."""

CODINGS: Final[tuple[Coding, ...]] = ("br", "gzip")  # the better one first


def coding(accept_encoding: str | None) -> Coding:
    """Return the coding that the caller likes best (RFC 9110, 12.5.3); the smaller of equals."""
    if not accept_encoding:
        return ""
    if len(accept_encoding) > REMEMBERED:
        return _coding(accept_encoding)
    return _remembered(accept_encoding)


def _coding(accept_encoding: str) -> Coding:
    qualities = dict(ranges_of(accept_encoding))
    others = qualities.get("*", 0.0)
    best = max(CODINGS, key=lambda each: qualities.get(each, others))
    quality = qualities.get(best, others)
    return best if quality > 0 and quality >= qualities.get("identity", 0.0) else ""


_remembered = lru_cache(maxsize=256)(_coding)


def compressed(body: bytes, how: Coding, *, for_good: bool = False) -> bytes:
    """Return the body in a coding: quickly, or `for_good` as small as it gets in a moment."""
    if how == "br":
        smaller: bytes = brotli.compress(body, quality=9 if for_good else 1)
        return smaller
    if how == "gzip":
        return gzip.compress(body, 9 if for_good else 1, mtime=0)
    return body
