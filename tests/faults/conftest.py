"""What the tests of faults share: shims, and what is told at the end."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.clients import Client
from tests.faults.service import Service, serving

SHIMS = Path(__file__).parent / "shims"

Shim = Callable[[str], Path]


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    """Return what builds one of the libraries that are put before a program's own."""
    folder = tmp_path_factory.mktemp("shims")

    def built(name: str) -> Path:
        library = folder / f"{name}.so"
        if not library.exists():
            source = SHIMS / f"{name}.c"
            command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
            subprocess.run(command, check=True)
        return library

    return built


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Return a service for tests that do it no lasting harm."""
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="session")
def client(service: Service) -> Iterator[Client]:
    """Return a client of that service."""
    with Client(service.url) as asking:
        yield asking
