"""The model of docs/capacity.md: what it is bound by, and what its simulation is known to give."""

from dataclasses import replace

import pytest

from benchmarks import capacity
from benchmarks.planning import (
    GIBIBYTE,
    SHARD_SHARE,
    SPARE_HOSTS,
    Costs,
    Demand,
    Hardware,
    plan,
    spread,
)

COSTS = Costs(
    host_action=1e-3,
    host_read=5e-4,
    host_apply=5e-4,
    redis_action=2e-4,
    redis_read=1e-4,
    session_bytes=16_000.0,
    appended_bytes=2_000.0,
    stream_bytes=60_000.0,
    worker_bytes=12e6,
)
BRIEFLY = Demand(10_000, kept_days=1 / 24)


def test_nothing_takes_a_host_and_one_to_spare() -> None:
    none = plan(Demand(0), COSTS, Hardware())
    assert (none.hosts, none.shards, none.host_cores) == (SPARE_HOSTS, 1, 0)


def test_twice_the_games_take_twice_the_processor() -> None:
    once, twice = (
        plan(replace(BRIEFLY, games=games), COSTS, Hardware()) for games in (10_000, 20_000)
    )
    assert twice.host_cores == pytest.approx(2 * once.host_cores)
    assert twice.redis_bytes == pytest.approx(2 * once.redis_bytes)
    assert twice.actions == 20_000 / 15


def test_sessions_that_are_over_count_until_their_lifetime_ends() -> None:
    """An action every 15 s and 60 of them: each place of the ten thousand has 96 games a day."""
    assert Demand(10_000, kept_days=1).kept == pytest.approx(10_000 + 960_000)


def test_shards_are_as_many_as_memory_or_processor_asks_for() -> None:
    by_memory = plan(Demand(10_000, kept_days=7), COSTS, Hardware())
    assert by_memory.shards == 9  # 100 GiB on servers of 16, of which 70 % are used
    larger = plan(Demand(10_000, kept_days=7), COSTS, Hardware(redis_bytes=1024 * GIBIBYTE))
    assert larger.shards < by_memory.shards
    busy = plan(replace(BRIEFLY, games=100_000), COSTS, Hardware(redis_bytes=1024 * GIBIBYTE))
    assert busy.redis_cores / busy.shards <= SHARD_SHARE
    assert busy.redis_cores / (busy.shards - 1) > SHARD_SHARE


def test_one_shard_has_everything_and_many_nearly_the_same() -> None:
    assert spread(1, 1_000, 0.4, 1e-4).busiest == 1.0
    assert 1.0 < spread(12, 60_000, 0.4, 1e-4).busiest < 1.1


def test_who_comes_to_a_busier_server_waits_longer() -> None:
    idle, busy, full = (spread(1, 100, load, 1e-4).wait_p99 for load in (0.1, 0.4, 0.8))
    assert 0 < idle < 1.1e-4  # at most the one before it
    assert idle < busy < full


def test_the_page_is_written_between_its_marks_only(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    page = tmp_path_factory.mktemp("page") / "capacity.md"
    page.write_text(f"before\n{capacity.MARKS[0]}old\n{capacity.MARKS[1]}\nafter\n")
    capacity.publish(COSTS, page)
    text = page.read_text()
    assert text.startswith(f"before\n{capacity.MARKS[0]}")
    assert text.endswith(f"{capacity.MARKS[1]}\nafter\n")
    assert "old" not in text
    assert "| host_action | 1.00 ms |" in text
