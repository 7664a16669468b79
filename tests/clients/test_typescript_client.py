"""Types made by openapi-typescript: without a warning, strict, and good for a whole game."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from splendor_api.contract import document
from splendor_api.games.registry import GAMES
from splendor_api.wire import json_text
from tests.clients import observed

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "typescript"
SOURCES = (
    *(HERE / name for name in ("game.ts", "node.d.ts", "reduced.ts", "session.ts")),
    *(HERE / name for name in ("package.json", "redocly.yaml", "tsconfig.json")),
    ROOT / "examples" / "reducer.ts",
)
GAMES_SEEN = range(6)  # how often each kind of game is played
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
    for source in SOURCES:
        shutil.copy(source, place)
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


@pytest.fixture(scope="module")
def made(tools: Path, folder: Path) -> Path:
    """Compile the sources; return the folder of programs."""
    compiled = _run(folder, tools / "tsc")
    assert compiled.returncode == 0, compiled.stdout
    return folder / "made"


def test_the_types_compile_strictly(made: Path) -> None:
    compiled = {path.stem for path in made.glob("*.js")}
    assert compiled == {"game", "reduced", "reducer", "session"}


def _told(program: Path, given: str) -> dict[str, Any]:
    """Run a program with an address or a file; return what it tells."""
    run = _run(program.parent, "node", program, given)
    assert run.returncode == 0, run.stderr
    told = json_text.read(run.stdout.encode())
    assert isinstance(told, dict)
    return told


def test_the_client_plays_a_whole_game(made: Path, address: str) -> None:
    told = _told(made / "game.js", address)
    assert told["phase"] == "over"
    assert told["outcome"]["reason"] == "target_prestige"
    assert told["refused"] == ["game_over /action"]


def test_events_suffice_to_follow_whole_games(made: Path, tmp_path: Path) -> None:
    """The example `reducer.ts` sees after each action what the service says is to be seen."""
    games = tmp_path / "games.jsonl"
    observed.write(games, GAMES_SEEN)
    told = _told(made / "reduced.js", str(games))
    assert told["steps"] > 1_000
    assert told["types"] == sorted(
        f"{name} {kind.type}" for name, entry in GAMES.items() for kind in entry.rules.events
    )


def test_the_client_plays_a_session_and_follows_it(made: Path, address: str) -> None:
    told = _told(made / "session.js", address)
    assert told["phase"] == "over"
    assert told["kept"] is True
    assert told["replayed"] == "over"
    assert told["isSame"] is True
    first, *steps, last = told["names"]
    assert (first, last) == ("snapshot", "closed")
    assert set(steps) == {"step"}
    assert told["lines"][-1] == "over"


def test_the_scripts_of_the_pages_keep_to_their_types(tools: Path) -> None:
    run = _run(HERE, tools / "tsc", "--project", "site.json")
    assert run.returncode == 0, run.stdout
