"""Reads `openapi.yaml`.

The file lies at the root of the repository; the package holds a link to it, and an installed
package the file itself.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

PATH = Path(str(files("splendor_api") / "openapi.yaml")).resolve()


def text() -> str:
    """Return the document as it was written."""
    return PATH.read_text("utf-8")


def load() -> dict[str, Any]:
    """Return the document as plain data."""
    return parse(text())


def parse(source: str) -> dict[str, Any]:
    """Return the data of a document; raise `TypeError` if it is not an object."""
    data = yaml.load(source, yaml.CSafeLoader)
    if not isinstance(data, dict):
        raise TypeError("the document is not an object")
    return data
