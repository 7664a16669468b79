"""A real service for whatever the documentation shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.docs.pages import ROOT

PATIENCE = 20  # seconds; only a broken service takes as long


@pytest.fixture(scope="session")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a service with every default but its port and its folder."""
    folder = tmp_path_factory.mktemp("service")
    log = folder / "stderr"
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "splendor_api", "serve"],
            cwd=ROOT,
            env={
                "PATH": os.defpath,
                "PORT": "0",
                "WEB_CONCURRENCY": "1",
                "DATA_DIR": str(folder / "var"),
            },
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://[0-9.:]+", line)
        assert found is not None, line + log.read_text()
        yield found[0]
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()
