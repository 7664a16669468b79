"""Sessions on a bad line, and what the service refuses: the page says so, and goes on."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from splendor_api.wire import json_text
from tests.browser.calling import Session
from tests.browser.conftest import Open
from tests.browser.looking import picture
from tests.browser.playing import ready, turn, turns

PROBLEM = "application/problem+json"


def _joined(open_page: Open, session: Session, seat: int = 1) -> Page:
    """Return the window of somebody who has followed a link to a seat."""
    page = ready(open_page(session.link(seat)))
    expect(page.locator("#facts .chip.live")).to_be_visible()
    return page


def _refuse(page: Page, glob: str, status: int, detail: str, **headers: str) -> None:
    """Have the next request to an address refused."""
    problem = json_text.write({"status": status, "code": "x", "title": "No", "detail": detail})
    page.route(
        glob,
        lambda route: route.fulfill(
            status=status, body=problem, content_type=PROBLEM, headers=headers
        ),
        times=1,
    )


def _log(page: Page) -> list[str]:
    """Return the lines of the log, the oldest first."""
    return page.locator("#log li").all_inner_texts()[::-1]


def test_who_was_cut_off_is_told_all_that_was_missed(open_page: Open, address: str) -> None:
    session = Session.begun(address)
    page = ready(open_page(f"/play#session={session.id}"))
    expect(page.locator("#facts .chip.live")).to_be_visible()
    session.act(0)
    expect(page.locator("#log li")).to_have_count(2)
    page.context.set_offline(offline=True)
    expect(page.locator("#facts .chip.not_live")).to_be_visible()
    session.act(1)
    session.act(0)
    session.as_host("PATCH", "", {"spectators": True})
    page.context.set_offline(offline=False)
    expect(page.locator("#facts .chip.live")).to_be_visible()
    expect(page.locator("#log li")).to_have_count(7)
    told = _log(page)
    assert [line.partition(":")[0] for line in told[:-1]] == [
        f"Seat {n}" for n in (0, 0, 1, 1, 0, 0)
    ]
    assert told[-1] == "Others may look on."
    session.act(1)  # and it goes on, with nothing told twice
    expect(page.locator("#log li")).to_have_count(9)
    page.reload()  # the whole story is told again
    ready(page)
    assert _log(page)[:6] == told[:6]
    assert turns(page) == 4


def test_what_the_service_has_lost_is_said(open_page: Open, address: str) -> None:
    session = Session.begun(address)
    page = _joined(open_page, session)
    page.context.set_offline(offline=True)
    expect(page.locator("#facts .chip.not_live")).to_be_visible()
    session.act(0)
    _refuse(page, "**/actions?after=*", 412, "This version never was.")
    page.context.set_offline(offline=False)
    expect(page.locator("#log li").first).to_contain_text("The service has lost what happened last")
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    expect(page.locator("#facts .chip.live")).to_be_visible()
    turn(page)
    expect(page.locator("[data-place=seat-0].next")).to_be_visible()


def test_what_is_to_be_had_later_is_asked_for_again_once(open_page: Open, address: str) -> None:
    session = Session.begun(address)
    page = _joined(open_page, session, 0)
    keys: list[str] = []
    page.on(
        "request",
        lambda request: (
            keys.append(request.headers["idempotency-key"])
            if request.method == "POST" and request.url.endswith("/actions")
            else None
        ),
    )
    said: list[str] = []
    page.expose_function("said", lambda text: said.append(text))  # noqa: PLW0108 - it has to be a function of Python
    page.evaluate("""new MutationObserver(() => {
      const notice = document.getElementById("notice");
      if (!notice.hidden) window.said(notice.textContent);
    }).observe(document.getElementById("notice"), { childList: true, attributes: true })""")
    for status in (429, 503):
        _refuse(page, "**/actions", status, f"Too much: {status}.", **{"Retry-After": "1"})
    for color in ("white", "blue", "green"):
        page.click(f"[data-key=bank-{color}]")
    page.dblclick("#tray [data-key=deed-take]")
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert turns(page) == 1
    assert set(said) == {f"Too much: {status}. Asked again in 1 s." for status in (429, 503)}


def test_a_lost_answer_is_asked_for_under_its_key(open_page: Open, address: str) -> None:
    session = Session.begun(address)
    page = _joined(open_page, session, 0)
    keys: list[str] = []

    def lose(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()  # it is done, and the answer is lost
        route.abort("internetdisconnected")

    page.route("**/actions", lose, times=4)
    for color in ("white", "blue", "green"):
        page.click(f"[data-key=bank-{color}]")
    page.click("#tray [data-key=deed-take]")
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    expect(page.locator("#log li")).to_have_count(3)
    assert len(set(keys)) == 1
    assert turns(page) == 1


def test_a_state_that_is_not_the_newest_is_seen_again(open_page: Open, address: str) -> None:
    session = Session.begun(address, "set", seed="a seed that nobody here may guess")
    page = _joined(open_page, session, 1)
    _refuse(page, "**/actions", 409, "Seat 0 has called first.")
    page.click("[data-key=call-1]")
    expect(page.locator("#notice")).to_have_text("Seat 0 has called first.")
    page.click("[data-key=call-1]")
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()


def test_who_has_no_token_any_more_looks_on(open_page: Open, address: str) -> None:
    session = Session.begun(address)
    page = _joined(open_page, session)
    session.as_host("DELETE", "/seats/1/token")
    expect(page.locator("#facts")).to_contain_text("You are looking on")
    expect(page.locator("#notice")).to_contain_text(re.compile("token", re.IGNORECASE))
    expect(page.locator("#facts .chip.live")).to_be_visible()
    session.act(0)
    expect(page.locator("[data-place=seat-1].next")).to_be_visible()
    page.reload()
    expect(ready(page).locator("#facts")).to_contain_text("You are looking on")
    page.goto(session.link(1))  # another link, and all is as it was
    expect(page.locator("#tray")).to_be_visible()
    turn(page)
    expect(page.locator("[data-place=seat-0].next")).to_be_visible()
    session.as_host("DELETE", "")
    expect(page.locator("#facts .chip.gone")).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("deleted")
    picture(page, "splendor-gone")
    page.click("[data-key=new]")
    expect(page.locator("#lobby")).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()
