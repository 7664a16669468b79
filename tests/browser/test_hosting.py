"""What only the host of a session decides, each after a question."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.looking import assert_accessible, assert_fits, picture
from tests.browser.playing import begin, ready, turn


def _sure(page: Page, key: str) -> None:
    page.click(f"[data-key={key}]")
    page.click("#dialog [value=yes]")


def test_a_host_decides_who_plays_and_who_looks_on(open_page: Open) -> None:
    ann = ready(open_page("/play"))
    begin(ann, "splendor", "session")
    ann.click("[data-key=link-1]")
    link = ann.locator("#links li:nth-child(2) .link input").input_value()
    ben = ready(open_page(link))
    expect(ann.locator("#log")).to_contain_text("Seat 1 has been taken by somebody.")
    expect(ann.locator("#links li:nth-child(2) .link")).to_have_count(0)  # it is spent
    assert not ben.locator("#hosting").is_visible()
    ann.click("#hosting summary")
    assert_accessible(ann)
    picture(ann, "splendor-hosting")

    ann.click("[data-key=shut_out-1]")
    assert ann.evaluate("document.activeElement.value") == "no"
    ann.keyboard.press("Escape")
    expect(ben.locator("#facts .chip.live")).to_be_visible()
    _sure(ann, "shut_out-1")
    expect(ben.locator("#facts")).to_contain_text("You are looking on")
    expect(ann.locator("#links li:nth-child(2)")).to_contain_text("free")

    ann.click("[data-key=spectators]")
    expect(ann.locator("#links")).to_contain_text("kept out")
    expect(ben.locator("#facts .chip.gone")).to_be_visible()
    expect(ann.locator("[data-key=spectators]")).not_to_be_checked()

    ann.click("[data-key=link-1]")
    ben.goto(ann.locator("#links li:nth-child(2) .link input").input_value())
    expect(ben.locator("#facts .chip.live")).to_be_visible()

    old = ann.evaluate("Object.values(localStorage).find((v) => v.includes('host'))")
    _sure(ann, "renew-0")
    expect(ann.locator("#log")).to_contain_text("Seat 0 has a new key.")
    assert ann.evaluate("Object.values(localStorage).find((v) => v.includes('host'))") != old
    expect(ann.locator("#facts .chip.live")).to_be_visible()
    turn(ann)
    expect(ben.locator("[data-place=seat-1].next")).to_be_visible()

    _sure(ann, "end-1")
    for page in (ann, ben):
        expect(page.locator("#ending")).to_contain_text("Won: Seat 0")
    ann.set_viewport_size({"width": 360, "height": 740})
    assert_fits(ann)
    _sure(ann, "remove-all")
    expect(ann.locator("#lobby")).to_be_visible()
    expect(ann.locator("#notice")).to_have_text("The session is deleted.")
