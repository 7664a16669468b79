"""Every name that the documentation uses exists, and what exists is somewhere in it."""

from __future__ import annotations

import importlib
import inspect
import re
from types import ModuleType

import pytest

from splendor_api import settings
from splendor_api.contract import document
from splendor_api.games.registry import GAMES
from splendor_api.http.problems import PROBLEMS
from splendor_api.settings import Settings
from splendor_api.wire.faults import FAULT_CODES
from tests.docs.pages import PAGES, ROOT, blocks, prose, read

CODE_SPAN = re.compile(r"`([^`\n]+)`")
GENERATED = re.compile(r"<!-- generated: .*?<!-- end generated -->", re.DOTALL)
REQUEST = re.compile(r"(?<![A-Z])(GET|POST|PUT|PATCH|DELETE|HEAD) (/[^\s`]*)")
LIMIT = re.compile(
    r"^\| (?P<what>[^|]+) \| (?P<value>[0-9,]+) \| `(?P<home>[\w.]+)` \|", re.MULTILINE
)

PATHS = {
    (method.upper(), path)
    for path, item in document.load()["paths"].items()
    for method in item
    if method != "parameters"
}

BOUNDED = (
    "splendor_api.games.notation",
    "splendor_api.games.set.wire",
    "splendor_api.games.splendor.decoder",
    "splendor_api.games.splendor.tokens",
    "splendor_api.games.splendor.wire",
    "splendor_api.http.compression",
    "splendor_api.http.events",
    "splendor_api.http.headers",
    "splendor_api.http.limits",
    "splendor_api.http.parameters",
    "splendor_api.http.problems",
    "splendor_api.http.rules",
    "splendor_api.i18n.catalogue",
    "splendor_api.launch.server",
    "splendor_api.launch.worker",
    "splendor_api.sessions.attendance",
    "splendor_api.sessions.keeping",
    "splendor_api.sessions.undo",
    "splendor_api.wire.faults",
    "splendor_api.wire.json_text",
    "splendor_api.wire.requests",
)
"""The modules whose numbers bound what is sent."""

NO_LIMITS = {
    "splendor_api.http.headers.REMEMBERED",  # how long a header is whose reading is kept
    "splendor_api.games.notation.FORMAT",  # names the format
    "splendor_api.games.notation.LONGEST_NAME",  # as in JSON
    "splendor_api.games.notation.LONGEST_TEXT",
    "splendor_api.games.set.wire.LAST_CARD",  # ids, which the components list
    "splendor_api.games.set.wire.LAST_SEAT",
    "splendor_api.games.splendor.wire.LAST_CARD",  # ids, which the components list
    "splendor_api.games.splendor.wire.LAST_NOBLE",
    "splendor_api.games.splendor.wire.LAST_SEAT",
    "splendor_api.http.events.RECONNECT_MS",  # advice to a browser
    "splendor_api.http.events.STORE_PAUSE_MS",  # how patient the service itself is
    "splendor_api.wire.faults.ENOUGH",  # one more than what an answer lists
    "splendor_api.wire.requests.FORMAT",
}


@pytest.mark.parametrize("page", PAGES)
def test_every_request_named_is_in_the_contract(page: str) -> None:
    for method, path in REQUEST.findall(prose(page)):
        assert any(
            method == known and _pattern(template).fullmatch(path) for known, template in PATHS
        ), f"{method} {path}"


def test_every_request_of_the_contract_is_documented() -> None:
    assert set(REQUEST.findall(read("docs/http.md"))) == PATHS


@pytest.mark.parametrize("page", PAGES)
def test_every_word_in_capitals_is_a_setting_or_a_constant(page: str) -> None:
    names = {row.name for row in settings.ROWS}
    for span in CODE_SPAN.findall(prose(page)):
        if re.fullmatch(r"[A-Z]+(_[A-Z]+)+", span):
            assert span in names | {"BASE_URL"}


def test_every_status_with_a_code_is_the_codes_own() -> None:
    named = [
        (page, int(status), code)
        for page in PAGES
        for status, code in re.findall(r"\b([45][0-9]{2}) `([a-z_]+)`", prose(page))
    ]
    assert named
    for page, status, code in named:
        expected = 400 if code in FAULT_CODES else PROBLEMS[code].status
        assert status == expected, page


def test_every_word_with_underscores_is_known() -> None:
    known = _vocabulary()
    for page in PAGES:
        by_hand = GENERATED.sub("", prose(page))
        for span in CODE_SPAN.findall(by_hand):
            if re.fullmatch(r"[a-z]+(_[a-z]+)+", span):
                assert span in known, f"{page}: {span}"


def test_every_limit_is_what_it_is_said_to_be() -> None:
    limits = [(match["home"], match["value"]) for match in LIMIT.finditer(read("docs/limits.md"))]
    assert len(limits) > len(BOUNDED)
    for home, value in limits:
        assert _number(home) == int(value.replace(",", "")), home


def test_every_number_that_bounds_is_among_the_limits() -> None:
    homes = {match["home"] for match in LIMIT.finditer(read("docs/limits.md"))}
    constants = {
        f"{name}.{constant}"
        for name in BOUNDED
        for constant in _constants(importlib.import_module(name))
    }
    assert constants - NO_LIMITS == {home for home in homes if "." in home}


def test_every_make_target_named_exists() -> None:
    named = {
        target
        for page in PAGES
        for code in (*(block.code for block in blocks(page) if block.is_make), *_spans(page))
        for target in re.findall(r"(?:^|\s)make ([a-z-]+)", code)
    }
    assert {"serve", "test"} <= named <= set(_targets())


def test_every_make_target_is_run_whatever_files_there_are() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", _makefile(), re.MULTILINE)
    assert phony.split() == _targets()


def test_the_first_commands_of_the_readme_are_two() -> None:
    first = blocks("README.md")[0]
    assert first.code.splitlines() == ["make serve", "make test"]


def test_the_tests_without_make_are_those_of_make() -> None:
    argument = "@tests/inner-loop.txt"
    assert f"pytest {argument}\n" in read("README.md")
    assert f"INNER_LOOP := {argument} " in _makefile()


def test_what_the_inner_loop_leaves_out_is_there() -> None:
    whole, *left_out = read("tests/inner-loop.txt").splitlines()
    assert whole == "tests"
    for argument in left_out:
        assert (ROOT / argument.removeprefix("--ignore=")).exists(), argument


def _makefile() -> str:
    """Return the text of the Makefile, its lines whole."""
    return (ROOT / "Makefile").read_text("utf-8").replace("\\\n", "")


def _targets() -> list[str]:
    """Return what make can be asked for, in the order of the Makefile."""
    return re.findall(r"^([a-z-]+):", _makefile(), re.MULTILINE)


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{[a-z]+\\}", r"[^/]+", re.escape(template)))


def _spans(page: str) -> list[str]:
    return CODE_SPAN.findall(prose(page))


def _number(home: str) -> object:
    """Return the number of a setting's default or of a constant, by the name of its home."""
    module, _, name = home.rpartition(".")
    if module:
        return getattr(importlib.import_module(module), name)
    return getattr(Settings(), name.lower())


def _constants(module: ModuleType) -> set[str]:
    """Return the names of the numbers that a module itself defines."""
    defined = re.findall(r"^([A-Z][A-Z_]+)\b.* = ", inspect.getsource(module), re.MULTILINE)
    return {name for name in defined if type(getattr(module, name)) is int}


def _vocabulary() -> set[str]:
    """Return every word that is part of the contract, and the names of what is in it."""
    words = {*PROBLEMS, *FAULT_CODES}
    for entry in GAMES.values():
        rules = entry.rules
        words |= {code.name for code in (*rules.codes, *rules.findings)}
        words |= {kind.type for kind in (*rules.actions, *rules.events)}
        words |= {option.name for option in rules.options} | set(rules.outcomes)
    return words | set(re.findall(r"[a-z]+(?:_[a-z]+)+", document.text()))
