"""Every link in the documentation leads somewhere: to a file, and to a heading in it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs.pages import PAGES, ROOT, prose

LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ +(?P<words>.+)$", re.MULTILINE)

LINKS = [(page, match["target"]) for page in PAGES for match in LINK.finditer(prose(page))]
OUTSIDE = {"curl.se", "jqlang.org", "keepachangelog.com", "pettingzoo.farama.org", "semver.org"}


@pytest.mark.parametrize(("page", "target"), sorted(set(LINKS)))
def test_a_link_leads_somewhere(page: str, target: str) -> None:
    parts = urlsplit(target)
    if parts.scheme:
        assert parts.scheme == "https"
        assert parts.hostname in OUTSIDE
        return
    path = (ROOT / page).parent / parts.path if parts.path else ROOT / page
    assert path.is_file()
    if parts.fragment:
        assert parts.fragment in _anchors(path)


def test_every_page_is_reached_from_the_readme() -> None:
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop().resolve()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        targets = LINK.findall(page.read_text("utf-8"))
        ahead += [page.parent / target.split("#")[0] for _, target in targets if _is_ours(target)]
    assert {ROOT / page for page in PAGES} <= reached


def _is_ours(target: str) -> bool:
    return not urlsplit(target).scheme and bool(urlsplit(target).path)


def _anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub makes of the headings."""
    words = (match["words"].lower() for match in HEADING.finditer(path.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", each).replace(" ", "-") for each in words}
