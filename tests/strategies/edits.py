"""Ways to change one thing in a state that is written as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Place = tuple[str | int, ...]
Edit = Callable[[Any], None]


def put(place: Place, value: Any) -> Edit:
    """Return the edit that puts a value in a place."""
    *path, last = place

    def edit(data: Any) -> None:
        for step in path:
            data = data[step]
        data[last] = value

    return edit


def changed(place: Place, change: int) -> Edit:
    """Return the edit that makes the number in a place larger by `change`."""
    *path, last = place

    def edit(data: Any) -> None:
        for step in path:
            data = data[step]
        data[last] += change

    return edit


def both(first: Edit, second: Edit) -> Edit:
    """Return the edit that makes two, one after the other."""

    def edit(data: Any) -> None:
        first(data)
        second(data)

    return edit
