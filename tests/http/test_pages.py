"""Pages for people: escaped, without scripts, under a policy that allows their styles alone."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.http import html, pages

HTML = {"Accept": "text/html"}


class _Outline(HTMLParser):
    """The tags of a page, its ids, links and headings, and whether tags are balanced."""

    VOID = frozenset({"img", "link", "meta", "wbr"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _page(client: FlaskClient, path: str) -> tuple[TestResponse, _Outline]:
    response = client.get(path, headers=HTML)
    assert response.status_code == 200
    assert response.content_type == "text/html; charset=utf-8"
    return response, _Outline(response.text)


def _paths(client: FlaskClient) -> list[str]:
    paths = ["/problems"]
    paths += [f"/problems/{each['code']}" for each in _data(client, "/problems")["problems"]]
    for game in _data(client, "/v1/games")["games"]:
        whole = _data(client, game["links"]["self"])
        paths.append(f"/rules/{game['name']}")
        paths += [
            f"/problems/violations/{game['name']}/{each['code']}"
            for each in (*whole["violations"], *whole["findings"])
        ]
    return paths


def _data(client: FlaskClient, path: str) -> dict[str, list[dict[str, Any]]]:
    data: dict[str, list[dict[str, Any]]] = client.get(path).get_json()
    return data


def test_every_page_is_sound_and_its_links_lead_somewhere(client: FlaskClient) -> None:
    asked: set[str] = set()
    for path in _paths(client):
        response, outline = _page(client, path)
        assert outline.tags >= {"html", "head", "title", "main", "h1", "nav"}
        assert not outline.tags & {"script", "style", "iframe", "form"}
        assert not {name for name in outline.attributes if name.startswith("on")}
        assert "style" not in outline.attributes
        assert response.text.startswith("<!doctype html>")
        assert '<html lang="en">' in response.text
        assert len(set(outline.ids)) == len(outline.ids)
        asked |= {link.partition("#")[0] for link in outline.links} - {""}
    for link in asked:
        assert client.get(link).status_code == 200, link


def test_the_policy_allows_styles_and_signs_of_the_service_and_no_other(nim: FlaskClient) -> None:
    response, _ = _page(nim, "/problems")
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self'; ")
    assert "unsafe" not in policy
    assert "style-src" not in nim.get("/problems").headers["Content-Security-Policy"]


def test_every_rule_has_its_anchor(client: FlaskClient) -> None:
    for game in _data(client, "/v1/games")["games"]:
        rules = client.get(f"/v1/games/{game['name']}/rules").get_json()["rules"]
        _, outline = _page(client, f"/rules/{game['name']}")
        assert rules
        assert outline.ids == [rule["number"] for rule in rules]
        assert [rule["url"] for rule in rules] == [
            f"/rules/{game['name']}#{number}" for number in outline.ids
        ]


def test_a_browser_gets_a_page_and_a_program_gets_data(nim: FlaskClient) -> None:
    assert nim.get("/rules/nim").content_type == html.MEDIA_TYPE
    assert nim.get("/problems").content_type == "application/json"
    as_data = nim.get("/rules/nim", headers={"Accept": "application/json"})
    assert as_data.get_json() == nim.get("/v1/games/nim/rules").get_json()


@pytest.mark.parametrize("markup", ["<script>alert(1)</script>", '"><img src=x>', "`<b>`", "&lt;"])
def test_text_is_shown_and_never_obeyed(markup: str) -> None:
    rule = {"number": markup, "section": markup, "text": markup, "origin": markup}
    page = pages.rules_page({"game": markup, "rules": [rule]})
    page += pages.problem_page(
        {"code": markup, "status": 400, "title": markup, "means": markup, "what_to_do": markup}
    )
    assert "<script" not in page
    assert "<img src=x" not in page
    assert "<b>" not in page
    assert "&amp;lt;" in page or markup != "&lt;"


def test_what_stands_in_backquotes_is_set_as_code() -> None:
    assert html.prose("`a < b` or c") == "<code>a &lt; b</code> or c"
