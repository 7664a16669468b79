"""The site: whole, under a strict policy, and made of nothing from anywhere else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import splendor_api
from splendor_api.games.registry import GAMES
from splendor_api.http import html, site
from splendor_api.i18n.languages import NAMES
from splendor_api.wire import json_text

FOLDER = Path(splendor_api.__file__).parent / "site"
PAGES = ("/", "/play")
HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
SCRIPTS = sorted((*FOLDER.glob("*.js"), *FOLDER.glob("games/*.js")))


class _Outline(HTMLParser):
    """What a page refers to, which words it names, and what stands in it that should not."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.refers: list[str] = []
        self.words: list[str] = []
        self.inline: list[str] = []
        self._open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._open = tag
        self.refers += [given[name] for name in ("href", "src") if name in given]
        self.words += [given[name] for name in ("data-word", "data-label") if name in given]
        self.inline += [name for name in given if name == "style" or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        if self._open in {"script", "style"} and data.strip():
            self.inline.append(data)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_nothing_but_files_of_this_service(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=HTML)
    assert answer.content_type == html.MEDIA_TYPE
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert _Outline(answer.text).inline == []


@pytest.mark.parametrize("path", PAGES)
def test_what_a_page_refers_to_is_there(client: FlaskClient, path: str) -> None:
    refers = {
        each.partition("#")[0] for each in _Outline(client.get(path, headers=HTML).text).refers
    }
    assert refers - {""}
    for each in refers - {""}:
        assert each.startswith("/")
        assert client.get(each, headers=HTML).status_code == 200, each


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_what_a_script_imports_is_there(client: FlaskClient, script: Path) -> None:
    place = f"/site/{script.relative_to(FOLDER).parent}/"
    for name in re.findall(r'from "(\.[^"]+)"', script.read_text("utf-8")):
        path = (Path(place) / name).as_posix()
        parts: list[str] = []
        for part in path.split("/"):
            parts = parts[:-1] if part == ".." else [*parts, part] if part != "." else parts
        answer = client.get("/".join(parts))
        assert answer.status_code == 200, name
        assert answer.content_type == "text/javascript; charset=utf-8"


def test_the_root_is_a_page_for_browsers_and_data_for_programs(client: FlaskClient) -> None:
    assert client.get("/").content_type == "application/json"
    assert client.get("/", headers=HTML).content_type == html.MEDIA_TYPE
    assert client.get("/", headers=HTML).headers["Vary"].startswith("Accept")


@pytest.mark.parametrize(
    "path", ["/", "/play", "/site/base.css", "/site/play.js", "/site/icon.svg", "/site/words/gd"]
)
def test_a_file_that_the_browser_has_is_not_sent_again(client: FlaskClient, path: str) -> None:
    first = client.get(path, headers=HTML if path in PAGES else {})
    assert first.headers["Cache-Control"] == "no-cache"
    known = {"If-None-Match": first.headers["ETag"], **(HTML if path in PAGES else {})}
    assert client.get(path, headers=known).status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/site/nothing.js",
        "/site/home.html",
        "/site/words.json",
        "/site/games/splendor.words.json",
        "/site/..%2Fapp.py",
        "/site/games",
        "/site/words/xx",
    ],
)
def test_nothing_else_is_given_out(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_page(client: FlaskClient, game: str) -> None:
    for file in (f"{game}.js", f"{game}.css"):
        assert client.get(f"/site/games/{file}").status_code == 200
    assert any(key.startswith(f"{game}.") for key in site.words())


@pytest.mark.parametrize("language", NAMES)
def test_the_words_of_a_language_are_those_of_english(client: FlaskClient, language: str) -> None:
    told = client.get(f"/site/words/{language}").get_json()
    assert told["language"] == language
    assert told["direction"] == ("rtl" if language == "sd" else "ltr")
    assert told["languages"] == NAMES
    assert told["words"].keys() == site.words().keys()


def test_the_page_at_the_root_names_every_language() -> None:
    page = (FOLDER / "home.html").read_text("utf-8")
    (listed,) = re.findall(r'<p class="links" lang="mul">(.*?)</p>', page)
    assert dict(re.findall(r'<span lang="(\w+)">([^<]+)</span>', listed)) == NAMES


def _said() -> set[str]:
    """Return the keys that pages and scripts name."""
    named = {word for path in FOLDER.glob("*.html") for word in _Outline(path.read_text()).words}
    for script in SCRIPTS:
        named |= set(
            re.findall(r'(?<![.\w])(?:say|isSaid)\("([a-z_.]+)"', script.read_text("utf-8"))
        )
    return named


def test_every_word_that_is_named_is_said() -> None:
    assert _said() - site.words().keys() == set()


def test_a_page_says_in_english_what_its_words_say() -> None:
    words = site.words()
    for path in FOLDER.glob("*.html"):
        found = re.findall(r'data-word="([^"]+)"[^>]*>([^<]*)<', path.read_text("utf-8"))
        assert found
        assert [(key, words[key]) for key, _ in found] == found


def test_the_first_answer_that_is_shown_is_the_one_that_is_given(client: FlaskClient) -> None:
    page = client.get("/", headers=HTML).text
    asked = re.search(r"curl -s http://[^/]+(/[^ ]+) .*? -d '([^']+)'</pre>", page, re.DOTALL)
    shown = re.search(r"</pre>\n<pre [^>]*>(.*?)</pre>", page, re.DOTALL)
    assert asked is not None
    assert shown is not None
    given: Any = json_text.read(client.post(asked[1], json=_values(asked[2])).data)
    state = _values(shown[1].replace(", …", ""))["state"]
    assert state.items() <= given["state"].items()


def _values(text: str) -> Any:
    return json_text.read(text.encode())


def test_what_all_games_share_names_none() -> None:
    shared = [path for path in SCRIPTS if path.parent == FOLDER]
    assert len(shared) > 10
    for path in shared:
        text = path.read_text("utf-8").lower()
        assert not re.search(r"splendor|\bgem|noble|\bcard|\bdeck|market|prestige", text), path.name
