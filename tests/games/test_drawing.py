"""Drawings are well-formed whatever is written in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games.drawing import (
    COLUMNS,
    Markup,
    Symbol,
    columns_of,
    document,
    element,
    number,
    padded,
    sprite,
    with_parts,
    wrapped,
)
from tests.games import svg


def test_an_element_is_written_as_svg_has_it() -> None:
    inner = element("path", d="M0 0", stroke_width=1.5)
    assert element("g", inner, class_="a", x=3) == (
        '<g class="a" x="3"><path d="M0 0" stroke-width="1.5"/></g>'
    )


@given(st.text(), st.text())
def test_no_text_breaks_out(name: str, said: str) -> None:
    written = document(10, 10, "en", name, [said], element("g", fill=said))
    root = svg.read(written)
    assert [svg.tag(node) for node in root.iter()] == ["svg", "title", "desc", "g"]
    title, description = root[0].text or "", root[1].text or ""
    if name.isprintable() and said.isprintable():
        assert (title, description) == (name, said)


def test_what_xml_cannot_have_is_replaced() -> None:
    root = svg.read(document(1, 1, "en", "a\x00b\ud800c\uffff", []))
    assert root[0].text == "a\ufffdb\ufffdc\ufffd"


def test_a_picture_has_a_text_alternative() -> None:
    root = svg.read(document(20, 10, "gd", "A name", ["One.", "Two."]))
    assert root.get("role") == "img"
    labels = (root.get("aria-labelledby") or "").split()
    spoken = {node.get("id"): node.text for node in root}
    assert [spoken[label] for label in labels] == ["A name", "One.\nTwo."]
    assert root.get("viewBox") == "0 0 20 10"
    assert root.get("lang") == "gd"


def test_lengths_are_short() -> None:
    assert [number(each) for each in (3, 3.0, 0.5, 1 / 3, -2.0, 100.0)] == [
        *("3", "3", "0.5", "0.33", "-2", "100")
    ]


def test_a_symbol_brings_what_it_is_made_of() -> None:
    leaf = Symbol("leaf", 1, 1, Markup("<path/>"))
    twig = Symbol("twig", 1, 1, Markup('<use href="#leaf"/>'), ("leaf",))
    tree = Symbol("tree", 1, 1, Markup('<use href="#twig"/>'), ("twig", "leaf"))
    known = {each.name: each for each in (leaf, twig, tree)}
    parts = with_parts(["tree", "tree"], known)
    assert parts == [leaf, tree, twig]
    assert len(svg.symbols(svg.read(sprite(parts)))) == 3


def test_columns_are_counted_as_a_terminal_shows_them() -> None:
    assert columns_of("Vendi 0 ♛") == 9
    assert columns_of("e\N{COMBINING ACUTE ACCENT}\N{RIGHT-TO-LEFT MARK}") == 1
    assert columns_of("漢字") == 4
    assert padded("漢", 4) == "漢  "


@given(st.lists(st.text(st.characters(categories=["Lu", "Nd"]), min_size=1, max_size=40)))
def test_lines_are_wrapped_between_pieces(pieces: list[str]) -> None:
    lines = list(wrapped(pieces, 4, "→"))
    assert lines[0].startswith("→")
    assert all(line.startswith("    ") for line in lines[1:])
    assert all(columns_of(line) <= COLUMNS for line in lines)
    assert " ".join(lines).split() == ["→", *pieces]
