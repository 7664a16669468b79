"""Backup and restore, by the very commands of docs/operations.md."""

import os
import subprocess
from pathlib import Path

from tests.deploy.files import PATIENCE
from tests.deploy.redis_files import end, lay, password, single
from tests.docs.pages import blocks
from tests.faults.clients import Client, Table
from tests.faults.service import serving
from tests.faults.streams import Stream


def _run(which: int, folder: Path, **variables: str) -> None:
    """Run one of the two blocks of the page, with these variables."""
    backup = [block for block in blocks("docs/operations.md") if block.language == "sh"]
    subprocess.run(
        ["sh", "-euc", backup[which].code],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **variables},
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=PATIENCE,
    )


def test_a_backup_made_while_games_go_on_is_restored(tmp_path: Path) -> None:
    """What was done after it is gone, and whoever knew of it is told so."""
    with (
        single(tmp_path / "old") as old,
        serving(tmp_path / "service", REDIS_URL=old.url, WEB_CONCURRENCY="1") as service,
        Client(service.url) as client,
    ):
        table = Table.laid(client)
        kept = table.act().version
        variables = {"REDIS_HOST": "127.0.0.1", "REDIS_PORT": str(old.port)}
        _run(0, tmp_path, **variables, REPLICA_PASSWORD=password("replica"))
        lost = table.act().version
        assert lost is not None
        old.kill()

        folder = tmp_path / "new"
        lay("single", folder, old.port)
        _run(
            1,
            tmp_path,
            **variables,
            REDIS_FOLDER=str(folder),
            OPERATOR_PASSWORD=password("operator"),
        )
        try:
            assert client.get(table.path)["version"] == kept
            table.to_act = 1
            refused = client.ask(**table.request(table.choose())).response
            assert (refused.status_code, refused.json()["code"]) == (412, "stale_version")
            with Stream(client, table.path, last=lost) as stream:
                assert stream.next().name == "reset"
            assert kept is not None
            table.version = kept
            table.log.clear()
            again = table.act().version
        finally:
            end(old.port)
    assert again is not None
    assert again.partition(".")[0] == lost.partition(".")[0]
    assert again != lost
