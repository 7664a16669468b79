"""Each numbered rule is named by a test."""

import re
from importlib.resources import files
from pathlib import Path

TESTS = Path(__file__).parent


def test_each_numbered_rule_names_its_test() -> None:
    text = files("splendor_api.games.set").joinpath("data", "rules.md").read_text("utf-8")
    rules = set(re.findall(r"\*\*(T\d+)\*\*", text))
    assert len(rules) == 52
    source = "".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    named = {
        number.upper()
        for function in re.findall(r"def test((?:_t\d+)+)_", source)
        for number in re.findall(r"t\d+", function)
    }
    assert rules - named == set()
