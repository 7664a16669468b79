"""Types made by openapi-typescript: without a warning, strict, and good for a whole game."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from splendor_api.contract import document
from splendor_api.wire import json_text

HERE = Path(__file__).parent / "typescript"
SOURCES = ("game.ts", "session.ts", "package.json", "redocly.yaml", "tsconfig.json")
PATIENCE = 300  # seconds, after which it counts as stuck


def _run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.fixture(scope="module")
def tools() -> Path:
    """Install what package-lock.json names, unless it is there; return the folder of commands."""
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        run = _run(HERE, "npm", "ci")
        assert run.returncode == 0, run.stderr
        installed.touch()
    return HERE / "node_modules" / ".bin"


@pytest.fixture(scope="module")
def folder(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sources, and the types made from the document."""
    place = tmp_path_factory.mktemp("typescript")
    for name in SOURCES:
        shutil.copy(HERE / name, place)
    (place / "node_modules").symlink_to(HERE / "node_modules")
    run = _run(place, tools / "openapi-typescript", document.PATH, "--output", "api.d.ts")
    assert run.returncode == 0, run.stderr
    assert "⚠" not in run.stdout + run.stderr
    assert "warn" not in (run.stdout + run.stderr).lower()
    return place


def test_the_linter_finds_nothing(tools: Path, folder: Path) -> None:
    run = _run(folder, tools / "redocly", "lint", document.PATH, "--format", "json")
    assert run.returncode == 0, run.stdout + run.stderr
    report = json_text.read(run.stdout.encode(), max_depth=64)
    assert isinstance(report, dict)
    assert report["problems"] == []
    assert report["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}


def test_the_types_compile_strictly(tools: Path, folder: Path) -> None:
    run = _run(folder, tools / "tsc", "--noEmit")
    assert run.returncode == 0, run.stdout


@pytest.fixture(scope="module")
def made(tools: Path, folder: Path) -> Path:
    """Compile the sources; return the folder of programs."""
    compiled = _run(folder, tools / "tsc")
    assert compiled.returncode == 0, compiled.stdout
    return folder / "made"


def _told(program: Path, address: str) -> dict[str, Any]:
    """Run a program against the service at `address`; return what it tells."""
    run = _run(program.parent, "node", program, address)
    assert run.returncode == 0, run.stderr
    told = json_text.read(run.stdout.encode())
    assert isinstance(told, dict)
    return told


def test_the_client_plays_a_whole_game(made: Path, address: str) -> None:
    told = _told(made / "game.js", address)
    assert told["phase"] == "over"
    assert told["outcome"]["reason"] == "target_prestige"
    assert told["refused"] == ["game_over /action"]


def test_the_client_plays_a_session_and_follows_it(made: Path, address: str) -> None:
    told = _told(made / "session.js", address)
    assert told["phase"] == "over"
    assert told["kept"] is True
    assert told["replayed"] == "over"
    first, *steps, last = told["names"]
    assert (first, last) == ("snapshot", "closed")
    assert set(steps) == {"step"}
    assert told["lines"][-1] == "over"
