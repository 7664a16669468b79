"""How many ways there are to go on from a position, by the number of steps.

Of two ways to a state only one is followed, the other is counted with it; the last step is counted
by the length of its list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Literal

from splendor_api.games.registry import GAMES, Entry
from splendor_api.wire import json_text
from tests.conformance.turn import Json
from tests.strategies.playing import Manner, as_json, moves, read_state

Detail = Literal["choices", "turns"]
DETAILS: Final[tuple[Detail, ...]] = ("choices", "turns")


@dataclass(frozen=True, slots=True)
class Position:
    """A deal, or what a game that plays itself has come to after so many actions."""

    game: str
    seats: int
    ruleset: str
    seed: str
    depths: Mapping[Detail, int]
    options: Mapping[str, Any] = field(default_factory=dict)
    actions: int = 0
    liked: tuple[str, ...] = ()

    @property
    def entry(self) -> Entry:
        """Return the game."""
        return GAMES[self.game]

    def title(self, name: str) -> str:
        """Return what tells the position from others, under its name."""
        seats = "1 seat" if self.seats == 1 else f"{self.seats} seats"
        parts = [self.game, seats, self.ruleset, f"seed `{self.seed}`"]
        parts += [f"`{option}: {value}`" for option, value in self.options.items()]
        parts += [f"after {self.actions} actions"] if self.actions else []
        return f"`{name}`: {', '.join(parts)}"

    def state(self) -> Any:
        """Return the state in which counting begins."""
        dealt = self.entry.rules.deal(self.seats, self.ruleset, self.options, self.seed)
        going = moves(self.entry, dealt, Manner(self.liked, firmness=6), self.seed)
        return [dealt, *(state for _, state in islice(going, self.actions))][-1]


BUYING: Final = ("choose_noble", "buy", "take_different", "reserve")
EARLY: Final[Mapping[Detail, int]] = {"choices": 4, "turns": 4}
LATE: Final[Mapping[Detail, int]] = {"choices": 4, "turns": 3}
CALLED: Final[Mapping[Detail, int]] = {"choices": 6, "turns": 3}

POSITIONS: Final[tuple[Position, ...]] = (
    Position("splendor", 2, "gamerules", "splendor", EARLY),
    Position("splendor", 2, "publisher", "splendor", EARLY),
    Position("splendor", 3, "gamerules", "perft", EARLY),
    Position("splendor", 4, "publisher", "perft", EARLY),
    Position("splendor", 2, "publisher", "middle", LATE, actions=40, liked=BUYING),
    Position("splendor", 3, "publisher", "nobles", LATE, {"nobles_revealed": 10}, 66, BUYING),
    Position("splendor", 4, "gamerules", "full hands", LATE, actions=50, liked=("reserve",)),
    Position("splendor", 2, "publisher", "end", LATE, {"target_prestige": 8}, 52, BUYING),
    Position("set", 1, "gamerules", "set", CALLED),
    Position("set", 2, "gamerules", "set", CALLED),
    Position("set", 3, "publisher", "perft", CALLED, {"deck": "quick"}),
    Position("set", 2, "publisher", "end", CALLED, actions=24, liked=("claim",)),
)
"""What is counted, and to which depth."""

DEEPEST: Final = max(depth for position in POSITIONS for depth in position.depths.values())


def counts(entry: Entry, state: Any, detail: Detail, depth: int) -> Iterator[int]:
    """Yield the number of ways to take one step, two, up to `depth` of them."""
    listed: Callable[[Any, None], Any] = getattr(entry.rules, detail)
    level: Counter[Any] = Counter({state: 1})
    for step in range(1, depth + 1):
        following: Counter[Any] = Counter()
        total = 0
        for each, ways in level.items():
            actions = list(listed(each, None))
            total += ways * len(actions)
            if step < depth:
                for action in actions:
                    following[entry.rules.apply(each, action).state] += ways
        yield total
        level = following


def cases() -> Iterator[Json]:
    """Yield each position with its counts."""
    for number, position in enumerate(POSITIONS, start=1):
        state = position.state()
        yield {
            "id": f"perft-{number:02}",
            "game": position.game,
            "state": as_json(position.entry.wire.dump_state(state)),
            **{
                detail: list(counts(position.entry, state, detail, position.depths[detail]))
                for detail in DETAILS
            },
        }


def table(lines: Iterable[bytes]) -> str:
    """Return the stored cases as the rows of the documentation's table, deepest last."""
    rows = [
        "| position | listed | " + " | ".join(f"depth {n}" for n in range(1, DEEPEST + 1)) + " |"
    ]
    rows.append("| --- | --- |" + " ---: |" * DEEPEST)
    for position, line in zip(POSITIONS, lines, strict=True):
        case = read_case(line)[2]
        for detail in DETAILS:
            told = [f"{count:,}" for count in case[detail]]
            told += [""] * (DEEPEST - len(told))
            rows.append(f"| {position.title(case['id'])} | {detail} | {' | '.join(told)} |")
    return "\n".join(rows) + "\n"


def read_case(line: bytes) -> tuple[Entry, Any, Json]:
    """Return the game, the state and the counts of a line."""
    case: Any = json_text.read(line, max_depth=64)
    entry = GAMES[case["game"]]
    return entry, read_state(entry, case["state"]), case
