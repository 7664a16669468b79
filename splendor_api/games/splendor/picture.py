"""How Splendor is shown."""

from __future__ import annotations

from typing import Final

from splendor_api.games.drawing import Picture
from splendor_api.games.splendor import art

SPLENDOR_PICTURE: Final = Picture(symbols=art.SYMBOLS)
