"""Plays on the page as a person does: by what can be pressed, and nothing else."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


def ready(page: Page) -> Page:
    """Wait until the scripts of a page have done what they do first; return the page."""
    page.wait_for_selector("html[data-ready]")
    return page


def begin(
    page: Page, game: str, kind: str, *, seed: str = "", options: dict[str, str] | None = None
) -> None:
    """Have a game dealt by the form."""
    page.check(f"#game-{game}")
    page.check(f"#kind-{kind}")
    page.wait_for_selector(f"#game-{game}:checked")
    page.fill("#seed", seed)
    if options:
        page.click("#options summary")
        for name, value in options.items():
            page.fill(f"#option-{name}", value)
    page.click("#deal")
    page.wait_for_selector("#table:not([hidden]) #board > *")


def turn(page: Page) -> str:
    """Do what a hasty person would: buy what can be bought, else take, else reserve.

    Return what was done. The page must be that of the seat to act.
    """
    tray = page.locator("#tray")
    if page.locator("#tray [data-key=deed-return]").count():
        return _give_back(page)
    if page.locator("#tray .tile").count():
        page.locator("#tray .tile").first.click()
        return "choose"
    affordable = page.locator("#board .card.can")
    if affordable.count():
        affordable.first.click()
        tray.locator("[data-key=deed-buy]").click()
        return "buy"
    piles = page.locator("#board button.pile:not([aria-disabled])")
    if piles.count():
        return _take(page)
    page.locator("#board .deck:not(.bare)").first.click()
    tray.locator("[data-key=deed-reserve]").click()
    return "reserve"


def _take(page: Page) -> str:
    take = page.locator("#tray [data-key=deed-take]:not([aria-disabled])")
    for _ in range(3):
        more = page.locator("#board button.pile[aria-pressed=false]:not([aria-disabled])")
        if not more.count():
            break
        more.first.click()
    take.click()
    return "take"


def _give_back(page: Page) -> str:
    give = page.locator("#tray [data-key=deed-return]:not([aria-disabled])")
    while not give.count():
        page.locator("#tray .tokens .pile:not([aria-disabled])").first.click()
    give.click()
    return "return"


def turns(page: Page) -> int:
    """Return how many turns the page shows to be over."""
    found = re.search(r"\d+", page.locator("#facts").inner_text())
    assert found is not None
    return int(found[0])


def ending(page: Page) -> Locator:
    """Return what the page says of the end, once it is there."""
    shown = page.locator("#ending")
    expect(shown).to_be_visible()
    return shown
