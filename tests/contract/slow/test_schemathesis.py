"""Schemathesis, which makes requests of its own from the document, finds nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from splendor_api.contract import document

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PATIENCE = 600  # seconds, after which it counts as stuck


class Quiet(WSGIRequestHandler):
    """Keeps connections open, and writes no line for each of thousands of requests."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Write nothing."""


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Serve the application on a free port of this machine; return its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_schemathesis_finds_nothing(address: str, tmp_path: Path) -> None:
    config = HERE / "schemathesis.toml"
    run = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            *("--config-file", config, "run", document.PATH, "--url", address),
            *("--checks", "all", "--phases", "examples,coverage,fuzzing,stateful"),
            *("--workers", "2", "--output-truncate", "true"),
        ],
        cwd=tmp_path,
        env=os.environ
        | {"SCHEMATHESIS_HOOKS": "tests.contract.slow.drawn_bodies", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-5_000:]
    generated = re.search(r"(\d+) generated", run.stdout)
    assert generated is not None
    assert int(generated[1]) > 1_000
    assert "Tested: 21" in run.stdout
