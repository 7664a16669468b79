"""SET by keys: several people at one screen, each with a key of their own."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.looking import assert_accessible
from tests.browser.playing import begin, ready, turns

SET = "Q", "I", "A"
"""Three of the cards that the seed lays out, which belong together; and three that do not."""
NO_SET = "Q", "W", "E"


def _table(open_page: Open) -> Page:
    page = ready(open_page("/play"))
    begin(page, "set", "open", seed="set")
    return page


def _picked(page: Page) -> int:
    return page.locator("#board .card[aria-pressed=true]").count()


def test_a_seat_calls_and_claims_by_its_number(open_page: Open) -> None:
    page = _table(open_page)
    page.keyboard.press("1")
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    page.keyboard.press("0")  # comes too late
    for letter in NO_SET:
        page.keyboard.press(letter)
    assert _picked(page) == 3
    page.keyboard.press("Escape")
    assert _picked(page) == 0
    for letter in SET:
        page.keyboard.press(letter)
    page.keyboard.press("1")
    expect(page.locator("[data-place=seat-1] .score")).to_contain_text("1")
    expect(page.locator("[data-place=seat-0] .score")).to_contain_text("0")
    assert turns(page) == 1
    assert_accessible(page)


def test_enter_claims_for_the_one_who_has_called(open_page: Open) -> None:
    page = _table(open_page)
    for letter in SET:
        page.keyboard.press(letter)
    page.keyboard.press("Enter")  # any of two might mean it
    assert turns(page) == 0
    page.keyboard.press("0")  # three are picked: that is a claim without a call
    expect(page.locator("[data-place=seat-0] .score")).to_contain_text("1")
    page.keyboard.press("1")
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    for letter in NO_SET:
        page.keyboard.press(letter)
    page.keyboard.press("Enter")
    expect(page.locator("[data-place=seat-1].next")).to_have_count(0)
    assert turns(page) == 2


def test_keys_can_be_switched_off_and_are_not_heeded_while_typing(open_page: Open) -> None:
    page = _table(open_page)
    assert page.locator("#board kbd").count() == 12
    page.locator("[data-key=by-keys]").uncheck()
    assert page.locator("#board kbd").count() == 0
    page.keyboard.press("1")
    page.keyboard.press("Q")
    assert _picked(page) == 0
    page.locator("[data-key=by-keys]").check()
    page.locator("#language").focus()
    page.keyboard.press("Q")
    assert _picked(page) == 0
    assert turns(page) == 0
    page.locator("#table-title").click()
    page.keyboard.press("Q")
    assert _picked(page) == 1


def test_a_call_in_a_session_has_so_much_time_and_no_more(open_page: Open) -> None:
    page = ready(open_page("/play"))
    assert not page.locator("#seconds").is_visible()
    page.check("#game-set")
    page.wait_for_selector("#game-set:checked")
    page.check("#kind-session")
    page.fill("#seconds", "3")
    page.click("#deal")
    page.wait_for_selector("#table:not([hidden]) #board > *")
    expect(page.locator("#facts .chip.live")).to_be_visible()
    assert page.locator(".clock").count() == 0
    page.keyboard.press("0")
    expect(page.locator("[data-place=seat-0] [role=timer]")).to_have_text(re.compile("^0:0[0-3]$"))
    expect(page.locator(".clock")).to_have_count(0)  # the call is forfeited
    expect(page.locator("[data-place=seat-0] .score")).to_contain_text("-1")
