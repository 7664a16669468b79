"""Randomness that any language can repeat: held to numbers worked out from the definition."""

from __future__ import annotations

import hashlib
import hmac
from itertools import count, islice

import pytest

from splendor_api.games.shuffle import commitment, draw_below, shuffled, stream


def test_the_stream_is_blocks_of_hmac_in_words_of_eight_bytes() -> None:
    blocks = b"".join(
        hmac.new("Дархан".encode(), f"label:{number}".encode(), hashlib.sha256).digest()
        for number in range(3)
    )
    words = [int.from_bytes(blocks[start : start + 8], "big") for start in range(0, 96, 8)]
    assert list(islice(stream("Дархан", "label"), 12)) == words


def test_a_known_stream() -> None:
    assert (
        f"{next(stream('seed', 'label')):016x}"
        == (hmac.new(b"seed", b"label:0", hashlib.sha256).hexdigest()[:16])
    )


def test_labels_and_seeds_have_streams_of_their_own() -> None:
    firsts = {next(stream(seed, label)) for seed in "ab" for label in "xy"}
    assert len(firsts) == 4


def test_a_draw_is_the_rest_of_a_number() -> None:
    assert draw_below(10, iter([47])) == 7
    assert draw_below(1, iter([5])) == 0


@pytest.mark.parametrize("limit", [3, 10, (1 << 63) + 1])
def test_numbers_that_would_favour_some_are_passed_over(limit: int) -> None:
    fair = (1 << 64) - (1 << 64) % limit
    assert draw_below(limit, iter([fair, (1 << 64) - 1, 2])) == 2
    assert draw_below(limit, iter([fair - 1])) == (fair - 1) % limit


def test_a_power_of_two_takes_every_number() -> None:
    assert draw_below(8, iter([(1 << 64) - 1])) == 7


def test_a_shuffle_swaps_from_the_last_place_down() -> None:
    numbers = stream("seed", "label")
    order = list(range(10))
    for last in range(9, 0, -1):
        other = next(numbers) % (last + 1)
        order[last], order[other] = order[other], order[last]
    assert shuffled(range(10), "seed", "label") == tuple(order)


def test_a_shuffle_loses_nothing() -> None:
    for size in (0, 1, 2, 90):
        assert sorted(shuffled(range(size), "seed", "label")) == list(range(size))


def test_every_place_is_as_likely() -> None:
    counts = [0] * 4
    for seed in islice(count(), 800):
        counts[shuffled(range(4), str(seed), "label").index(0)] += 1
    assert all(150 < number < 250 for number in counts)


def test_a_commitment_is_the_digest_of_nonce_and_seed() -> None:
    assert commitment("00ff", "Дархан") == hashlib.sha256("00ff:Дархан".encode()).hexdigest()
    assert commitment("", "") == hashlib.sha256(b":").hexdigest()
