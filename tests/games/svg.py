"""What every drawing must be, whoever shows it: well-formed, whole in itself, and harmless."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from splendor_api.games.drawing import NAMESPACE

TAGS = {
    *("svg", "title", "desc", "defs", "symbol", "use", "g"),
    *("rect", "circle", "path", "text"),
}
"""The elements that drawings are made of; no script, style, image or foreign object."""


def read(drawing: str) -> ET.Element:
    """Return the tree of a drawing after a look at all of it."""
    root = ET.fromstring(drawing)
    names = {node.get("id") for node in root.iter()} - {None}
    assert len(names) == sum("id" in node.keys() for node in root.iter())  # noqa: SIM118 - an element holds elements
    for node in root.iter():
        assert tag(node) in TAGS
        for name, value in node.items():
            assert not name.startswith("on")
            assert "url(" not in value
            if name == "href":
                assert value.removeprefix("#") in names
                assert value.startswith("#")
    return root


def tag(node: ET.Element) -> str:
    """Return the name of an element of SVG."""
    assert node.tag.startswith(f"{{{NAMESPACE}}}")
    return node.tag.partition("}")[2]


def symbols(root: ET.Element) -> list[ET.Element]:
    """Return the definitions in a drawing."""
    return [node for node in root.iter() if tag(node) == "symbol"]
