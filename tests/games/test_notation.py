"""Lines of text: what every game writes alike, and where each misspelling is found out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splendor_api.games import notation
from splendor_api.games.notation import NotationError, Reader, Record, Told
from splendor_api.games.registry import GAMES
from splendor_api.games.set.game import SET
from splendor_api.games.set.notation import SET_NOTATION
from splendor_api.games.splendor.actions import Action, Resign, TakeDifferent
from splendor_api.games.splendor.game import SPLENDOR
from splendor_api.games.splendor.notation import SPLENDOR_NOTATION
from splendor_api.games.splendor.tokens import Color


def _read(text: str) -> Record[Action]:
    return notation.read_record(SPLENDOR, SPLENDOR_NOTATION, text)


def _write(record: Record[Action]) -> str:
    return notation.write_record(SPLENDOR, SPLENDOR_NOTATION, record)


def test_a_record_tells_only_what_is_not_the_rulesets_own() -> None:
    record = _read("splendor/1 gamerules seats=3 seed=abc : +wug 1:X")
    assert record.ruleset == "gamerules"
    assert record.seats == 3
    assert record.seed == "abc"
    assert record.is_complete
    assert record.actions == (
        TakeDifferent((Color.WHITE, Color.BLUE, Color.GREEN)),
        Resign(1),
    )
    assert record.options == {
        option.name: option.default("gamerules", 3) for option in SPLENDOR.options
    }
    assert _write(record) == "splendor/1 gamerules seats=3 seed=abc : +wug 1:X"


def test_options_come_in_any_order_and_go_out_in_one() -> None:
    read = _read("splendor/1 publisher(pass=never,target_prestige=10) seats=2 :")
    assert read.options["pass"] == "never"
    assert read.options["target_prestige"] == 10
    assert _write(read) == "splendor/1 publisher(target_prestige=10,pass=never) seats=2 :"


def test_an_option_that_is_as_usual_is_left_out() -> None:
    assert _write(_read("splendor/1 gamerules(token_limit=10) seats=2 :")) == (
        "splendor/1 gamerules seats=2 :"
    )


def test_members_come_in_any_order_and_go_out_in_one() -> None:
    text = 'splendor/1 gamerules seats=2 engine="me 1" nonce=n source=caller commitment=c seed=s :'
    record = _read(text)
    assert record.told == Told("me 1", "caller", "c", "n")
    assert _write(record) == (
        'splendor/1 gamerules seats=2 seed=s source=caller commitment=c nonce=n engine="me 1" :'
    )


def test_a_game_that_goes_on_ends_in_a_star() -> None:
    record = _read("splendor/1 gamerules seats=2 : +wug *")
    assert not record.is_complete
    assert len(record.actions) == 1
    assert _write(record).endswith(" : +wug *")


@pytest.mark.parametrize(
    ("seed", "written"),
    [
        ("abc-1_2.3", "abc-1_2.3"),
        ("a seed", '"a seed"'),
        ('say "\\"', '"say \\"\\\\\\""'),
        ("line\nbreak", '"line\\u{a}break"'),
        ("\u2028", '"\\u{2028}"'),
        ("\u202eabc", '"\\u{202e}abc"'),
        ("шинэ тоглоом", '"шинэ тоглоом"'),
        ("🂡", '"🂡"'),
    ],
)
def test_a_seed_is_bare_or_in_quotes(seed: str, written: str) -> None:
    line = f"splendor/1 gamerules seats=2 seed={written} :"
    assert _read(line).seed == seed
    assert _write(_read(line)) == line


def test_a_state_is_taken_as_it_is() -> None:
    state = '{"a":{"b":"}\\"{"},"c":[{}]}'
    assert _read(f"splendor/1 gamerules seats=2 state={state} : P").state == state


LINES = (
    "splendor/1 gamerules(pass=never) seats=2 seed=abc : +wug-2rk R?2-oN3 B17(2wo)N1 1:X! N3 -0 *",
    'splendor/1 publisher seats=4 state={"a":{"b":"}"}} engine="a \\"b\\"" : V2.0=44 3:P +2r',
    'splendor/1 gamerules seats=3 seed="\\u{a}x" source=caller commitment=c nonce=n :',
)
STRAY = st.text(st.sampled_from('0123456789:.-+=*()!?/" \\{}_wugrkoBRNPVXSCFseta\n'), max_size=6)


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_written_as_it_was_read(line: str) -> None:
    assert _write(_read(line)) == line


@given(st.data())
def test_blanks_are_all_alike(data: st.DataObject) -> None:
    blanks = st.text(" \t\r\n", min_size=1, max_size=3)
    wide = "".join(word + data.draw(blanks) for word in LINES[0].split(" "))
    assert _read(data.draw(blanks) + wide) == _read(LINES[0])


@settings(max_examples=300)
@given(st.sampled_from(LINES), st.data())
def test_a_damaged_line_is_read_or_refused_at_a_place_in_it(line: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(line)))
    damaged = line[:place] + data.draw(STRAY) + line[place + data.draw(st.integers(0, 3)) :]
    read, error = _tried(damaged)
    if error is None:
        assert read is not None
        assert _read(_write(read)) == read
        return
    assert error.expected
    assert all(error.expected)
    if error.found is None:
        assert error.position == len(damaged)
    else:
        assert damaged.startswith(error.found, error.position)


def _tried(line: str) -> tuple[Record[Action] | None, NotationError | None]:
    try:
        return _read(line), None
    except NotationError as error:
        return None, error


@pytest.mark.parametrize("game", GAMES)
def test_an_action_is_no_record(game: str) -> None:
    assert notation.is_record(f"  {game}/1")
    assert not notation.is_record("+wug")
    assert not notation.is_record("0:S1.2.3")
    assert not notation.is_record("")


HEAD = "splendor/1 gamerules seats=2"


@pytest.mark.parametrize(
    ("text", "position", "expected", "found"),
    [
        ("", 0, ('"splendor/1"',), None),
        ("  set/1", 2, ('"splendor/1"',), "set/1"),
        ("splendor/2 gamerules", 0, ('"splendor/1"',), "splendor/2"),
        ("splendor/1gamerules", 10, ("blank",), "gamerules"),
        ("splendor/1 rules", 11, ("gamerules", "publisher"), "rules"),
        ("splendor/1 gamerules(", 21, None, None),
        ("splendor/1 gamerules(pass=)", 26, ("when_stuck", "never", "always"), ")"),
        ("splendor/1 gamerules(pass=never;)", 31, ('","', '")"'), ";)"),
        ("splendor/1 gamerules(token_limit=51)", 33, ("number 3..50",), "51)"),
        ("splendor/1 gamerules(pass=never,pass=never)", 32, None, "pass=never)"),
        ("splendor/1 gamerules() seats=2", 21, None, ")"),
        ("splendor/1 gamerules seats=5 :", 27, ("seats 2..4",), "5"),
        ("splendor/1 gamerules seats=02 :", 27, ("seats 2..4",), "02"),
        ("splendor/1 gamerules seeds=2 :", 21, ('"seats="',), "seeds=2"),
        (f"{HEAD} seed= :", 34, ("text 1..128",), " "),
        (f"{HEAD} seed={'x' * 129} :", 34, ("text 1..128",), "x" * 20),
        (f'{HEAD} seed="abc', 38, ("'\"'",), None),
        (f'{HEAD} seed="a\\x" :', 36, ("escape",), '\\x"'),
        (f'{HEAD} seed="a\\u{{d800}}" :', 36, ("escape",), '\\u{d800}"'),
        (f'{HEAD} seed="a\\u{{0}}" :', 36, ("escape",), '\\u{0}"'),
        (f'{HEAD} seed="a\nb" :', 36, ("escape",), "\n"),
        (f"{HEAD} engine={'x' * 65} :", 36, ("text 1..64",), "x" * 20),
        (
            f"{HEAD} seed=a seed=b :",
            36,
            ("source", "commitment", "nonce", "engine", '":"'),
            "seed=b",
        ),
        (f"{HEAD} seed=a state={{}} :", 36, None, "state={}"),
        (f"{HEAD} state={{ :", 35, ("state",), "{"),
        (f"{HEAD} state={'{' * 33}{'}' * 33} :", 35, ("state",), "{" * 20),
        (f"{HEAD} : {'P ' * 1000}P", 2031, ('"*"', "end"), "P"),
        (f"{HEAD} state=[] :", 35, ("state",), "[]"),
        (f"{HEAD} source=me :", 36, ("caller", "service"), "me"),
        (f"{HEAD} : +wug,+rrk", 35, ("blank",), ",+rrk"),
        (f"{HEAD} : * +wug", 33, ("end",), "+wug"),
        (f"{HEAD} +wug", 29, None, "+wug"),
        (HEAD, 28, None, None),
    ],
)
def test_a_misspelling_is_found_where_it_is(
    text: str, position: int, expected: tuple[str, ...] | None, found: str | None
) -> None:
    with pytest.raises(NotationError) as refused:
        _read(text)
    error = refused.value
    assert (error.position, error.found) == (position, found)
    assert error.expected
    assert expected is None or error.expected == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"a}',
        '{"a\\"}',
        '{"' + '\\"' * 49_000 + "}",
        '{"' + '\\"' * 49_000 + "}\\",
        '{"' + '"' * 98_000,
    ],
    ids=["open", "escaped", "long", "cut off", "many"],
)
def test_t28_quotes_that_are_never_closed_are_read_once(text: str) -> None:
    """To look for an end from each quote anew would take a minute of a whole worker."""
    with pytest.raises(NotationError) as refused:
        Reader(text).braced("state")
    assert (refused.value.position, refused.value.expected) == (0, ("state",))


def test_another_game_is_written_in_the_same_way() -> None:
    text = "set/1 gamerules(deck=quick) seats=2 seed=abc : 0:C 0:S1.2.3 1:N 0:F 1:X!"
    record = notation.read_record(SET, SET_NOTATION, text)
    assert notation.write_record(SET, SET_NOTATION, record) == text
