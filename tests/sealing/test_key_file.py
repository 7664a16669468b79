"""The key that the service makes for itself."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from splendor_api.sealing.key_file import NAME, kept
from splendor_api.sealing.keys import master_text

PROCESSES = 4


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_start_makes_a_key_that_later_starts_find(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first, second = kept(folder), kept(folder)
    assert first.is_new
    assert not second.is_new
    assert first.ring == second.ring
    assert len(first.ring.current.secret or b"") == 32
    assert [each.name for each in folder.iterdir()] == [NAME], "no draft is left"


def test_nobody_but_the_owner_reads_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        kept(tmp_path / "data")
    finally:
        os.umask(before)
    assert _mode(tmp_path / "data") == 0o700
    assert _mode(tmp_path / "data" / NAME) == 0o600


def test_two_services_have_different_keys(tmp_path: Path) -> None:
    some, other = kept(tmp_path / "a").ring.current, kept(tmp_path / "b").ring.current
    assert some.secret != other.secret
    assert some.id != other.id


def test_all_who_start_at_once_get_the_same_key(tmp_path: Path) -> None:
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(kept, [tmp_path] * PROCESSES * 2))
    assert len({each.ring for each in found}) == 1
    assert sum(each.is_new for each in found) == 1


def test_who_comes_second_takes_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept(tmp_path)
    monkeypatch.setattr(Path, "exists", lambda _: False)
    second = kept(tmp_path)
    assert (second.ring, second.is_new) == (first.ring, False)
    assert [each.name for each in tmp_path.iterdir()] == [NAME]


def test_a_ring_may_be_put_there_by_hand(tmp_path: Path) -> None:
    old = master_text(b"\1", bytes(32))
    new = master_text(b"\2", bytes(32))
    (tmp_path / NAME).write_text(f"{new},{old}\n", "ascii")
    assert [key.id for key in kept(tmp_path).ring.keys] == ["02", "01"]


@pytest.mark.parametrize("content", [b"", b"half a k", b"01:short\n", b"\xff\xfe"])
def test_what_is_no_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(ValueError, match=r".+"):
        kept(tmp_path)
    assert (tmp_path / NAME).read_bytes() == content


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        kept(tmp_path / "file" / "data")
