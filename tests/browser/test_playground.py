"""Whole games on the page: at one screen, sealed, and in sessions between windows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Open
from tests.browser.looking import WIDTHS, assert_accessible, assert_fits, picture, small_picture
from tests.browser.playing import begin, ending, ready, turn, turns

SHORT = {"target_prestige": "1"}
SEED = "a short game, number 137"  # by which whoever takes the first best needs eight turns


def _session(
    open_page: Open, game: str, options: dict[str, str] | None = None
) -> tuple[Page, Page]:
    """Return the windows of two players: one has begun a session, one has followed a link."""
    ann = ready(open_page("/play"))
    begin(ann, game, "session", seed=SEED, options=options)
    ann.click("[data-key=link-1]")
    link = ann.locator("#links li:nth-child(2) .link input").input_value()
    assert "claim=" in link.partition("#")[2]
    ben = ready(open_page(link))
    assert "claim" not in ben.url
    for page in (ann, ben):
        expect(page.locator("#facts .chip.live")).to_be_visible()
    return ann, ben


def _played(page: Page, others: list[Page], limit: int = 60) -> None:
    """Play by turns until the game is over in every window; the first page is seat 0's."""
    pages = [page, *others]
    for _ in range(limit):
        if page.locator("#ending").is_visible():
            break
        seat = next(
            index
            for index, _ in enumerate(pages)
            if page.locator(f"[data-place=seat-{index}].next").count()
        )
        acting = pages[seat]
        expect(acting.locator(f"[data-place=seat-{seat}].next")).to_be_visible()
        told = [each.locator("#log li").count() for each in pages]
        turn(acting)
        for each, before in zip(pages, told, strict=True):
            expect(each.locator("#log li").nth(before)).to_be_attached()
    for each in pages:
        expect(ending(each).locator("tbody tr")).to_have_count(2)


def test_two_play_a_session_to_its_end_in_two_windows(open_page: Open) -> None:
    ann, ben = _session(open_page, "splendor", SHORT)
    _played(ann, [ben])
    assert ann.locator("#ending h2").inner_text() == ben.locator("#ending h2").inner_text()
    expect(ann.locator("#facts")).to_contain_text("over")
    assert_accessible(ann)
    picture(ann, "splendor-session-over")


def test_whoever_comes_back_goes_on_and_whoever_only_knows_the_session_looks_on(
    open_page: Open,
) -> None:
    ann, ben = _session(open_page, "splendor")
    watching = ann.locator("#links .link input").last.input_value()
    eve = ready(open_page(watching))
    expect(eve.locator("#facts")).to_contain_text("You are looking on")
    assert not eve.locator("#tray").is_visible()
    turn(ann)
    for page in (ben, eve):
        expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    ben.reload()
    ready(ben)
    turn(ben)
    expect(ann.locator("[data-place=seat-0].next")).to_be_visible()
    assert turns(ann) == 2


def test_a_turn_is_taken_back_once_both_agree(open_page: Open) -> None:
    ann, ben = _session(open_page, "splendor")
    turn(ann)
    ann.click("[data-key=undo]")
    expect(ben.locator("#proposal")).to_contain_text(
        "Seat 0 would like to take the last turn back."
    )
    picture(ben, "splendor-take-back")
    ben.click("[data-key=undo-accept]")
    for page in (ann, ben):
        expect(page.locator("[data-place=seat-0].next")).to_be_visible()
        expect(page.locator("#proposal")).to_be_hidden()
        expect(page.locator("#log")).to_contain_text("The last turn was taken back.")
        assert turns(page) == 0


def test_a_sealed_game_shows_each_seat_its_own(open_page: Open) -> None:
    page = ready(open_page("/play"))
    begin(page, "splendor", "sealed", options=SHORT)
    page.click("[data-key=deck-1]")
    page.click("#tray [data-key=deed-reserve]")
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    reserved = page.locator("[data-place=seat-0] .kept .card")
    expect(reserved).to_have_attribute("aria-label", "A card of level 1, face down")
    turn(page)
    expect(page.locator("[data-place=seat-0].next")).to_be_visible()
    expect(reserved).to_have_attribute("aria-label", re.compile("Level 1, bonus"))
    page.click("[data-key=resign]")
    page.click("#dialog [value=yes]")
    expect(ending(page)).to_contain_text("Won: Seat 1")


def test_a_turn_at_one_screen_is_taken_back_at_once(open_page: Open) -> None:
    page = ready(open_page("/play"))
    begin(page, "splendor", "open")
    turn(page)
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    page.click("[data-key=undo]")
    expect(page.locator("[data-place=seat-0].next")).to_be_visible()


def test_the_computer_plays_a_seat_and_suggests_for_another(open_page: Open) -> None:
    page = ready(open_page("/play#game=splendor&against=greedy"))
    for turns_over in (2, 4):
        page.click("[data-key=hint]")
        expect(page.locator("#hinted")).to_contain_text("Suggested:")
        page.click("#tray .button.main:not([aria-disabled])")
        expect(page.locator("#facts")).to_contain_text(f"Turn {turns_over}")
    page.click("[data-key=undo]")
    expect(page.locator("#facts")).to_contain_text("Turn 2")
    expect(page.locator("[data-place=seat-0].next")).to_be_visible()


def test_the_computer_has_a_seat_of_a_session(open_page: Open) -> None:
    page = ready(open_page("/play"))
    page.check("#kind-session")
    page.click("#against")
    page.wait_for_selector("[data-place=seat-0].next")
    assert page.locator("[data-key=link-1]").count() == 0
    turn(page)
    expect(page.locator("#facts")).to_contain_text("Turn 2")
    expect(page.locator("[data-place=seat-0].next")).to_be_visible()


def test_what_cannot_be_done_says_why(open_page: Open) -> None:
    page = ready(open_page("/play"))
    begin(page, "splendor", "open", seed="first contact")
    page.locator("#board .row .card").first.click()
    buy = page.locator("#tray [data-key=deed-buy]")
    assert buy.get_attribute("aria-disabled") == "true"
    expect(page.locator("#why-buy")).to_contain_text("short")
    page.select_option("#language", "sq")
    page.wait_for_selector("html[lang=sq]")
    expect(page.locator("#why-buy")).to_have_count(0)  # the table has been asked for anew
    page.locator("#board .row .card").first.click()
    expect(page.locator("#why-buy")).to_contain_text("Mungojnë")


def test_one_call_in_a_race_is_first(open_page: Open) -> None:
    ann, ben = _session(open_page, "set")
    for page in (ann, ben):
        page.evaluate("document.querySelector('[data-key^=call-]').click()")
    for page in (ann, ben):
        expect(page.locator("#board .player.next")).to_have_count(1)
        expect(page.locator("#log")).to_contain_text("has called")
    first = ann if ann.locator("[data-place=seat-0].next").count() else ben
    late = ben if first is ann else ann
    assert late.locator("[data-key^=claim-]").count() == 0
    for place in range(3):
        first.locator("#board .cards .card").nth(place).click()
    first.click("[data-key^=claim-]")
    for page in (ann, ben):
        expect(page.locator("#board .player.next")).to_have_count(0)
        assert turns(page) == 1


def test_a_form_that_is_being_made_is_sent_once_it_is_whole(open_page: Open) -> None:
    page = ready(open_page("/play"))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/v1/games/set", hold, times=1)
    with page.expect_request("**/v1/games/set"):
        page.check("#game-set")
    page.click("#deal")  # of the form for the other game, which has other numbers of seats
    assert not page.locator("#table").is_visible()
    held[0].continue_()
    page.wait_for_selector("#table:not([hidden]) #board > *")
    expect(page.locator("#table-title")).to_have_text("SET")


def test_a_game_goes_on_after_the_page_was_loaded_again(open_page: Open) -> None:
    page = ready(open_page("/play", width=1280, height=800))
    begin(page, "splendor", "sealed", seed=SEED)
    for before in range(7):
        turn(page)
        expect(page.locator("#facts")).to_contain_text(f"Turn {before + 1}")
    page.locator("#board .card.can").first.click()
    small_picture(page, "playground")
    page.reload()
    ready(page)
    expect(page.locator("#facts")).to_contain_text("Turn 7")
    turn(page)
    expect(page.locator("#facts")).to_contain_text("Turn 8")
    page.click("[data-key=new]")
    page.reload()
    expect(ready(page).locator("#lobby")).to_be_visible()


def test_secrets_are_masked_unless_they_are_asked_for(open_page: Open) -> None:
    page = ready(open_page("/play"))
    begin(page, "splendor", "session")
    pass_ = page.evaluate("JSON.parse(Object.values(localStorage).find((v) => v.includes('host')))")
    secrets = [pass_["host"], *pass_["seats"].values()]
    page.evaluate("document.querySelectorAll('#exchanges details').forEach((e) => e.open = true)")
    for name in ("python", "typescript", "curl"):
        page.click(f"label[for=as-{name}]")
        shown = page.locator("#requests").inner_text()
        assert not [secret for secret in secrets if secret in shown]
    page.uncheck("#mask")
    assert secrets[0] in page.locator("#requests").inner_text()
    assert not [secret for secret in secrets if secret in page.url]


@pytest.mark.parametrize(("game", "language"), [("splendor", "sd"), ("set", "en")])
def test_a_table_is_for_everybody(open_page: Open, game: str, language: str) -> None:
    page = ready(open_page(f"/play#game={game}", language=language, scheme="dark"))
    begin(page, game, "open", seed="first contact")
    page.locator("#board button").nth(1).click()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits(page)
        picture(page, f"{game}-{width}-{language}")
    assert_accessible(page)
