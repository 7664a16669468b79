"""Settings: read from any mapping, refused with every fault at once, printed without secrets."""

import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from splendor_api import settings
from splendor_api.settings import Secret, Settings, SettingsError

KEY = "k1:" + "A" * 43

RIGHT = (
    ("HOST", "0.0.0.0", "0.0.0.0"),
    ("HOST", "::1", "::1"),
    ("PORT", "0", 0),
    ("PORT", "65535", 65535),
    ("WEB_CONCURRENCY", "1", 1),
    ("THREADS", "64", 64),
    ("REQUEST_TIMEOUT", "300", 300),
    ("FORWARDED_ALLOW_IPS", "10.0.0.1, 192.168.0.0/16,::1", ("10.0.0.1", "192.168.0.0/16", "::1")),
    ("FORWARDED_ALLOW_IPS", "*", ("*",)),
    ("CORS_ORIGINS", "*", ("*",)),
    (
        "CORS_ORIGINS",
        "https://app.example,http://localhost:5173",
        ("https://app.example", "http://localhost:5173"),
    ),
    ("SEARCH_PROCESSES", "16", 16),
    ("MAX_BODY_BYTES", "1024", 1024),
    ("MAX_REPLAY_BYTES", "67108864", 67108864),
    ("MAX_BATCH_BYTES", "67108864", 67108864),
    ("DATA_DIR", "/nowhere/yet", Path("/nowhere/yet")),
    ("REDIS_URL", "redis://:word@cache:6379/0", Secret("redis://:word@cache:6379/0")),
    ("REDIS_URL", "unix:///run/redis.sock", Secret("unix:///run/redis.sock")),
    ("SESSION_TTL_SECONDS", "60", 60),
    ("SESSION_REPLICAS", "5", 5),
    ("RATE_LIMIT_SESSIONS", "0", 0),
    ("RATE_LIMIT_REQUESTS", "600", 600),
    ("SEAL_KEYS", f"{KEY},old:retired", (Secret(KEY), Secret("old:retired"))),
    ("LOG_LEVEL", "debug", "debug"),
    ("LOG_FORMAT", "text", "text"),
)

WRONG = (
    ("HOST", "a b"),
    ("HOST", "http://here"),
    ("PORT", "abc"),
    ("PORT", "-1"),
    ("PORT", "65536"),
    ("PORT", "8e3"),
    ("PORT", " 8000"),
    ("PORT", "٨٠٠٠"),
    ("PORT", "9" * 10_000),
    ("WEB_CONCURRENCY", "0"),
    ("WEB_CONCURRENCY", "65"),
    ("THREADS", "0"),
    ("THREADS", "1001"),
    ("SEARCH_PROCESSES", "0"),
    ("REQUEST_TIMEOUT", "0"),
    ("FORWARDED_ALLOW_IPS", "proxy"),
    ("FORWARDED_ALLOW_IPS", "10.0.0.1/8"),
    ("FORWARDED_ALLOW_IPS", "10.0.0.1,"),
    ("SESSION_REPLICAS", "6"),
    ("RATE_LIMIT_SESSIONS", "-1"),
    ("RATE_LIMIT_REQUESTS", "1e3"),
    ("CORS_ORIGINS", "app.example"),
    ("CORS_ORIGINS", "https://app.example/path"),
    ("MAX_BODY_BYTES", "1023"),
    ("MAX_REPLAY_BYTES", "67108865"),
    ("MAX_BATCH_BYTES", "1.5"),
    ("DATA_DIR", __file__),
    ("DATA_DIR", "a\0b"),
    ("REDIS_URL", "localhost:6379"),
    ("SESSION_TTL_SECONDS", "59"),
    ("SEAL_KEYS", "k1:short"),
    ("SEAL_KEYS", "A" * 43),
    ("LOG_LEVEL", "loud"),
    ("LOG_FORMAT", "xml"),
)


def _row(name: str) -> settings.Row:
    return next(row for row in settings.ROWS if row.name == name)


@pytest.mark.parametrize(("name", "text", "value"), RIGHT)
def test_a_value_within_its_bounds_is_taken(name: str, text: str, value: object) -> None:
    loaded = settings.load({name: text})
    assert getattr(loaded, _row(name).attribute) == value


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_a_value_outside_its_bounds_is_refused_in_one_sentence(name: str, text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        settings.load({name: text})
    (sentence,) = refused.value.faults
    assert re.fullmatch(rf"{name}: .{{1,80}} is not .+\.", sentence)
    assert _row(name).entry.kind.bounds in sentence


def test_every_setting_is_tried_both_ways() -> None:
    names = {row.name for row in settings.ROWS}
    assert {name for name, _, _ in RIGHT} == names
    assert {name for name, _ in WRONG} == names


def test_all_faults_are_said_at_once_in_the_order_of_the_table() -> None:
    with pytest.raises(SettingsError) as refused:
        settings.load({"LOG_LEVEL": "loud", "PORT": "abc", "THREADS": "8"})
    assert refused.value.faults == (
        "PORT: 'abc' is not a whole number from 0 to 65535.",
        "LOG_LEVEL: 'loud' is not one of debug, info, warning, error.",
    )


def test_nothing_set_and_set_to_nothing_are_the_defaults() -> None:
    assert settings.load({}) == Settings()
    assert settings.load({row.name: "" for row in settings.ROWS}) == Settings()


def test_every_default_is_within_its_own_bounds() -> None:
    for line in settings.lines(Settings()):
        name, _, text = line.partition("=")
        assert settings.load({name: text}) == Settings()


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8123")
    assert settings.from_environment().port == 8123


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc] # that it cannot is the point


def test_no_secret_is_shown() -> None:
    word = "hunter2hunter2hunter2hunter2hunter2hunter2hunter2"
    loaded = settings.load({"REDIS_URL": f"redis://:{word}@cache/0", "SEAL_KEYS": f"k1:{word}"})
    printed = "\n".join(settings.lines(loaded))
    assert "REDIS_URL=********" in printed
    assert "SEAL_KEYS=********" in printed
    assert word not in f"{printed} {loaded!r} {loaded.redis_url} {loaded.seal_keys}"
    assert loaded.redis_url is not None
    assert word in loaded.redis_url.reveal()


def test_no_wrong_secret_is_repeated() -> None:
    with pytest.raises(SettingsError) as refused:
        settings.load({"REDIS_URL": "hunter2", "SEAL_KEYS": "hunter2"})
    assert "hunter2" not in str(refused.value)


def test_the_documentation_has_the_table() -> None:
    page = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")
    documented = [line for line in page.splitlines() if line.startswith("|")]
    assert documented == list(settings.table())
