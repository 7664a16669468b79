"""What the tests of faults share: shims, and the figures that are told at the end."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.clients import Client
from tests.faults.history import Verdict
from tests.faults.service import Service, serving

SHIMS = Path(__file__).parent / "shims"
FIGURES = pytest.StashKey[list[str]]()

Tell = Callable[[str, Verdict], None]
Shim = Callable[[str], Path]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = []


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print what was done and found."""
    if config.stash[FIGURES]:
        terminalreporter.section("figures")
        for line in config.stash[FIGURES]:
            terminalreporter.write_line(line)


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Return what takes a line to be printed at the end."""
    return request.config.stash[FIGURES].append


@pytest.fixture
def tell(figure: Callable[[str], None]) -> Tell:
    """Return what takes a fault, with how often it was made, and what the checker found."""

    def told(fault: str, verdict: Verdict) -> None:
        figure(
            f"{fault}: {verdict.acknowledged:,} actions acknowledged, "
            f"{verdict.lost} lost, {verdict.twice} applied twice"
        )

    return told


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


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Return a service for the tests of a file that do it no lasting harm."""
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[Client]:
    """Return a client of that service."""
    with Client(service.url) as asking:
        yield asking
