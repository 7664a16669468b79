"""A real browser before a real service, and an eye on all that it does.

Every page is watched: it fails its test if it asks another host, logs an error, or breaks the
policy that it came with.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).parents[2]
PATIENCE = 20  # seconds; only what is broken takes as long
EXPECTED = re.compile(
    "Failed to load resource: "
    r"(the server responded with a status of (4\d\d|503)|net::ERR_INTERNET_DISCONNECTED)"
)
"""What Chromium logs of a refusal, of an answer that is to be had later, and of a cut line."""


@dataclass
class Watch:
    """What a page did that it should not have done."""

    address: str
    faults: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        """Watch a page from now on."""
        page.on("console", self._logged)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._asked)

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not EXPECTED.match(message.text):
            self.faults.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.address}/", "data:", "blob:")):
            self.faults.append(f"request to {request.url}")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the service as anybody would, with a store of its own; return its address."""
    folder = tmp_path_factory.mktemp("service")
    binaries = Path(sys.executable).parent
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "splendor_api", "serve"],
            cwd=ROOT,
            env={
                "PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
                "PYTHONPATH": str(ROOT),
                "PORT": "0",
                "DATA_DIR": str(folder / "data"),
                "WEB_CONCURRENCY": "1",
            },
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout is not None
    found = re.search(r"http://\S+:\d+", process.stdout.readline())
    assert found is not None, (folder / "log").read_text()
    yield found[0]
    process.terminate()
    process.wait(PATIENCE)
    process.stdout.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Run Chromium as the system has it."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    assert program is not None, "there is no Chromium; on Debian: apt-get install chromium"
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=arguments)
        yield started
        started.close()


Scheme = Literal["light", "dark"]


class Open(Protocol):
    """Opens a path in a window of its own: another person's browser."""

    def __call__(
        self,
        path: str = "/",
        *,
        width: int = 1440,
        height: int = 900,
        scheme: Scheme = "light",
        language: str = "en",
    ) -> Page:
        """Return the page, once it is loaded."""


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Return a function that opens pages, which are watched until the test ends."""
    watch = Watch(address)
    contexts: list[BrowserContext] = []

    def opened(
        path: str = "/",
        *,
        width: int = 1440,
        height: int = 900,
        scheme: Scheme = "light",
        language: str = "en",
    ) -> Page:
        context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale=language,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        page = context.new_page()
        watch.over(page)
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert watch.faults == []
