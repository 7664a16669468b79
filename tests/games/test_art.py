"""What games are drawn with: everything in the box, whole, and told apart without colours."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from splendor_api.games.drawing import NAMESPACE, Picture, sprite
from splendor_api.games.registry import GAMES
from splendor_api.games.set import art as set_art
from splendor_api.games.set.components import CARDS as SET_CARDS
from splendor_api.games.splendor import art
from splendor_api.games.splendor.components import CARDS, COLOR_LETTERS, LEVELS, NOBLES
from splendor_api.games.splendor.tokens import Color
from tests.games import svg

MOST_BYTES = 256 * 1024


def _picture(game: str) -> Picture[Any]:
    picture = GAMES[game].picture
    assert picture is not None
    return picture


@pytest.mark.parametrize("game", GAMES)
def test_the_sprite_is_sound(game: str) -> None:
    symbols = _picture(game).symbols
    drawn = sprite(symbols.values())
    assert len(drawn) <= MOST_BYTES
    root = svg.read(drawn)
    assert {node.get("id") for node in svg.symbols(root)} == set(symbols)
    assert [svg.tag(node) for node in root] == ["symbol"] * len(symbols)


@pytest.mark.parametrize("game", GAMES)
def test_a_symbol_says_what_it_uses(game: str) -> None:
    for node in svg.symbols(svg.read(sprite(_picture(game).symbols.values()))):
        used = {each.get("href", "")[1:] for each in node.iter(f"{{{NAMESPACE}}}use")}
        assert used == set(_picture(game).symbols[node.get("id", "")].uses)


def test_everything_in_the_box_of_splendor_is_drawn() -> None:
    assert set(art.SYMBOLS) == {
        *map(art.card, CARDS),
        *map(art.noble, NOBLES),
        *map(art.gem, Color),
        *map(art.token, Color),
        *map(art.back, LEVELS),
        *(f"scene-{level}" for level in LEVELS),
    }


def test_everything_in_the_box_of_set_is_drawn() -> None:
    figures = {set_art.figure(face) for face in SET_CARDS.values()}
    assert len(figures) == 27
    assert set(set_art.SYMBOLS) == {*map(set_art.card, SET_CARDS), *figures, set_art.BACK}


def _words(game: str, name: str) -> list[str]:
    """Return what is written on a symbol."""
    symbols: Any = svg.symbols(svg.read(sprite(_picture(game).symbols.values())))
    found = next(node for node in symbols if node.get("id") == name)
    return [node.text for node in found.iter(f"{{{NAMESPACE}}}text")]


def test_a_development_card_says_what_is_printed_on_it() -> None:
    # Card 1: a black bonus, no prestige, for one each of white, blue, green and red.
    face = CARDS[1]
    costs = [str(count) for count in face.cost if count]
    said = _words("splendor", art.card(1))
    assert said[0] == COLOR_LETTERS[face.bonus.word].upper()
    assert sorted(said[1::2]) == sorted(costs)
    assert str(CARDS[90].points) in _words("splendor", art.card(90))


def test_every_gem_has_a_shape_and_a_letter() -> None:
    outlines = {art.SYMBOLS[art.gem(color)].drawn.partition('d="')[2] for color in Color}
    assert len({each.partition('"')[0] for each in outlines}) == len(Color)
    letters = [_words("splendor", art.token(color)) for color in Color]
    assert letters == [[COLOR_LETTERS[color.word].upper()] for color in Color]


def test_the_colors_of_set_are_told_apart_by_letters_and_by_lightness() -> None:
    for number, face in SET_CARDS.items():
        letter = set_art.COLOR_LETTERS[face.color]
        assert _words("set", set_art.card(number)) == [letter, letter]
    lightness = sorted(map(_lightness, set_art.COLORS.values()))
    assert len(set(set_art.COLOR_LETTERS.values())) == len(set_art.COLORS)
    assert all(b / a >= 1.15 for a, b in itertools.pairwise(lightness))


def test_no_two_cards_of_set_look_alike() -> None:
    drawn = {set_art.SYMBOLS[set_art.card(number)].drawn for number in SET_CARDS}
    assert len(drawn) == len(SET_CARDS)


def _lightness(color: str) -> float:
    """Return the relative luminance (WCAG 2.2) of a colour, and the flare of a screen."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
