"""Bodies of requests, made of games that were played, and ways to damage them at every level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from splendor_api.games.opponents import LEVELS
from splendor_api.games.registry import Entry
from splendor_api.wire import json_text
from tests.contract.schemas import Schema
from tests.strategies.playing import Play
from tests.strategies.states import options, plays

Json = Any
Place = tuple[Any, Any]
"""A list or object, and the index or name of something in it."""

KEY: Final = "y" * 43  # of a seat, or a seed that is hard to guess
FEW: Final = 3  # actions of a replay, items of a list

SOME_WORDS: Final = 5  # every fifth word that is known is tried in every place
STEP: Final = 0.75  # how often a mutation goes one level deeper, where it can

PLAIN: Final[tuple[Json, ...]] = (
    *(2**53, -(2**63), 10**30, 0.5, -1.5, 1e300, True, False, None),
    *("", " ", "1", "x", "\0", "ж", "🂡" * 128, "🂡" * 129, "y" * 64, "y" * 65, "z" * 512, "z" * 513),
    *([], [None], [1], [1, 2, 3, 4], [1] * 5, [1] * 10, [1] * 11, [1] * 90, [1] * 91),
    *({}, {"count": 3}, {"count": 91}, {"level": 2, "hidden": True}, {"card": 7, "hidden": False}),
    *({"white": 1}, {"white": 0, "gold": 101}, {"x": 1}),
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a document names: words, members, and the numbers at its bounds."""

    words: tuple[str, ...]
    numbers: tuple[int, ...]


@st.composite
def bodies(draw: DrawFn, entry: Entry, call: str) -> Json:
    """Draw a body that a call takes."""
    return plain(_CALLS[call](draw, entry))


def plain(value: object) -> Json:
    """Return `value` as it is read from JSON."""
    return json_text.read(json_text.write(value))


def mutated(body: Json, known: Vocabulary, chance: Random) -> Json:
    """Return a copy of `body`, damaged in one to three places; perhaps it is still well formed."""
    root = [deepcopy(body)]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        container, name = _somewhere(root, chance)
        chance.choice(_MUTATIONS)(_Damage(root, container, name, known, chance))
    return root[0]


def swept(body: Json, known: Vocabulary) -> Iterator[Json]:
    """Yield `body` with each part of it left out or something else in its place.

    Of a list only the first items are treated so. It is the same object each time.
    """
    missing = object()
    words = known.words[::SOME_WORDS]
    for container, name in list(_places([body])):
        whole = container[name]
        for value in (*PLAIN, *known.numbers, *words):
            container[name] = value
            yield body
        container[name] = whole
        if isinstance(container, dict):
            del container[name]
            yield body
            container[name] = whole
        if isinstance(whole, dict):
            for word in words:
                before = whole.get(word, missing)
                whole[word] = 1
                yield body
                del whole[word]
                if before is not missing:
                    whole[word] = before


def vocabulary(schema: Schema) -> Vocabulary:
    """Return what a schema, or anything that holds schemas, names."""
    words: set[str] = set()
    numbers: set[int] = {-1, 0, 1}
    waiting: list[Any] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        if isinstance(node, dict):
            waiting += node.values()
            words.update(node.get("properties", ()))
            named = [node.get("const"), *node.get("enum", ())]
            words.update(word for word in named if isinstance(word, str))
            bounds = (node.get("minimum"), node.get("maximum"))
            numbers.update(
                number + step for number in bounds if type(number) is int for step in (-1, 0, 1)
            )
    return Vocabulary(tuple(sorted(words)), tuple(sorted(numbers)))


def _deal(draw: DrawFn, entry: Entry) -> Json:
    body: Json = {
        "ruleset": draw(st.sampled_from(tuple(entry.rules.rulesets))),
        "options": draw(options(entry)),
        "seed": draw(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1)),
        "secrecy": "open",
    }
    seats = draw(st.sampled_from(entry.rules.seats))
    if draw(st.booleans()):
        sealed = {"secrecy": "sealed", "seed": KEY, "lock_seats": draw(st.booleans())}
        return {"seats": seats, **body, **sealed}
    return {"seats": seats, **_some(draw, body)}


def _state_and_action(draw: DrawFn, entry: Entry) -> Json:
    game = draw(plays(entry).filter(lambda game: game.actions))
    place = draw(st.integers(0, len(game.actions) - 1))
    action = entry.wire.dump_action(game.actions[place])
    body = {"state": _state(draw, entry, game, place), "action": action}
    return {**body, **draw(st.sampled_from(({}, {"seat_key": KEY}, {"seat_key": KEY, "seat": 0})))}


def _legal_actions(draw: DrawFn, entry: Entry) -> Json:
    body: Json = {
        "detail": draw(st.sampled_from(("choices", "turns"))),
        "include_illegal": draw(st.booleans()),
        "seat": draw(st.sampled_from(entry.rules.seats)) - 1,
        "cursor": draw(st.sampled_from((None, "from-2000"))),
        "seat_key": KEY,
    }
    return {"state": _last(draw, entry), **_some(draw, body)}


def _replay(draw: DrawFn, entry: Entry) -> Json:
    game = draw(plays(entry))
    actions = [entry.wire.dump_action(action) for action in game.actions[:FEW]]
    if draw(st.booleans()):
        body = {"state": _state(draw, entry, game, 0), "actions": actions}
        return {**body, **_some(draw, {"seat_keys": [KEY]})}
    if draw(st.booleans()):
        return {"notation": f"{entry.rules.name}/1 gamerules seats=2 seed=seed :"}
    return {"record": _record(draw, entry, game)}


def _record(draw: DrawFn, entry: Entry, game: Play) -> Json:
    return {
        "game": entry.rules.name,
        "format": 1,
        "engine": "tests",
        "seats": entry.rules.seats_of(game.last),
        "ruleset": {"name": next(iter(entry.rules.rulesets)), "options": draw(options(entry))},
        "seed": "seed",
        "actions": [entry.wire.dump_action(action) for action in game.actions[:FEW]],
    }


def _notation(draw: DrawFn, entry: Entry) -> Json:
    game = draw(plays(entry).filter(lambda game: game.actions))
    action = game.actions[-1]
    kind = draw(st.sampled_from(("action", "record", "notation")))
    if kind == "action":
        return {"action": entry.wire.dump_action(action)}
    if kind == "record":
        return {"record": _record(draw, entry, game)}
    assert entry.notation is not None
    return {"notation": entry.notation.write(action)}


def _observe(draw: DrawFn, entry: Entry) -> Json:
    seats = (None, *range(entry.rules.seats[-1]))
    body = {"state": _last(draw, entry), "seat": draw(st.sampled_from(seats))}
    return {**body, **_some(draw, {"solutions": False, "seat_key": KEY})}


def _picture(draw: DrawFn, entry: Entry) -> Json:
    state = _last(draw, entry)
    if "sealed" in state and draw(st.booleans()):
        del state["sealed"]  # what is left is what a spectator sees
    seats = (None, *range(entry.rules.seats[-1]))
    theme = draw(st.sampled_from(("light", "dark")))
    body = {"seat": draw(st.sampled_from(seats)), "seat_key": KEY, "theme": theme}
    return {"state": state, **_some(draw, body)}


def _audit(draw: DrawFn, entry: Entry) -> Json:
    return {"state": _last(draw, entry)}


def _suggest(draw: DrawFn, entry: Entry) -> Json:
    body: Json = {
        "seat": draw(st.sampled_from(entry.rules.seats)) - 1,
        "seed": "seed",
        "budget_ms": draw(st.integers(1, 5_000)),
        "playouts": draw(st.integers(1, 20_000)),
        "seat_key": KEY,
    }
    level = draw(st.sampled_from(LEVELS))
    return {"state": _last(draw, entry), "level": level, **_some(draw, body)}


def _explain(draw: DrawFn, entry: Entry) -> Json:
    body = _state_and_action(draw, entry)
    others = {"solutions": False, "action": body.pop("action"), "seat": body.pop("seat", None)}
    return {**body, **_some(draw, others)}


def _sessions(draw: DrawFn, entry: Entry) -> Json:
    body: Json = {
        "lifetime_seconds": draw(st.integers(60, 604_800)),
        entry.rules.time_limit: draw(st.integers(1, 604_800)),
        "spectators": draw(st.booleans()),
        "metadata": draw(st.dictionaries(st.sampled_from("abc"), st.sampled_from(("", "ж")))),
        "bots": draw(st.dictionaries(st.sampled_from("01"), st.sampled_from(LEVELS))),
    }
    kept = {"game": entry.rules.name, **_some(draw, body)}
    if draw(st.booleans()):
        return {**kept, "state": _last(draw, entry), **_some(draw, {"seat_keys": [KEY]})}
    deal = {"ruleset": next(iter(entry.rules.rulesets)), "options": {}, "seed": KEY}
    return {**kept, "seats": draw(st.sampled_from(entry.rules.seats)), **_some(draw, deal)}


def _batch(draw: DrawFn, entry: Entry) -> Json:
    calls = draw(st.lists(st.sampled_from(("deal", "audit", "observe")), min_size=1, max_size=2))
    return {
        "items": [
            {"game": entry.rules.name, "call": call, "body": _CALLS[call](draw, entry)}
            for call in calls
        ]
    }


_CALLS: Final[dict[str, Callable[[DrawFn, Entry], Json]]] = {
    "deal": _deal,
    "apply": _state_and_action,
    "check": _state_and_action,
    "legal-actions": _legal_actions,
    "replay": _replay,
    "notation": _notation,
    "observe": _observe,
    "audit": _audit,
    "suggest": _suggest,
    "picture": _picture,
    "explain": _explain,
    "sessions": _sessions,
    "batch": _batch,
}

CALLS: Final = tuple(_CALLS)


def _last(draw: DrawFn, entry: Entry) -> Json:
    return _state(draw, entry, draw(plays(entry)), -1)


def _state(draw: DrawFn, entry: Entry, game: Play, place: int) -> Json:
    """Draw a state of a game, open or as if it were sealed."""
    state = game.states[place]
    if entry.rules.outcome(state) is not None or draw(st.booleans()):
        return entry.wire.dump_state(state)
    return {**entry.wire.dump_state(entry.rules.observe(state, None)), "sealed": "a seal"}


def _some(draw: DrawFn, members: Json) -> Json:
    """Draw some of the members of an object."""
    return {name: value for name, value in members.items() if draw(st.booleans())}


def _places(container: Json) -> Iterator[Place]:
    """Yield the place of everything in `container`, of a list only of the first items."""
    names = container if isinstance(container, dict) else range(min(FEW, len(container)))
    for name in names:
        yield container, name
        if isinstance(container[name], dict | list):
            yield from _places(container[name])


@dataclass(frozen=True, slots=True)
class _Damage:
    """Where a mutation is to be, and what it may be made of."""

    root: list[Json]
    container: Json
    name: Any
    known: Vocabulary
    chance: Random

    @property
    def target(self) -> Json:
        """Return what is there."""
        return self.container[self.name]

    @property
    def word(self) -> str:
        """Return a word or a name."""
        return self.chance.choice((*self.known.words, "x", "", "a/b~c"))

    @property
    def value(self) -> Json:
        """Return something that may stand anywhere: plain, or a part of the body itself."""
        kind = self.chance.randrange(4)
        if kind == 0:
            return deepcopy(self.chance.choice(PLAIN))
        if kind == 1:
            return self.word
        if kind == 2:
            return self.chance.choice(self.known.numbers)
        container, name = _somewhere(self.root, self.chance)
        return deepcopy(container[name])


def _somewhere(root: list[Json], chance: Random) -> Place:
    """Return the place of something in the body, at any level."""
    container: Json = root
    name: Any = 0
    while isinstance(container[name], dict | list) and container[name] and chance.random() < STEP:
        container = container[name]
        name = chance.choice(
            tuple(container) if isinstance(container, dict) else range(len(container))
        )
    return container, name


def _replace(place: _Damage) -> None:
    place.container[place.name] = place.value


def _nudge(place: _Damage) -> None:
    """Put another value of the same type, at a bound or next to it."""
    if type(place.target) is int:
        near = (place.target - 1, place.target + 1, *place.known.numbers)
        place.container[place.name] = place.chance.choice(near)
    elif isinstance(place.target, str):
        place.container[place.name] = place.word
    else:
        _replace(place)


def _remove(place: _Damage) -> None:
    if place.container is not place.root:
        del place.container[place.name]


def _add(place: _Damage) -> None:
    if isinstance(place.target, dict):
        place.target[place.word] = place.value
    elif isinstance(place.target, list):
        place.target.insert(place.chance.randint(0, len(place.target)), place.value)
    else:
        _replace(place)


def _rename(place: _Damage) -> None:
    if isinstance(place.container, dict):
        place.container[place.word] = place.container.pop(place.name)


def _repeat(place: _Damage) -> None:
    if isinstance(place.target, list) and place.target:
        more = place.chance.choice((1, 1, 2, 90))
        place.target.extend(deepcopy(place.chance.choice(place.target)) for _ in range(more))
    else:
        _nudge(place)


_MUTATIONS: Final = (_replace, _nudge, _remove, _add, _rename, _repeat)
