"""The root and the playground in a browser: all of it to be used by everybody, at each width."""

from __future__ import annotations

import pytest

from splendor_api.i18n.languages import NAMES
from tests.browser.conftest import Open, Scheme
from tests.browser.looking import WIDTHS, assert_accessible, assert_fits, picture
from tests.browser.playing import ready

SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("path", "name"), [("/", "home"), ("/play", "lobby")])
def test_a_page_is_for_everybody(open_page: Open, path: str, name: str, scheme: Scheme) -> None:
    page = ready(open_page(path, scheme=scheme))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits(page)
        picture(page, f"{name}-{width}-{scheme}")
    assert_accessible(page)


@pytest.mark.parametrize("path", ["/problems", "/rules/splendor", "/rules/set"])
def test_a_page_to_look_things_up_fits(open_page: Open, path: str) -> None:
    page = open_page(path)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits(page)


def test_a_language_is_chosen_and_kept(open_page: Open) -> None:
    page = ready(open_page("/play"))
    for tag in NAMES:
        page.select_option("#language", tag)
        page.wait_for_selector(f"html[lang={tag}][dir={'rtl' if tag == 'sd' else 'ltr'}]")
        assert_fits(page)
    page.select_option("#language", "sd")
    page.wait_for_selector("html[dir=rtl]")
    page.goto("/")
    page.wait_for_selector("html[lang=sd][dir=rtl][data-ready]")
    assert_accessible(page)
    picture(page, "home-1440-sindhi")


def test_the_language_is_that_of_the_browser(open_page: Open) -> None:
    page = ready(open_page("/", language="sq-AL"))
    assert page.get_attribute("html", "lang") == "sq"


def test_a_scheme_is_chosen_and_kept(open_page: Open) -> None:
    page = ready(open_page("/", scheme="light"))
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.select_option("#scheme", "dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    ready(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_a_page_can_be_used_by_keys_alone(open_page: Open) -> None:
    page = ready(open_page("/play"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.focus("#deal")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-key=bank-red]")
    for color in ("white", "blue", "red"):
        page.focus(f"[data-key=bank-{color}]")
        page.keyboard.press("Space")
        assert page.evaluate("document.activeElement.dataset.key") == f"bank-{color}"
    page.focus("[data-key=deed-take]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#log li")
    assert "The seat took tokens from the bank." in page.inner_text("#log")
