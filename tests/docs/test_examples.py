"""The examples, as somebody runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.docs.pages import ROOT

MOST_LINES = 30  # of the script that plays a whole game


def test_a_whole_game_is_played(base_url: str) -> None:
    events = _events("play_game.py", base_url)
    assert events[-1]["type"] == "game_over"
    assert events[-1]["outcome"]["winners"]
    assert [event["turn"] for event in events if event["type"] == "turn_ended"] == list(
        range(1, 1 + sum(event["type"] == "turn_ended" for event in events))
    )


def test_a_whole_game_is_a_short_script() -> None:
    assert len((ROOT / "examples" / "play_game.py").read_text("utf-8").splitlines()) <= MOST_LINES


def test_a_game_on_a_table_is_followed(base_url: str) -> None:
    events = _events("physical_table.py", base_url)
    reserved = [event for event in events if event["type"] == "card_reserved"]
    assert [event.get("card") for event in reserved] == [44, None]
    bought = [event["card"] for event in events if event["type"] == "card_bought"]
    assert bought == [13, 1]
    assert events[-1] == {"type": "turn_ended", "seat": 1, "turn": 8}


@pytest.mark.parametrize("name", ["play_game.py", "physical_table.py"])
def test_an_example_stands_alone(name: str) -> None:
    code = (ROOT / "examples" / name).read_text("utf-8")
    imported = {line.split()[1].split(".")[0] for line in code.splitlines() if _imports(line)}
    assert imported <= sys.stdlib_module_names


def _imports(line: str) -> bool:
    return line.startswith(("import ", "from "))


def _events(name: str, base_url: str) -> list[dict[str, Any]]:
    """Return what an example prints: one event a line."""
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", ROOT / "examples" / name, base_url],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]
