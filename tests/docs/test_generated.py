"""The lists in the documentation that the code owns are what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from splendor_api.contract import documentation
from splendor_api.games.registry import GAMES

PAGES = tuple(documentation.FOLDER.glob("*.md"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the documentation, which is written to instead."""
    for page in PAGES:
        (tmp_path / page.name).write_bytes(page.read_bytes())
    monkeypatch.setattr(documentation, "FOLDER", tmp_path)
    return tmp_path


def test_the_lists_are_what_the_code_says() -> None:
    assert documentation.stale() == ()


def test_a_list_that_differs_is_named_and_mended(folder: Path) -> None:
    page = folder / "rulesets.md"
    was = page.read_text("utf-8")
    page.write_text(was.replace("| `target_prestige` |", "| `target_points` |"), "utf-8")
    assert documentation.stale() == ("rulesets.md: options",)
    assert documentation.write() == ("rulesets.md: options",)
    assert page.read_text("utf-8") == was
    assert documentation.stale() == ()


def test_nothing_is_written_where_nothing_differs(folder: Path) -> None:
    assert documentation.write() == ()
    assert all((folder / page.name).read_bytes() == page.read_bytes() for page in PAGES)


@pytest.mark.parametrize(
    ("page", "was", "instead"),
    [
        ("errors.md", "<!-- generated: faults -->", "<!-- generated: mistakes -->"),
        ("errors.md", "<!-- generated: faults -->", ""),
        ("errors.md", "<!-- generated: faults -->", "<!-- generated: options -->"),
    ],
)
def test_every_list_stands_on_one_page(folder: Path, page: str, was: str, instead: str) -> None:
    text = (folder / page).read_text("utf-8")
    (folder / page).write_text(text.replace(was, instead), "utf-8")
    with pytest.raises(documentation.MarksError):
        documentation.stale()


def test_every_game_is_in_every_list_of_games() -> None:
    for name in ("options", "violations", "findings", "events", "actions", "outcomes", "rulesets"):
        lines = list(documentation.blocks()[name]())
        assert [line for line in lines if line.startswith("### ")] == [
            f"### {entry.rules.title}" for entry in GAMES.values()
        ]
