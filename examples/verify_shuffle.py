"""Check a deal of Splendor: python3 examples/verify_shuffle.py COMMITMENT < record.json.

COMMITMENT is what the session told when it began; the record is what it gives out when the game is
over. Is the seed in it the one that was promised, then every deck was as printed here, from the
bottom to the top, before the first card was dealt.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator

LEVELS = {1: range(1, 41), 2: range(41, 71), 3: range(71, 91)}  # ids of the cards


def stream(seed: str, label: str) -> Iterator[int]:
    """Yield the numbers that follow from a seed, of 64 bits each."""
    i = 0
    while True:
        block = hmac.digest(seed.encode(), f"{label}:{i}".encode(), hashlib.sha256)
        yield from (int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8))
        i += 1


def shuffled(ids: range, seed: str, label: str) -> list[int]:
    """Return the ids in the order that the seed gives them."""
    items, numbers = list(ids), stream(seed, label)
    for last in range(len(items) - 1, 0, -1):
        n = last + 1
        u = next(number for number in numbers if number < 2**64 - 2**64 % n)
        items[last], items[u % n] = items[u % n], items[last]
    return items


if len(sys.argv) != 2 or not re.fullmatch("[0-9a-f]{64}", sys.argv[1]):
    sys.exit("usage: verify_shuffle.py COMMITMENT < record.json (64 hexadecimal digits)")
try:
    record = json.load(sys.stdin)
    seed, nonce = record["seed"], record["nonce"]
except (ValueError, KeyError, TypeError):
    sys.exit("This is not the record of a Splendor session that is over: it has no seed and nonce.")
if hashlib.sha256(f"{nonce}:{seed}".encode()).hexdigest() != sys.argv[1]:
    sys.exit("The seed of this record is not the one that was promised.")
for level, ids in LEVELS.items():
    deck = shuffled(ids, seed, f"splendor/deck/{level}")
    print(json.dumps({"level": level, "deck": deck}))
