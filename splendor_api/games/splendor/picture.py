"""How Splendor is shown: as a drawing with a text alternative, and as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from splendor_api.games.drawing import (
    TONES,
    Markup,
    Picture,
    Tones,
    View,
    box,
    defined,
    document,
    element,
    filled,
    group,
    heading,
    moved,
    padded,
    use,
    with_parts,
    words,
    wrapped,
)
from splendor_api.games.splendor import art
from splendor_api.games.splendor.components import CARDS, COLOR_LETTERS, LEVELS, NOBLES, Card
from splendor_api.games.splendor.state import UNKNOWN, Player, Reserved, Slot, State, deck_size
from splendor_api.games.splendor.tokens import GEMS, Color, Gems, gem_map, token_map

TO_ACT: Final = "Turn {turn}: seat {seat} is to act in phase {phase}."
OVER: Final = "The game is over."
WON: Final = "The game is over. Won by: {winners}."
FINAL_ROUND: Final = "This is the final round."
SEAT: Final = "Seat {seat}"
BANK: Final = "In the bank: {tokens}."
DECK: Final = "In the deck of level {level}: {count}."
FACE_UP: Final = "Card {card} of level {level}: bonus {bonus}, prestige {prestige}, cost {cost}."
UNTOLD: Final = "A card of level {level} that is not known."
TILE: Final = "Noble tile {noble}, {name}: prestige {prestige}, asks for {cost}."
HOLDS: Final = "Seat {seat} has prestige {prestige}; tokens: {tokens}; bonuses: {bonuses}."
RESERVED: Final = "Seat {seat} has reserved a card. {card}"
VISITED: Final = "Nobles with seat {seat}: {nobles}."
RESIGNED: Final = "Seat {seat} has resigned."
LEGEND: Final = "♛ prestige; of each colour tokens+bonuses; [reserved cards]; #nobles."

SAYINGS: Final = (
    *(TO_ACT, OVER, WON, FINAL_ROUND, SEAT, BANK, DECK, FACE_UP, UNTOLD, TILE, HOLDS, RESERVED),
    *(VISITED, RESIGNED, LEGEND),
)

_WIDTH: Final = 900
_MARGIN: Final = 20
_TOP: Final = 62  # of the market
_ROW: Final = 164  # from a level to the next
_COLUMN: Final = 116  # from a slot to the next
_BANK_LEFT: Final = _MARGIN + 5 * _COLUMN + 22
_TILES_LEFT: Final = _BANK_LEFT + 104
_PANEL_WIDTH: Final = 424
_PANEL_HEIGHT: Final = 172
_PANELS_TOP: Final = _TOP + 3 * _ROW + 4


def draw(state: State, view: View) -> str:
    """Return the drawing of what is seen of a state."""
    tones = TONES[view.theme]
    panels = (len(state.players) + 1) // 2
    height = _PANELS_TOP + panels * (_PANEL_HEIGHT + 12) + 8
    names = sorted(set(_names(state)))
    symbols = with_parts(names, art.SYMBOLS)
    return document(
        _WIDTH,
        height,
        view.language,
        f"Splendor. {_status(state, view)}",
        list(_told(state, view)),
        element("defs", defined(symbols)),
        box(0, 0, _WIDTH, height, rx=14, fill=tones.ground),
        _head(state, view, tones),
        *_market(state, tones),
        *_bank(state, tones),
        *_tiles(state.nobles, tones),
        *(
            moved(
                _MARGIN + (seat % 2) * (_PANEL_WIDTH + 12),
                _PANELS_TOP + (seat // 2) * (_PANEL_HEIGHT + 12),
                *_panel(state, seat, view, tones),
            )
            for seat in range(len(state.players))
        ),
    )


def lay_out(state: State, view: View) -> str:
    """Return what is seen of a state as lines for a terminal."""
    sections = (
        [*filled(f"Splendor · {_status(state, view)}"), *_final(state, view)],
        _tile_lines(state.nobles),
        chain.from_iterable(_level_lines(state, level) for level in reversed(LEVELS)),
        ["  ".join(f"{_SHAPES[color]} {_LETTERS[color]} {state.bank[color]}" for color in Color)],
        [*_seat_lines(state, view), *filled(view.say(LEGEND, {}))],
    )
    return "\n\n".join("\n".join(lines) for lines in map(list, sections) if lines) + "\n"


# The text alternative


def _status(state: State, view: View) -> str:
    if state.outcome is not None:
        return view.say(WON, {"winners": [_seat(seat, view) for seat in state.outcome.winners]})
    if state.to_act is None:
        return view.say(OVER, {})
    params = {"turn": state.turn, "seat": state.to_act, "phase": state.phase}
    return view.say(TO_ACT, params)


def _seat(seat: int, view: View) -> str:
    return view.say(SEAT, {"seat": seat})


def _final(state: State, view: View) -> list[str]:
    is_on = state.final_round and state.phase != "over"
    return [view.say(FINAL_ROUND, {})] if is_on else []


def _told(state: State, view: View) -> Iterator[str]:
    """Yield the sentences that say what the drawing shows."""
    yield from _final(state, view)
    yield view.say(BANK, {"tokens": token_map(state.bank)})
    yield from (view.say(TILE, _tile_params(noble)) for noble in state.nobles)
    for level in reversed(LEVELS):
        count = deck_size(state.decks[level - 1])
        yield view.say(DECK, {"level": level, "count": count})
        for slot in state.market[level - 1]:
            if slot is not None:
                yield _face(slot if isinstance(slot, int) else None, level, view)
    for seat, player in enumerate(state.players):
        yield from _told_of(seat, player, view)


def _told_of(seat: int, player: Player, view: View) -> Iterator[str]:
    tokens, bonuses = token_map(player.tokens), gem_map(player.bonuses)
    held = {"prestige": player.prestige, "tokens": tokens, "bonuses": bonuses}
    yield view.say(HOLDS, {"seat": seat, **held})
    for each in player.reserved:
        yield view.say(RESERVED, {"seat": seat, "card": _face(each.card, each.level, view)})
    if player.nobles:
        names = [NOBLES[noble].name for noble in player.nobles]
        yield view.say(VISITED, {"seat": seat, "nobles": names})
    if player.resigned:
        yield view.say(RESIGNED, {"seat": seat})


def _face(card: int | None, level: int, view: View) -> str:
    if card is None:
        return view.say(UNTOLD, {"level": level})
    face = CARDS[card]
    params: Mapping[str, object] = {
        "card": card,
        "level": level,
        "bonus": face.bonus.word,
        "prestige": face.points,
        "cost": gem_map(face.cost),
    }
    return view.say(FACE_UP, params)


def _tile_params(noble: int) -> Mapping[str, object]:
    tile = NOBLES[noble]
    cost = gem_map(tile.required)
    return {"noble": noble, "name": tile.name, "prestige": tile.points, "cost": cost}


# The drawing


def _names(state: State) -> Iterator[str]:
    """Yield the name of every symbol that the drawing uses, some more than once."""
    yield from map(art.token, Color)
    yield from map(art.gem, GEMS)
    yield from map(art.back, LEVELS)
    yield from map(art.noble, state.nobles)
    for row in state.market:
        yield from (art.card(slot) for slot in row if isinstance(slot, int))
    for player in state.players:
        yield from (art.card(held.card) for held in player.reserved if held.card is not None)
        yield from map(art.noble, player.nobles)


def _used(name: str, x: float, y: float, width: float) -> Markup:
    return use(art.SYMBOLS[name], x, y, width)


def _caption(x: float, y: float, said: str, tones: Tones) -> Markup:
    return words(x, y, said, 12, text_anchor="middle", fill=tones.faint)


def _badge(x: float, y: float, said: str) -> Markup:
    """Return a number in a dark disc, around a point."""
    width = 14 + 10 * len(said)
    return group(
        box(
            x - width / 2, y - 12, width, 24, rx=12, fill="#17131c", stroke="#fff", stroke_width=1.2
        ),
        words(x, y + 5.5, said, 16, font_weight=700, text_anchor="middle", fill="#fff"),
    )


def _head(state: State, view: View, tones: Tones) -> Markup:
    said = " ".join((_status(state, view), *_final(state, view)))
    return heading(_MARGIN, 40, said, _WIDTH - 2 * _MARGIN, tones)


def _market(state: State, tones: Tones) -> Iterator[Markup]:
    for place, level in enumerate(reversed(LEVELS)):
        top = _TOP + place * _ROW
        count = deck_size(state.decks[level - 1])
        yield _deck(level, count, top, tones)
        for number, slot in enumerate(state.market[level - 1], start=1):
            yield _slot(slot, level, _MARGIN + number * _COLUMN, top, tones)


@lru_cache(maxsize=512)
def _deck(level: int, count: int, top: float, tones: Tones) -> Markup:
    if count == 0:
        return _hollow(_MARGIN, top, art.CARD_WIDTH, art.CARD_HEIGHT, tones)
    return group(
        _used(art.back(level), _MARGIN, top, art.CARD_WIDTH),
        _badge(_MARGIN + 50, top + 112, str(count)),
    )


@lru_cache(maxsize=1024)
def _slot(slot: Slot, level: int, left: float, top: float, tones: Tones) -> Markup:
    if slot is None:
        return _hollow(left, top, art.CARD_WIDTH, art.CARD_HEIGHT, tones)
    if slot == UNKNOWN:
        return group(
            _used(art.back(level), left, top, art.CARD_WIDTH), _badge(left + 50, top + 112, "?")
        )
    caption = _caption(left + 50, top + art.CARD_HEIGHT + 14, f"#{slot}", tones)
    return group(_used(art.card(slot), left, top, art.CARD_WIDTH), caption)


def _hollow(left: float, top: float, width: float, height: float, tones: Tones) -> Markup:
    return box(
        left + 1,
        top + 1,
        width - 2,
        height - 2,
        rx=8,
        fill="none",
        stroke=tones.edge,
        stroke_width=2,
        stroke_dasharray="6 5",
    )


def _bank(state: State, tones: Tones) -> Iterator[Markup]:
    yield box(_BANK_LEFT - 8, _TOP, 84, 3 * _ROW - 22, rx=12, fill=tones.panel, stroke=tones.edge)
    for color in Color:
        yield _pile(color, state.bank[color])


@lru_cache(maxsize=256)
def _pile(color: Color, count: int) -> Markup:
    top = _TOP + 12 + color * 76
    return group(
        _used(art.token(color), _BANK_LEFT + 6, top, 56),
        _badge(_BANK_LEFT + 58, top + 48, str(count)),
        opacity=1 if count else 0.45,
    )


def _tiles(nobles: Sequence[int], tones: Tones) -> Iterator[Markup]:
    """Yield the tiles on the table: in a column, or in two if there are many."""
    size = 88 if len(nobles) <= _FEW_TILES else 72
    for place, noble in enumerate(nobles):
        column, row = divmod(place, _FEW_TILES)
        left, top = _TILES_LEFT + column * (size + 8), _TOP + row * 95
        yield _used(art.noble(noble), left, top, size)
        if size > _CAPTIONED:
            yield words(left + size + 6, top + 14, f"#{noble}", 12, fill=tones.faint)


_FEW_TILES: Final = 5
_CAPTIONED: Final = 80


def _panel(state: State, seat: int, view: View, tones: Tones) -> Iterator[Markup]:
    """Yield what lies before a seat."""
    player = state.players[seat]
    stands_out = seat == state.to_act or _has_won(state, seat)
    yield box(
        0,
        0,
        _PANEL_WIDTH,
        _PANEL_HEIGHT,
        rx=12,
        fill=tones.panel,
        stroke=tones.accent if stands_out else tones.edge,
        stroke_width=3 if stands_out else 1,
    )
    mark = _mark(state, seat)
    yield words(
        16,
        28,
        f"{mark} {_seat(seat, view)}".lstrip(),
        18,
        font_weight=700,
        fill=tones.accent if stands_out else tones.ink,
    )
    yield words(
        _PANEL_WIDTH - 16,
        30,
        f"♛ {player.prestige}",
        22,
        font_weight=800,
        text_anchor="end",
        fill=tones.ink,
    )
    for color in Color:
        bonuses = player.bonuses[color] if color in GEMS else None
        held = _holding(color, bonuses, player.tokens[color], tones)
        yield moved(14 + 44 * color, 40, held)
    yield from _hand(player.reserved, tones)
    yield from _visitors(player.nobles)


def _has_won(state: State, seat: int) -> bool:
    return state.outcome is not None and seat in state.outcome.winners


def _mark(state: State, seat: int) -> str:
    """Return a sign before the name of whoever has won, is to act, or has left."""
    if _has_won(state, seat):
        return "★"
    if seat == state.to_act:
        return "▶"
    return "✕" if state.players[seat].resigned else ""


@lru_cache(maxsize=1024)
def _holding(color: Color, bonuses: int | None, tokens: int, tones: Tones) -> Markup:
    """Return a seat's bonuses (gold: none) and tokens of a colour, 38 units wide."""
    return group(*_bonuses(color, bonuses), *_tokens(color, tokens, tones))


def _bonuses(color: Color, count: int | None) -> Iterator[Markup]:
    if count is not None:
        palette = art.PALETTES[color]
        yield group(
            box(1, 2, 36, 50, rx=5, fill=palette.ground, stroke="#000", stroke_opacity=0.35),
            _used(art.gem(color), 10, 6, 18),
            words(
                19,
                46,
                str(count),
                20,
                font_weight=800,
                text_anchor="middle",
                fill="#fff",
                stroke="#000",
                stroke_width=3,
                stroke_opacity=0.55,
                paint_order="stroke",
            ),
            opacity=1 if count else 0.4,
        )


def _tokens(color: Color, count: int, tones: Tones) -> Iterator[Markup]:
    yield group(_used(art.token(color), 0, 60, 38), opacity=1 if count else 0.3)
    if count:
        yield words(19, 120, str(count), 18, font_weight=800, text_anchor="middle", fill=tones.ink)


def _hand(reserved: Sequence[Reserved], tones: Tones) -> Iterator[Markup]:
    """Yield the reserved cards, one over the other if there are many."""
    width, room = 42, 136
    step = min(width + 4.0, (room - width) / max(1, len(reserved) - 1))
    for place, held in enumerate(reserved):
        left = 276 + place * step
        known = held.card is not None
        yield _used(
            art.back(held.level) if held.card is None else art.card(held.card), left, 42, width
        )
        if known and step > width:
            yield words(
                left + width / 2, 113, f"#{held.card}", 10, text_anchor="middle", fill=tones.faint
            )


def _visitors(nobles: Sequence[int]) -> Iterator[Markup]:
    size, room = 42, 136
    step = min(size + 4.0, (room - size) / max(1, len(nobles) - 1))
    for place, noble in enumerate(nobles):
        yield _used(art.noble(noble), 276 + place * step, 121, size)


# The lines

_SHAPES: Final[Mapping[Color, str]] = {
    Color.WHITE: "▽",
    Color.BLUE: "◊",
    Color.GREEN: "▯",
    Color.RED: "△",
    Color.BLACK: "●",
    Color.GOLD: "★",
}
_LETTERS: Final = {color: COLOR_LETTERS[color.word].upper() for color in Color}
_ROMAN: Final = ("I", "II", "III")
_INNER: Final = 13  # columns within a card
_SIDE: Final = 9  # columns left of the cards


def _cost(gems: Gems, between: str = " ") -> str:
    return between.join(f"{_LETTERS[color]}{gems[color]}" for color in GEMS if gems[color])


def _tile_lines(nobles: Sequence[int]) -> list[str]:
    pieces = [
        f"#{noble} ♛{NOBLES[noble].points} {_cost(NOBLES[noble].required)}   " for noble in nobles
    ]
    return [line.rstrip() for line in wrapped(pieces, 0)] if pieces else []


def _level_lines(state: State, level: int) -> Iterator[str]:
    """Yield a level of the market: the deck, and the cards side by side."""
    count = deck_size(state.decks[level - 1])
    sides = ("", f"{_ROMAN[level - 1]:>3}", f"{count:>3}", "", "")
    faces = [_face_lines(slot) for slot in state.market[level - 1]]
    for side, *parts in zip(sides, *faces, strict=True):
        yield f"{side:<{_SIDE}}{' '.join(parts)}".rstrip()


def _face_lines(slot: Slot) -> tuple[str, ...]:
    if slot is None:
        return (" " * (_INNER + 2),) * 5
    if not isinstance(slot, int):
        return _framed("", f"{'?':^{_INNER}}", "")
    face = CARDS[slot]
    return _framed(_first_line(face), _cost(face.cost), f"#{slot}")


def _first_line(face: Card) -> str:
    bonus = f"{_SHAPES[face.bonus]} {_LETTERS[face.bonus]}"
    points = f"♛{face.points}" if face.points else ""
    return f"{points:<{_INNER - len(bonus)}}{bonus}"


def _framed(*lines: str) -> tuple[str, ...]:
    rule = "─" * _INNER
    return (f"┌{rule}┐", *(f"│{line:<{_INNER}}│" for line in lines), f"└{rule}┘")


class _Line(NamedTuple):
    """What a seat has, in columns."""

    name: str
    cells: tuple[str, ...]


def _seat_lines(state: State, view: View) -> Iterator[str]:
    rows = [_Line("", ("♛", *(f"{_SHAPES[color]} {_LETTERS[color]}" for color in Color)))]
    for seat, player in enumerate(state.players):
        mark = _mark(state, seat) or " "
        counts = [f"{player.tokens[color]}+{player.bonuses[color]}" for color in GEMS]
        cells = (str(player.prestige), *counts, str(player.tokens[Color.GOLD]))
        rows.append(_Line(f"{mark} {_seat(seat, view)}", cells))
    for seat, row in enumerate(rows, start=-1):
        yield f"{padded(row.name, _NAME)}{''.join(f'{cell:>6}' for cell in row.cells)}".rstrip()
        if seat >= 0:
            yield from _hand_lines(state.players[seat])


_NAME: Final = 16


def _hand_lines(player: Player) -> Iterator[str]:
    pieces = [_held(each) for each in player.reserved]
    pieces += [f"#{noble}" for noble in player.nobles]
    if pieces:
        yield from wrapped(pieces, 4)


def _held(held: Reserved) -> str:
    if held.card is None:
        return f"[{_ROMAN[held.level - 1]} ?]"
    face = CARDS[held.card]
    points = f" ♛{face.points}" if face.points else ""
    return f"[{held.card} {_LETTERS[face.bonus]}{points} {_cost(face.cost, '')}]"


SPLENDOR_PICTURE: Final = Picture(art.SYMBOLS, draw, lay_out, SAYINGS)
