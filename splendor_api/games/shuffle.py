"""Randomness that any language can repeat: a keyed stream, draws, a shuffle, a commitment.

The stream for a label is the blocks HMAC-SHA-256(key = seed, message = label ":" i), i = 0, 1, 2 …
(RFC 2104), joined. Nothing here is random by itself.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from struct import Struct

_WORDS = Struct(">4Q")  # a block, in the words that one draw takes
_RANGE = 1 << 64


def stream(seed: str, label: str) -> Iterator[int]:
    """Yield the stream of `label` under `seed`, without end, as 64-bit numbers (big-endian)."""
    key, counter = seed.encode(), 0
    while True:
        block = hmac.digest(key, f"{label}:{counter}".encode(), "sha256")
        yield from _WORDS.unpack(block)
        counter += 1


def draw_below(limit: int, numbers: Iterator[int]) -> int:
    """Return a number in [0, limit), each equally likely, from as many of `numbers` as it takes."""
    fair = _RANGE - _RANGE % limit
    number = next(numbers)
    while number >= fair:
        number = next(numbers)
    return number % limit


def shuffled(items: Iterable[int], seed: str, label: str) -> tuple[int, ...]:
    """Return `items` in the order that `seed` gives them under `label` (Fisher-Yates)."""
    order = list(items)
    numbers = stream(seed, label)
    for last in range(len(order) - 1, 0, -1):
        other = draw_below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def commitment(nonce: str, seed: str) -> str:
    """Return the hexadecimal SHA-256 of `nonce:seed`: shown at the start, checked at the end."""
    return hashlib.sha256(f"{nonce}:{seed}".encode()).hexdigest()
