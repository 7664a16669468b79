"""A page of another origin in a browser: the example front-end, and what a script may read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from splendor_api.app import create_app
from splendor_api.settings import Settings
from tests.browser.conftest import PATIENCE, Watch
from tests.browser.elsewhere import serving
from tests.browser.looking import assert_accessible, assert_fits, picture
from tests.contract.serving import served

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Serve the examples at another origin than the service's; return that."""
    with serving(EXAMPLES) as origin:
        yield origin


@pytest.fixture
def page(browser: Browser, elsewhere: str, address: str) -> Iterator[Page]:
    """Return the example at its own origin."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en")
    context.set_default_timeout(PATIENCE * 1000)
    opened = context.new_page()
    opened.goto(f"{elsewhere}/browser.html?api={address}")
    yield opened
    context.close()


def test_a_game_is_played_on_a_page_of_one_file(page: Page, address: str) -> None:
    watch = Watch(address)
    watch.over(page)
    page.get_by_role("button", name="Deal").click()
    page.get_by_role("button", name="take_different colors white blue green").click()
    expect(page.locator("#said")).to_have_text("tokens_taken, turn_ended")
    expect(page.locator("#table")).to_have_attribute("alt", re.compile("Turn 1: seat 1 is to act"))
    assert page.evaluate("document.getElementById('table').naturalWidth") > 0
    disabled = page.locator("#choices button:disabled").first
    assert disabled.get_attribute("title")
    page.get_by_label("An action as a line").fill("+ww")
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#said")).to_contain_text("White is named more than once.")
    assert_accessible(page)
    picture(page, "example-1440")
    page.get_by_label("An action as a line").fill("1:X")
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#said")).to_have_text("Won by seat 0")
    page.set_viewport_size({"width": 360, "height": 900})
    assert_fits(page)
    assert watch.faults == []


FETCH = """async ([url, method, headers, body]) => {
  try {
    const answer = await fetch(url, { method, headers, body });
    return [answer.status, Object.fromEntries(answer.headers)];
  } catch (error) {
    return [0, {}];
  }
}"""

JSON = {"Content-Type": "application/json"}


def _fetch(
    page: Page, url: str, method: str = "GET", headers: dict[str, str] | None = None, body: str = ""
) -> tuple[int, dict[str, str]]:
    status, told = page.evaluate(FETCH, [url, method, headers or {}, body or None])
    return status, told


def test_t14_a_script_of_another_origin_reads_what_it_needs(page: Page, address: str) -> None:
    status, told = _fetch(page, f"{address}/v1/games/splendor/components")
    assert status == 200
    tag = {"If-None-Match": told["etag"]}
    assert _fetch(page, f"{address}/v1/games/splendor/components", headers=tag)[0] in {200, 304}
    key = {**JSON, "Idempotency-Key": "a-key-that-nobody-guesses"}
    body = '{"game": "splendor", "seats": 2}'
    status, made = _fetch(page, f"{address}/v1/sessions", "POST", key, body)
    assert status == 201
    assert {"etag", "location", "x-request-id"} <= made.keys()
    status, again = _fetch(page, f"{address}/v1/sessions", "POST", key, body)
    assert again["idempotency-replayed"] == "true"
    session = f"{address}{made['location']}"
    deed = {**JSON, "Authorization": "Bearer x", "If-Match": '"1.x"'}
    assert _fetch(page, f"{session}/actions", "POST", deed, "{}")[0] in {400, 401, 403, 404}
    assert _fetch(page, session, headers={"X-Other": "not taken"})[0] == 0


def test_t14_a_page_of_an_origin_that_is_not_listed_reads_nothing(
    page: Page, elsewhere: str
) -> None:
    for origins, expected in (((elsewhere,), 200), (("https://app.example",), 0)):
        with served(create_app(Settings(cors_origins=origins))) as closed:
            plain = f"{closed}/v1/games"
            deal = f"{closed}/v1/games/splendor/deal"
            assert _fetch(page, plain)[0] == expected
            assert _fetch(page, deal, "POST", JSON, '{"seats": 2}')[0] == expected
