"""Gold in place of a colour: whoever buys chooses, among all that the service lists."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from splendor_api.i18n.languages import NAMES
from splendor_api.wire import json_text
from tests.browser.calling import post
from tests.browser.conftest import Open
from tests.browser.looking import assert_accessible, assert_fits, picture
from tests.browser.playing import ready

SETUP = {"game": "splendor", "seats": 2, "ruleset": "publisher", "options": {}}


@pytest.fixture(scope="module")
def rich(address: str) -> tuple[dict[str, Any], int]:
    """Return a state in which seat 0 has a choice how to pay, and for which card."""
    call = f"{address}/v1/games/splendor"
    state = post(f"{call}/deal", {"seats": 2, "ruleset": "publisher", "seed": "gold"})["state"]
    for _ in range(40):
        listed = post(f"{call}/legal-actions", {"state": state, "detail": "turns"})["actions"]
        bought = [each["action"]["card"] for each in listed if each["action"]["type"] == "buy"]
        if state["to_act"] == 0 and any(bought.count(card) > 2 for card in bought):
            return state, next(card for card in bought if bought.count(card) > 2)
        kind = "reserve" if state["turn"] < 4 else "take_different"
        wanted = [each["action"] for each in listed if each["action"]["type"] == kind]
        state = post(f"{call}/apply", {"state": state, "action": wanted[0]})["state"]
    raise AssertionError("nobody came to have a choice")


def _table(open_page: Open, state: dict[str, Any]) -> Page:
    """Return a page at whose table the game has come to a state."""
    page = ready(open_page("/play"))
    kept = json_text.write({"kind": "open", "setup": SETUP, "state": state, "past": []}).decode()
    page.evaluate("(kept) => sessionStorage.setItem('table', kept)", kept)
    page.goto("/play#again")
    page.reload()
    return ready(page)


def _shown(page: Page) -> dict[str, int]:
    """Return what the page would have paid."""
    piles = page.locator("#tray .paying .pile")
    return {
        (pile.get_attribute("data-key") or "").removeprefix("pay-"): int(
            pile.locator(".count").inner_text()
        )
        for pile in piles.all()
    }


def test_whoever_buys_chooses_what_is_paid(
    open_page: Open, rich: tuple[dict[str, Any], int]
) -> None:
    """S49: gold may stand for a colour that the player has."""
    state, card = rich
    page = _table(open_page, state)
    page.focus(f"[data-key=card-{card}]")
    page.keyboard.press("Enter")
    expect(page.locator("#tray .paying")).to_be_visible()
    usual = _shown(page)
    swap = page.locator("#tray .paying .pile:not([aria-disabled]):not([data-key=pay-gold])").first
    color = (swap.get_attribute("data-key") or "").removeprefix("pay-")
    swap.focus()
    page.keyboard.press("Enter")  # the focus stays where it is
    expect(page.locator(f"[data-key=pay-{color}]")).to_be_focused()
    paid = _shown(page)
    assert paid == usual | {color: usual[color] - 1, "gold": usual["gold"] + 1}
    page.click("[data-key=pay-gold]")
    assert _shown(page) == usual
    page.click(f"[data-key=pay-{color}]")
    assert_accessible(page)
    picture(page, "splendor-payment")
    for tag in NAMES.keys() - {"en"}:
        page.select_option("#language", tag)
        page.wait_for_selector(f"html[lang={tag}]")
        expect(page.locator("#tray .paying")).to_have_count(0)  # the table has been asked for anew
        page.click(f"[data-key=card-{card}]")
        expect(page.locator("#tray .paying")).to_be_visible()
        assert "Pay" not in page.locator("#tray .paying").inner_text()
    page.set_viewport_size({"width": 360, "height": 740})
    assert_fits(page)
    page.click(f"[data-key=pay-{color}]")
    with page.expect_request("**/apply") as sent:
        page.click("#tray [data-key=deed-buy]")
    body = json_text.read(sent.value.post_data_buffer or b"")
    assert isinstance(body, dict)
    assert {color: count for color, count in body["action"]["payment"].items() if count} == {
        color: count for color, count in paid.items() if count
    }
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
