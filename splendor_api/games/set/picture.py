"""How SET is shown: as a drawing with a text alternative, and as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

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
)
from splendor_api.games.set import art
from splendor_api.games.set.components import CARDS, SET_SIZE
from splendor_api.games.set.state import State, deck_size

NOT_CALLED: Final = "Nobody has called."
CALLED: Final = "Seat {seat} has called."
OVER: Final = "The game is over."
WON: Final = "The game is over. Won by: {winners}."
SEAT: Final = "Seat {seat}"
DECK: Final = "In the deck: {count}."
CARD: Final = "Card {card}: {shape}, {color}, {shading}, number {number}."
HOLDS: Final = "Seat {seat} has score {score}; sets: {sets}; failed: {failed}."
NONE_SEEN: Final = "Seat {seat} says that there is no set."
RESIGNED: Final = "Seat {seat} has resigned."
LEGEND: Final = (
    "◆ diamond, ● oval, ■ squiggle; ◆ solid, ◈ striped, ◇ open; R red, G green, P purple. "
    "A seat's score, and how many sets and failed calls it has."
)

SAYINGS: Final = (
    *(NOT_CALLED, CALLED, OVER, WON, SEAT, DECK, CARD, HOLDS, NONE_SEEN, RESIGNED, LEGEND),
)

SPOKEN: Final[Mapping[str, str]] = {"open": "outlined"}
"""Words of a card that are said otherwise, because they have another meaning as well."""

_WIDTH: Final = 900
_MARGIN: Final = 20
_TOP: Final = 62  # of the table
_GAP: Final = 12
_FEW: Final = 21  # cards that lie in three rows; of more, the rows are full
_MOST_IN_ROW: Final = 9
_LEAST_IN_ROW: Final = 4
_DECK_WIDTH: Final = 118
_CAPTION: Final = 18  # below a card
_PANEL_HEIGHT: Final = 78
_PANELS_IN_ROW: Final = 4


def draw(state: State, view: View) -> str:
    """Return the drawing of what is seen of a state."""
    tones = TONES[view.theme]
    width = _card_width(state)
    height = width * art.CARD_HEIGHT / art.CARD_WIDTH
    rows = -(-len(state.table) // _in_row(state))
    panels_top = round(_TOP + max(1, rows) * (height + _CAPTION + _GAP) + 8)
    lines = -(-len(state.players) // _PANELS_IN_ROW)
    whole = panels_top + lines * (_PANEL_HEIGHT + _GAP) + 8
    names = [art.BACK, *(art.card(card) for card in state.table if card is not None)]
    return document(
        _WIDTH,
        whole,
        view.language,
        f"SET. {_status(state, view)}",
        list(_told(state, view)),
        element("defs", defined(with_parts(names, art.SYMBOLS))),
        box(0, 0, _WIDTH, whole, rx=14, fill=tones.ground),
        heading(_MARGIN, 40, _status(state, view), _WIDTH - 2 * _MARGIN, tones),
        *_table(state, width, height, tones),
        *_deck(state, tones),
        *(
            moved(*_place(seat, panels_top), *_panel(state, seat, view, tones))
            for seat in range(len(state.players))
        ),
    )


def lay_out(state: State, view: View) -> str:
    """Return what is seen of a state as lines for a terminal."""
    deck = view.say(DECK, {"count": deck_size(state.deck)})
    sections = (
        [*filled(f"SET · {_status(state, view)}"), deck],
        list(_table_lines(state)),
        [*_seat_lines(state, view)],
        filled(view.say(LEGEND, {})),
    )
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


# The text alternative


def _status(state: State, view: View) -> str:
    if state.outcome is not None:
        return view.say(WON, {"winners": [_seat(seat, view) for seat in state.outcome.winners]})
    if state.phase == "over":
        return view.say(OVER, {})
    if state.to_act is None:
        return view.say(NOT_CALLED, {})
    return view.say(CALLED, {"seat": state.to_act})


def _seat(seat: int, view: View) -> str:
    return view.say(SEAT, {"seat": seat})


def _told(state: State, view: View) -> Iterator[str]:
    """Yield the sentences that say what the drawing shows."""
    yield view.say(DECK, {"count": deck_size(state.deck)})
    for card in state.table:
        if card is not None:
            features = CARDS[card]._asdict()
            del features["id"]
            shading = SPOKEN.get(CARDS[card].shading, CARDS[card].shading)
            yield view.say(CARD, {"card": card, **features, "shading": shading})
    for seat, player in enumerate(state.players):
        held = {"score": player.score, "sets": len(player.sets), "failed": player.failed}
        yield view.say(HOLDS, {"seat": seat, **held})
        if seat in state.no_set:
            yield view.say(NONE_SEEN, {"seat": seat})
        if player.resigned:
            yield view.say(RESIGNED, {"seat": seat})


# The drawing


def _in_row(state: State) -> int:
    """Return how many cards lie in a row: three rows, as at a table, as long as they fit."""
    slots = len(state.table)
    if slots > _FEW:
        return _MOST_IN_ROW
    return max(_LEAST_IN_ROW, -(-slots // SET_SIZE))


def _card_width(state: State) -> float:
    room = _WIDTH - 2 * _MARGIN - _DECK_WIDTH - _GAP
    return min(160.0, room / _in_row(state) - _GAP)


def _table(state: State, width: float, height: float, tones: Tones) -> Iterator[Markup]:
    in_row = _in_row(state)
    for slot, card in enumerate(state.table):
        row, column = divmod(slot, in_row)
        left = _MARGIN + column * (width + _GAP)
        top = _TOP + row * (height + _CAPTION + _GAP)
        if card is None:
            yield _hollow(left, top, width, height, tones)
            continue
        yield use(art.SYMBOLS[art.card(card)], left, top, width)
        middle, below = left + width / 2, top + height + 14
        yield words(middle, below, f"#{card}", 12, text_anchor="middle", fill=tones.faint)


def _deck(state: State, tones: Tones) -> Iterator[Markup]:
    left, count = _WIDTH - _MARGIN - _DECK_WIDTH, deck_size(state.deck)
    height = _DECK_WIDTH * art.CARD_HEIGHT / art.CARD_WIDTH
    if count:
        yield use(art.SYMBOLS[art.BACK], left + 4, _TOP + 5, _DECK_WIDTH)
        yield use(art.SYMBOLS[art.BACK], left, _TOP, _DECK_WIDTH)
    else:
        yield _hollow(left, _TOP, _DECK_WIDTH, height, tones)
    middle, below = left + _DECK_WIDTH / 2, _TOP + height + 28
    yield words(
        middle, below, str(count), 18, font_weight=700, text_anchor="middle", fill=tones.ink
    )


def _hollow(left: float, top: float, width: float, height: float, tones: Tones) -> Markup:
    """Return a place in which no card lies."""
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


def _panel_width() -> float:
    return (_WIDTH - 2 * _MARGIN - (_PANELS_IN_ROW - 1) * _GAP) / _PANELS_IN_ROW


def _place(seat: int, top: int) -> tuple[float, float]:
    row, column = divmod(seat, _PANELS_IN_ROW)
    return _MARGIN + column * (_panel_width() + _GAP), top + row * (_PANEL_HEIGHT + _GAP)


def _panel(state: State, seat: int, view: View, tones: Tones) -> Iterator[Markup]:
    """Yield what a seat has."""
    player, has_called = state.players[seat], seat == state.to_act
    has_won = state.outcome is not None and seat in state.outcome.winners
    stands_out = has_called or has_won
    yield box(
        0,
        0,
        _panel_width(),
        _PANEL_HEIGHT,
        rx=12,
        fill=tones.panel,
        stroke=tones.accent if stands_out else tones.edge,
        stroke_width=3 if stands_out else 1,
    )
    ink = tones.accent if stands_out else tones.ink
    name = f"{_mark(state, seat)}{_seat(seat, view)}"
    yield words(14, 28, name, 17, font_weight=700, fill=ink)
    right = _panel_width() - 14
    said = str(player.score).replace("-", "\N{MINUS SIGN}")
    yield words(right, 30, said, 24, font_weight=800, text_anchor="end", fill=tones.ink)
    yield group(*_won(len(player.sets)), transform="translate(14 44)")
    if player.failed:
        lost = f"✗ {player.failed}"
        yield words(right, 62, lost, 14, text_anchor="end", fill=tones.faint)


def _mark(state: State, seat: int) -> str:
    if state.outcome is not None and seat in state.outcome.winners:
        return "★ "
    if seat == state.to_act:
        return "▶ "
    if state.players[seat].resigned:
        return "✕ "
    return "∅ " if seat in state.no_set else ""


def _won(sets: int) -> Iterator[Markup]:
    """Yield a small pile for each set, three cards one over the other."""
    step = min(20.0, 120 / max(1, sets))
    for number in range(sets):
        for card in range(SET_SIZE):
            yield box(
                number * step + card * 3,
                card * 3,
                14,
                12,
                rx=2,
                fill="#fffdf8",
                stroke="#3b3350",
                stroke_width=1,
            )


# The lines

_GLYPHS: Final[Mapping[str, str]] = {"diamond": "◆◈◇", "oval": "●◍○", "squiggle": "■▤□"}
_SHADINGS: Final = ("solid", "striped", "open")
_INNER: Final = 9  # columns within a card
_MOST_IN_LINE: Final = 7


def _table_lines(state: State) -> Iterator[str]:
    in_line = min(_MOST_IN_LINE, _in_row(state))
    for first in range(0, len(state.table), in_line):
        faces = [_face_lines(card) for card in state.table[first : first + in_line]]
        for parts in zip(*faces, strict=True):
            yield "".join(parts).rstrip()


def _face_lines(card: int | None) -> tuple[str, ...]:
    if card is None:
        return (" " * (_INNER + 2),) * 4
    face, rule = CARDS[card], "─" * _INNER
    glyph = _GLYPHS[face.shape][_SHADINGS.index(face.shading)]
    figures = " ".join([glyph] * face.number)
    letter = art.COLOR_LETTERS[face.color]
    return (
        f"┌{rule}┐",
        f"│{figures:^{_INNER}}│",
        f"│ {letter}{f'#{card}':>{_INNER - 3}} │",
        f"└{rule}┘",
    )


def _seat_lines(state: State, view: View) -> Iterator[str]:
    for seat, player in enumerate(state.players):
        name = f"{_mark(state, seat) or '  '}{_seat(seat, view)}"
        yield f"{padded(name, 16)}{player.score:>4}   ({len(player.sets)} ✓  {player.failed} ✗)"


SET_PICTURE: Final = Picture(art.SYMBOLS, draw, lay_out, SAYINGS)
