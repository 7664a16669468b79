"""The reference page: all that it loads comes from here, under a policy that allows no more."""

from __future__ import annotations

from html.parser import HTMLParser
from importlib.resources import files

import pytest
from flask.testing import FlaskClient

from splendor_api.http import docs
from tests.contract.validation import contract
from tests.http.conftest import problem_of


class _Page(HTMLParser):
    """What a page loads, where its links lead, and what would be refused by its policy."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.inline: list[str] = []
        self._open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._open = tag
        self.inline += [name for name in given if name.startswith("on") or name == "style"]
        if tag in {"script", "img"}:
            self.loads.append(given["src"] or "")
        elif tag == "link":
            self.loads.append(given["href"] or "")
        elif tag == "a":
            self.links.append(given["href"] or "")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in {"script", "style"} and data.strip():
            self.inline.append(data)


@pytest.fixture(scope="module")
def page(client: FlaskClient) -> _Page:
    """Return the page."""
    return _Page(client.get("/docs").text)


def test_t27_the_page_allows_nothing_inline_and_nobody_else(
    client: FlaskClient, page: _Page
) -> None:
    policy = client.get("/docs").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert page.inline == []


def test_the_page_loads_every_file_and_no_other(client: FlaskClient, page: _Page) -> None:
    loaded = {path.removeprefix("/docs/") for path in page.loads if path.startswith("/docs/")}
    assert loaded | {"LICENSE"} == set(docs.FILES)
    assert "/docs/LICENSE" in page.links
    (name,) = contract().data["paths"]["/docs/{file}"]["parameters"]
    assert name["schema"]["enum"] == list(docs.FILES)
    for path in {*page.loads, *page.links}:
        if not path.startswith("#"):
            assert client.get(path).status_code == 200, path


@pytest.mark.parametrize("name", docs.FILES)
def test_a_file_is_what_its_name_says(client: FlaskClient, name: str) -> None:
    response = client.get(f"/docs/{name}", headers={"Accept": "image/avif"})
    assert response.status_code == 200
    assert response.content_type == docs.FILES[name][1]
    assert response.headers.get("Vary", "Accept-Encoding") == "Accept-Encoding"
    again = client.get(f"/docs/{name}", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304
    assert again.data == b""


def test_the_viewer_and_its_licence_are_as_they_were_built(client: FlaskClient) -> None:
    built = files("flask_swagger_ui") / "dist"
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "LICENSE"):
        assert client.get(f"/docs/{name}").data == (built / name).read_bytes()
    assert "Apache License" in client.get("/docs/LICENSE").text


@pytest.mark.parametrize(
    "name", ["index.html", "docs.py", "swagger-ui.js", "VERSION", "..", "%2e%2e%2fLICENSE"]
)
def test_a_file_of_another_name_is_not_there(client: FlaskClient, name: str) -> None:
    if name in {"..", "%2e%2e%2fLICENSE"}:  # the document knows no such names
        assert client.application.test_client().get(f"/docs/{name}").status_code == 404
    else:
        problem_of(client.get(f"/docs/{name}"), 404, "not_found")
