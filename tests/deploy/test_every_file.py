"""Every file of `deploy/` is in the table of its page, with the test that exercises it."""

import re

from tests.deploy.files import DEPLOY, ROOT

ROW = re.compile(r"^\| (?P<files>`[^|]+`) \| [^|]+ \| `(?P<test>tests/[\w/.]+)` \|$", re.MULTILINE)


def test_every_file_is_exercised_by_a_test_that_is_there() -> None:
    page = (DEPLOY / "README.md").read_text("utf-8")
    listed: dict[str, str] = {}
    for row in ROW.finditer(page):
        listed |= dict.fromkeys(re.findall(r"`([^`]+)`", row["files"]), row["test"])
    there = {
        path.relative_to(DEPLOY).as_posix()
        for path in DEPLOY.rglob("*")
        if path.is_file() and path.name not in ("README.md", ".env")
    }
    assert listed.keys() == there
    for name, test in listed.items():
        assert (ROOT / test).is_file(), f"{name}: {test}"
