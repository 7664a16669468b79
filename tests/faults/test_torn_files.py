"""The append-only file breaks off, or is damaged within (P7): said, never passed over."""

from pathlib import Path

import pytest

from tests.faults.clients import Client, Table
from tests.faults.service import Service, serving

TORN = 100  # bytes: less than any commit


def _file(folder: Path) -> Path:
    """Return the file that was written to last; 6.2 has another than later servers."""
    return max((folder / "redis").rglob("*.aof"), key=lambda file: file.stat().st_size)


def _played(service: Service) -> Table:
    """Return a session of which a few versions are stored."""
    with Client(service.url) as client:
        table = Table.laid(client)
        for _ in range(4):
            table.act()
    return table


def test_a_torn_end_is_dropped_and_said(tmp_path: Path) -> None:
    data = tmp_path / "var"
    with serving(tmp_path) as service:
        table = _played(service)
        service.stop()
        file = _file(data)
        with file.open("r+b") as stream:
            stream.truncate(file.stat().st_size - TORN)
        service.start()
        said = service.process.stdout
        assert said is not None
        assert "The last write was unfinished" in said.readline()
        with Client(service.url) as client:
            seen = client.get(table.path, table.tokens[0])
            assert seen["version"] == table.log[-2].version, "the last version was torn"
            table.client, table.version, table.to_act = client, seen["version"], seen["to_act"]
            verdict = table.verdict()
            assert (verdict.lost, verdict.twice) == (1, 0), "the control: the checker sees it"
            table.act()


def test_a_whole_file_is_read_without_a_word(tmp_path: Path) -> None:
    """The control of the one above."""
    with serving(tmp_path) as service:
        table = _played(service)
        service.stop()
        service.start()
        with Client(service.url) as client:
            assert client.get(table.path, table.tokens[0])["version"] == table.version
        assert not list((tmp_path / "var").rglob("*.unfinished*"))


def test_damage_within_is_refused_with_what_helps(tmp_path: Path) -> None:
    data = tmp_path / "var"
    with serving(tmp_path) as service:
        _played(service)
        service.stop()
        file = _file(data)
        content = file.read_bytes()
        place = content.index(b"\r\n$", len(content) // 2) + 3
        damaged = content[:place] + b"x" + content[place + 1 :]
        file.write_bytes(damaged)
        with pytest.raises(AssertionError) as refusal:
            service.start()
        assert service.process.wait(30) == 1
        assert service.process.stdout is not None
        service.process.stdout.close()
        said = str(refusal.value)
        assert "cannot read the sessions" in said
        assert "redis-check-aof --fix" in said
        assert file.read_bytes() == damaged, "nothing has been changed"
        file.write_bytes(content)
        service.start()
