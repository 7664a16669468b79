"""The blocks that the code owns: written, compared, and never silently lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from splendor_api.contract import document, generated
from splendor_api.contract.generated import MarksError, rewritten

SOURCE = """\
top:
  # generated: words
  enum:
    - old
  # end generated
  type: string
"""


def test_the_document_is_what_the_code_says() -> None:
    assert generated.stale() == ()


def test_a_block_is_written_where_its_marks_are() -> None:
    assert rewritten(SOURCE, {"words": lambda: "enum:\n  - new\n  - newer\n"}) == (
        "top:\n  # generated: words\n  enum:\n    - new\n    - newer\n  # end generated\n"
        "  type: string\n"
    )


def test_a_block_without_a_writer_is_refused() -> None:
    with pytest.raises(MarksError):
        rewritten(SOURCE, {})


def test_a_writer_without_a_block_is_refused() -> None:
    with pytest.raises(MarksError):
        rewritten(SOURCE, {"words": str, "more": str})


def test_a_block_without_an_end_is_refused() -> None:
    with pytest.raises(MarksError):
        rewritten(SOURCE + "  # generated: more\n", {"words": str})


@pytest.fixture(scope="module")
def written() -> Mapping[str, Callable[[], str]]:
    """Return the blocks, written once."""
    return {name: partial(str, block()) for name, block in generated.blocks().items()}


@pytest.mark.parametrize("name", generated.blocks())
def test_a_changed_block_is_found_and_mended(
    name: str,
    written: Mapping[str, Callable[[], str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(generated, "blocks", lambda: written)
    source = document.text()
    mark = f"# generated: {name}\n"
    path = tmp_path / "openapi.yaml"
    path.write_text(source.replace(mark, f"{mark}# by hand\n"), "utf-8")
    monkeypatch.setattr(document, "PATH", path)
    assert generated.stale() == (name,)
    assert generated.write() == (name,)
    assert path.read_text("utf-8") == source
    assert generated.write() == ()
