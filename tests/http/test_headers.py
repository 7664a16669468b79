"""Negotiation and patterns of headers."""

from __future__ import annotations

import pytest

from splendor_api.http import html
from splendor_api.http.headers import JSON, chosen, entity_tag, is_unchanged, language

BOTH = (JSON, html.MEDIA_TYPE)
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        (BROWSER, html.MEDIA_TYPE),
        ("text/html", html.MEDIA_TYPE),
        ("TEXT/HTML", html.MEDIA_TYPE),
        ("text/*", html.MEDIA_TYPE),
        ("application/*", JSON),
        ("text/html;q=0.5, application/json;q=0.6", JSON),
        ("text/html;q=0.5, application/json;q=0.5", JSON),
        ("application/json;q=0, */*", html.MEDIA_TYPE),
        ("text/html;level=1;q=0.2, application/json ; q=0.1", html.MEDIA_TYPE),
        ("application/json;q=0.1, application/*;q=0.9, text/html;q=0.5", html.MEDIA_TYPE),
        ("image/png", None),
        ("*/*;q=0", None),
        ("application/json;q=0", None),
        ("application/json;q=2", None),
        ("application/json;q=nan", None),
        ("application/json;q=", None),
        (",,;;q=,/", None),
        ("x" * 8_000, None),
        (f"{'x/y,' * 2_000}application/json", JSON),
    ],
)
def test_the_best_liked_type_is_chosen(accept: str | None, media_type: str | None) -> None:
    assert chosen(accept, BOTH) == media_type


def test_the_first_offer_is_the_default() -> None:
    assert chosen("*/*", tuple(reversed(BOTH))) == html.MEDIA_TYPE


def test_a_tag_names_the_bytes() -> None:
    assert entity_tag(b"a") == entity_tag(b"a")
    assert entity_tag(b"a") != entity_tag(b"b")


def test_a_tag_within_another_is_not_that_tag() -> None:
    tag = entity_tag(b"a")
    assert not is_unchanged(f'"x{tag[1:]}', tag)
    assert not is_unchanged(None, tag)
    assert is_unchanged(f'"x", W/{tag} ,"y"', tag)


@pytest.mark.parametrize(
    ("accept_language", "tag"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("en", "en"),
        ("gd", "gd"),
        ("GD", "gd"),
        ("gd-GB", "gd"),
        ("sd-Arab-PK", "sd"),
        ("mn-Cyrl-MN,mn;q=0.9,en;q=0.8", "mn"),
        ("sq, en", "sq"),
        ("en, sq", "en"),
        ("en;q=0.5, sq;q=0.6", "sq"),
        ("en-US,en;q=0.5,gd;q=0.7", "en"),
        ("de, fr;q=0.9, sq;q=0.1", "sq"),
        ("de, fr;q=0.9", "en"),
        ("de, *;q=0.5", "en"),
        ("en;q=0, *", "gd"),
        ("en;q=0, gd;q=0, *", "mn"),
        ("gd;q=0", "en"),
        ("*;q=0", "en"),
        ("sq;q=0.000, gd;q=0.001", "gd"),
        ("gd;q=2", "en"),
        ("gd;q=nan", "en"),
        ("gda, gd_GB, g", "en"),
        (",,;;q=,-", "en"),
        ("../gd", "en"),
        ("x" * 8_000, "en"),
        (f"{'xx,' * 2_000}sd", "sd"),
    ],
)
def test_the_best_liked_language_is_chosen(accept_language: str | None, tag: str) -> None:
    """As RFC 9110, 12.5.4 and RFC 4647, 3.4 have it; English where nothing fits."""
    assert language(accept_language) == tag
