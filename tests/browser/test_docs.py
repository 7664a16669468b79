"""The reference page in a browser: it needs nobody else, and what is tried there happens.

That no other host is asked, nothing logged and no policy broken, the watch over each page sees to.
"""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from splendor_api.http.table import OPERATIONS
from tests.browser.conftest import Open
from tests.browser.looking import WIDTHS, assert_accessible, assert_fits, picture

VIEWER = "#reference"


def _tried(page: Page, operation: str) -> Locator:
    """Open an operation, execute it as it stands there, and return what came back."""
    block = page.locator(f"#operations-{operation}")
    block.locator(".opblock-summary-control").click()
    block.locator(".execute").click()
    answer = block.locator(".live-responses-table")
    answer.wait_for()
    return answer


def test_requests_are_tried_on_the_reference(open_page: Open) -> None:
    page = open_page("/docs")
    page.wait_for_selector(".opblock")
    assert page.locator(".opblock").count() == len(OPERATIONS)
    dealt = _tried(page, "rules-deal")
    expect(dealt.locator(".response-col_status").nth(1)).to_contain_text("200")
    expect(dealt.locator(".highlight-code").first).to_contain_text('"phase": "main"')
    checked = _tried(page, "rules-check")
    expect(checked.locator(".highlight-code").first).to_contain_text("too_few_colors")


def test_the_reference_is_for_everybody(open_page: Open) -> None:
    page = open_page("/docs", scheme="dark")
    page.wait_for_selector(".opblock")
    assert "dark-mode" in (page.get_attribute("html", "class") or "")
    assert_accessible(page, without=VIEWER)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits(page)
        picture(page, f"docs-{width}-dark")
