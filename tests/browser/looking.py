"""What is asked of every page: that all can use it, and that it fits; and what it looks like."""

from __future__ import annotations

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped] # has no types
from playwright.sync_api import Page

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WIDTHS = (360, 1440)
SERIOUS = {"serious", "critical"}


def assert_accessible(page: Page, *, without: str | None = None) -> None:
    """Fail on what axe-core finds serious; `without` selects what is not looked at."""
    found = Axe().run(page, {"exclude": [[without]]} if without else None).response["violations"]
    serious = [
        f"{each['id']}: {each['help']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]
    assert not serious, "\n".join(serious)


def picture(page: Page, name: str) -> None:
    """Keep what a page looks like, beyond its window too, for people to look at."""
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


def small_picture(page: Page, name: str) -> None:
    """Keep what the window shows, in few bytes."""
    page.screenshot(path=SCREENSHOTS / f"{name}.jpg", quality=80)


def assert_fits(page: Page) -> None:
    """Fail if a page is wider than its window."""
    widest = page.evaluate("document.documentElement.scrollWidth")
    assert widest <= page.evaluate("window.innerWidth")
