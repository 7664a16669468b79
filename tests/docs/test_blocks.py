"""Everything that the documentation shows is run as it stands there, and prints what it shows.

The blocks of one language on one page are one script. A block of JSON or text is what the block
before it prints: text exactly, JSON as values. `"...": "..."` stands for further members, a last
item `"..."` for further items. On the first page one meets, JSON stands as it is printed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.pages import ELSEWHERE, PAGES, PRINTED, ROOT, RUN, Block, blocks, read

PATIENCE = 120  # seconds
SHOWN_URL = "http://127.0.0.1:8000"
MARK = "\x1e"  # ends what a block prints
REST = "..."

COMMANDS = {
    "sh": ("bash", "-euo", "pipefail"),
    "python": (sys.executable, "-W", "error", "-"),
    "javascript": ("node", "--input-type=module", "-"),
}
PRINTS_MARK = {
    "sh": r"printf '\036'",
    "python": r"print('\x1e', end='')",
    "javascript": r"process.stdout.write('\x1e')",
}
TOOLS = {"sh": ("bash", "curl", "jq"), "python": (), "javascript": ("node",)}
"""What must be installed for a language. Where it is not, only CI runs the language: and fails."""

AS_PRINTED = ("README.md",)

ON_SERVERS = "it needs servers; tests/deploy/test_backup.py runs it on some of its own"
NOT_RUN = [
    ("README.md", "it installs"),
    ("docs/environment.md", "it installs"),
    ("docs/operations.md", ON_SERVERS),
    ("docs/operations.md", ON_SERVERS),
]

SCRIPTS = [
    (page, language)
    for page in PAGES
    for language in RUN
    if any(block.is_run and block.language == language for block in blocks(page))
    and ("CI" in os.environ or all(map(shutil.which, TOOLS[language])))
]


@pytest.mark.parametrize(("page", "language"), SCRIPTS)
def test_what_is_shown_is_what_happens(
    page: str, language: str, base_url: str, tmp_path: Path
) -> None:
    code = [block for block in blocks(page) if block.is_run and block.language == language]
    printed = _run(language, code, base_url, tmp_path)
    expected = dict(_expectations(page))
    for block, text in zip(code, printed, strict=True):
        shown = expected.get(block.line)
        if shown is not None:
            assert _matches(page, shown, text.replace(base_url, SHOWN_URL)), (
                f"{page}:{shown.line} is not what line {block.line} prints:\n{text}"
            )


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_run_or_is_what_one_prints(page: str) -> None:
    before: Block | None = None
    for block in blocks(page):
        assert block.language in (*RUN, *PRINTED, *ELSEWHERE), f"{page}:{block.line}"
        if block.language in PRINTED:
            assert before is not None, f"{page}:{block.line}"
            assert before.is_run, f"{page}:{block.line} follows nothing that is run"
        before = block


def test_little_is_not_run() -> None:
    not_run = [(page, block.reason) for page in PAGES for block in blocks(page) if block.reason]
    assert not_run == NOT_RUN


def test_the_script_of_the_readme_is_the_example() -> None:
    example = (ROOT / "examples" / "curl_game.sh").read_text("utf-8")
    _, body = example.split("\n\n", 1)  # what stands before it explains the file
    assert body in [block.code for block in blocks("README.md")]


def _run(language: str, code: list[Block], base_url: str, folder: Path) -> list[str]:
    """Return what each block prints; they share names, files and one run."""
    for name in ("conformance", "examples", "docs"):
        (folder / name).symlink_to(ROOT / name)
    marked = (f"{block.code}{PRINTS_MARK[language]}\n" for block in code)
    tools = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        COMMANDS[language],
        input="".join(marked).replace(SHOWN_URL, base_url),
        cwd=folder,
        env={"PATH": tools, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    *printed, rest = done.stdout.split(MARK)
    assert rest == ""
    return printed


def _expectations(page: str) -> list[tuple[int, Block]]:
    """Return what is shown after a block that is run, by that block's line."""
    shown = blocks(page)
    return [
        (before.line, block)
        for before, block in pairwise(shown)
        if before.is_run and block.language in PRINTED
    ]


def _matches(page: str, shown: Block, printed: str) -> bool:
    if shown.language == "text" or page in AS_PRINTED:
        return shown.code.strip() == printed.strip()
    return _is_like(_texts(shown.code), _texts(printed))


def _texts(text: str) -> list[object]:
    """Return the values of one JSON text after the other."""
    values: list[object] = []
    text = text.strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        values.append(value)
        text = text[end:].lstrip()
    return values


def _is_like(shown: object, found: object) -> bool:
    if isinstance(shown, dict) and isinstance(found, dict):
        named = shown.keys() - {REST}
        is_whole = REST in shown or named == found.keys()
        return is_whole and all(
            name in found and _is_like(shown[name], found[name]) for name in named
        )
    if isinstance(shown, list) and isinstance(found, list):
        first = shown[:-1] if shown[-1:] == [REST] else shown
        is_whole = len(first) == len(found) or (first is not shown and len(found) > len(first))
        return is_whole and all(map(_is_like, first, found))
    return type(shown) is type(found) and shown == found


def test_pages_are_read_whole() -> None:
    assert "README.md" in PAGES
    assert all(read(page).endswith("\n") for page in PAGES)
