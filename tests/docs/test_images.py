"""The pictures in the documentation are what the service draws."""

from __future__ import annotations

from tests.docs.images import FOLDER, images
from tests.games import svg


def test_pictures_are_what_is_drawn() -> None:
    """If they are not: `python -m tests.docs.images`."""
    shown = dict(images())
    assert {path.name for path in FOLDER.glob("*.svg")} == {path.name for path in shown}
    for path, drawn in shown.items():
        svg.read(drawn)
        assert path.read_text("utf-8") == drawn
