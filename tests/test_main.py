"""The commands, as a person runs them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from splendor_api import __version__, settings
from splendor_api.__main__ import COMMANDS
from splendor_api.settings import Settings

ROOT = Path(__file__).parents[1]


def _run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "splendor_api", *words],
        cwd=ROOT,
        env={"PATH": os.defpath, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_settings_in_force_are_printed_without_secrets() -> None:
    done = _run("settings", PORT="9000", REDIS_URL="redis://:canary@cache/0")
    assert (done.returncode, done.stderr) == (0, "")
    printed = dict(line.split("=", 1) for line in done.stdout.splitlines())
    expected = dict(line.split("=", 1) for line in settings.lines(Settings()))
    assert printed == {**expected, "PORT": "9000", "REDIS_URL": settings.MASK}


@pytest.mark.parametrize("command", ["serve", "settings"])
def test_wrong_settings_end_a_command_with_a_sentence_each(command: str) -> None:
    done = _run(command, PORT="abc", WEB_CONCURRENCY="many")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "PORT: 'abc' is not a whole number from 0 to 65535.",
        "WEB_CONCURRENCY: 'many' is not a whole number from 1 to 64.",
    ]


def test_keys_that_are_no_ring_end_the_service_with_a_sentence(tmp_path: Path) -> None:
    key = f"k1:{'A' * 43}"
    for keys, fault in (
        (f"{key},{key}", "two seal keys have the same id"),
        ("k1:retired", "every seal key is retired"),
    ):
        done = _run("serve", PORT="0", SEAL_KEYS=keys, DATA_DIR=str(tmp_path), LOG_LEVEL="error")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"SEAL_KEYS: {fault}.\n"


def test_help_names_every_command() -> None:
    done = _run("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"  {command.name} " in done.stdout


def test_the_version_is_the_packages() -> None:
    assert _run("--version").stdout == f"{__version__}\n"
