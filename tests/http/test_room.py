"""What the sources of the shell may not say of a request."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import splendor_api.http

SOURCES = sorted(Path(splendor_api.http.__path__[0]).glob("*.py"))


def _of(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", SOURCES, ids=_of)
def test_flask_reads_no_body(path: Path) -> None:
    """Its parsers take duplicate keys, cut chunked bodies and have had holes (T24, T25)."""
    code = path.read_text("utf-8")
    read = r"\b(request\.(form|files|values|data|json|stream)|get_json|get_data)\b"
    assert not re.findall(read, code)


@pytest.mark.parametrize("path", SOURCES, ids=_of)
def test_only_the_shell_knows_the_request_at_hand(path: Path) -> None:
    imports = re.findall(r"^from flask import (.+)$", path.read_text("utf-8"), re.MULTILINE)
    names = {name.strip() for line in imports for name in line.split(",")}
    assert ("request" in names) == (path.name == "shell.py")
