"""The tutorial in a browser: its page, put together as it says, is played on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from splendor_api.wire import json_text
from tests.browser.conftest import PATIENCE, Watch
from tests.browser.elsewhere import serving
from tests.browser.looking import assert_accessible, assert_fits, picture
from tests.docs.pages import blocks

SHOWN_URL = "http://127.0.0.1:8000"
FILES = ("index.html", "board.js", "live.html", "live.js")
MOST_CLICKS = 600


PLAY = """async (most) => {
  const shown = (id) => document.getElementById(id);
  const rest = () => new Promise((done) => setTimeout(done, 5));
  for (let count = 0; count < most; count += 1) {
    const legal = [...shown("choices").querySelectorAll("button:enabled")];
    if (!legal.length) return;
    const purchase = legal.findLast((each) => each.textContent.startsWith("buy"));
    (purchase ?? legal[(7 * count) % legal.length]).click();
    while (shown("choices").contains(legal[0])) await rest(); // it is drawn anew
  }
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, address: str) -> Iterator[str]:
    """Serve the files of the tutorial, at another origin than the service's."""
    folder = tmp_path_factory.mktemp("tutorial")
    for name, code in zip(FILES, _files(), strict=True):
        (folder / name).write_text(code.replace(SHOWN_URL, address), "utf-8")
    with serving(folder) as origin:
        yield origin


def _files() -> Iterator[str]:
    """Yield the code of each file: a page of HTML, then the script that the page names."""
    shown = [each for each in blocks("docs/frontends.md") if each.language in ("html", "js")]
    places = [place for place, each in enumerate(shown) if each.language == "html"]
    for place, end in zip(places, [*places[1:], len(shown)], strict=True):
        yield shown[place].code
        yield "\n".join(each.code for each in shown[place + 1 : end])


@pytest.fixture
def page(browser: Browser, address: str, site: str) -> Iterator[Page]:
    """Return a page that is watched: it asks the service and where it is from, and nobody else."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en")
    context.set_default_timeout(PATIENCE * 1000)
    watch = Watch(address)
    opened = context.new_page()
    watch.over(opened)
    yield opened
    context.close()
    assert [fault for fault in watch.faults if not fault.startswith(f"request to {site}/")] == []


def test_a_game_is_played_on_the_board_of_the_tutorial(page: Page, site: str) -> None:
    page.goto(f"{site}/index.html")
    expect(page.locator("#turn")).to_have_text("Seat 0: main")
    assert page.locator("#market button").count() == 12
    size = page.locator("#market use").first.bounding_box()
    assert size is not None
    assert size["width"] > 50  # the card is really drawn
    assert_accessible(page)
    page.locator("#market button").first.click()
    expect(page.locator("#log li").first).to_contain_text("Missing ")
    assert page.locator("#choices button:disabled").first.get_attribute("title")
    page.get_by_role("button", name="take_different colors white blue green").click()
    expect(page.locator("#turn")).to_have_text("Seat 1: main")
    picture(page, "tutorial-1440")
    _played(page)
    expect(page.locator("#turn")).to_contain_text("Won by seat")
    page.set_viewport_size({"width": 360, "height": 900})
    assert_fits(page)


def _played(page: Page) -> None:
    """Buy what can be bought, else click what can be clicked, until nothing can."""
    page.evaluate(PLAY, MOST_CLICKS)


def _post(url: str, body: object, **headers: str) -> dict[str, Any]:
    """Return the answer to a request; header names have `_` for `-`."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(url, json_text.write(body), {"Content-Type": "application/json", **fields})
    with urlopen(request) as answer:
        told = json_text.read(answer.read())
    assert isinstance(told, dict)
    return told


def _version(session: str) -> str:
    with urlopen(session) as answer:
        seen = json_text.read(answer.read())
    assert isinstance(seen, dict)
    return str(seen["version"])


def test_a_browser_hears_of_what_another_does(page: Page, site: str, address: str) -> None:
    made = _post(f"{address}/v1/sessions", {"game": "splendor", "seats": 2})
    session = f"{address}/v1/sessions/{made['id']}"
    host = {"Authorization": f"Bearer {made['host_token']}"}
    link = _post(f"{session}/seats/1/join-link", {}, **host)
    page.goto(f"{site}/live.html#{made['id']}&{link['claim']}")
    expect(page.locator("#table")).to_have_attribute("src", re.compile("^blob:"))
    page.reload()  # the claim is spent, the token is kept
    expect(page.locator("#table")).to_have_attribute("src", re.compile("^blob:"))
    action = {"action": {"type": "take_different", "colors": ["white", "blue", "green"]}}
    seat = {"Authorization": f"Bearer {made['seat_tokens'][0]}"}
    _post(f"{session}/actions", action, **seat, If_Match=_version(session))
    expect(page.locator("#news")).to_have_text("Seat 0: tokens_taken, turn_ended")
    page.wait_for_function("document.getElementById('table').naturalWidth > 0")
