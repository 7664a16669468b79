"""Pictures of what changes over time."""

import xml.etree.ElementTree as ET

import pytest

from benchmarks.curves import percentile, plot, rounded_up
from benchmarks.rounds import Curve

NAMESPACE = "{http://www.w3.org/2000/svg}"


def test_curves_of_one_unit_are_in_one_panel() -> None:
    drawn = plot(
        "held <load>",
        {
            "p50": Curve("ms", 10.0, (1.0, 2.0, 1.0)),
            "p99": Curve("ms", 10.0, (3.0, 9.0, 3.0)),
            "workers": Curve("MiB", 10.0, (30.0, 31.0, 31.0)),
        },
    )
    picture = ET.fromstring(drawn)
    lines = picture.findall(f"{NAMESPACE}polyline")
    words = [each.text for each in picture.iter(f"{NAMESPACE}text")]
    assert [len(line.attrib["points"].split()) for line in lines] == [3, 3, 3]
    assert words.count("ms") == words.count("MiB") == 1
    assert {"p50", "p99", "workers", "30 s"} <= set(words)
    assert picture.findtext(f"{NAMESPACE}title") == "held <load>"


def test_a_higher_value_is_drawn_higher() -> None:
    picture = ET.fromstring(plot("one", {"line": Curve("ms", 1.0, (1.0, 5.0))}))
    (line,) = picture.findall(f"{NAMESPACE}polyline")
    low, high = (float(point.split(",")[1]) for point in line.attrib["points"].split())
    assert high < low


@pytest.mark.parametrize(
    ("most", "end"), [(0.0, 1.0), (0.03, 0.03), (0.9, 0.9), (7.2, 7.5), (31.0, 35.0), (1620, 2000)]
)
def test_a_scale_ends_at_a_round_number(most: float, end: float) -> None:
    assert rounded_up(most) == pytest.approx(end)


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 3.0
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.999) == 4.0
