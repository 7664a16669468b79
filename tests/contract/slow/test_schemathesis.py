"""Schemathesis, which makes requests of its own from the document, finds nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from flask import Flask

from splendor_api.contract import document
from splendor_api.http.table import OPERATIONS
from tests.contract.serving import served

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PATIENCE = 900  # seconds, after which it counts as stuck


def test_schemathesis_finds_nothing(app: Flask, tmp_path: Path) -> None:
    with served(app) as address:
        run = _run(address, tmp_path)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-5_000:]
    generated = re.search(r"(\d+) generated", run.stdout)
    assert generated is not None
    assert int(generated[1]) > 1_000
    assert f"Tested: {len(OPERATIONS)}\n" in run.stdout


def _run(address: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run schemathesis in `folder`, against the service at `address`."""
    config = HERE / "schemathesis.toml"
    return subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            *("--config-file", config, "run", document.PATH, "--url", address),
            *("--checks", "all", "--phases", "examples,coverage,fuzzing,stateful"),
            *("--workers", "1", "--output-truncate", "true"),  # `ast` of 3.11 fails in two threads
        ],
        cwd=folder,
        env=os.environ
        | {"SCHEMATHESIS_HOOKS": "tests.contract.slow.drawn_bodies", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
