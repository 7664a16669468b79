"""The conformance kit: questions to an engine of a game, each with the one right answer.

The questions are drawn as the comparison with the reference draws them, the answers are the core's.
Of all that is drawn a case is kept if it shows something of which there are not enough cases yet: a
rule, a code, an event, a type of action or of finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from splendor_api.games.registry import GAMES, Entry
from splendor_api.games.violations import Violation
from splendor_api.http import rule_texts
from splendor_api.wire import json_text
from tests.conformance import perft
from tests.conformance.turn import Json, Rulebook, Turn
from tests.conformance.turn_set import SET
from tests.conformance.turn_splendor import SPLENDOR
from tests.reference.differential import Chance, Subject, copied
from tests.reference.subjects import SUBJECTS
from tests.strategies.playing import as_json, read_action, read_state

HERE: Final = Path(__file__).parents[2] / "conformance"
VERSION: Final = "1.0.0"
FORMAT: Final = 1
PERFT: Final = "perft.jsonl"

RULEBOOKS: Final[Mapping[str, Rulebook]] = {"splendor": SPLENDOR, "set": SET}
SERIES: Final[Mapping[str, tuple[int, ...]]] = {
    "splendor": (*range(18), 39, 51, 74, 118),
    "set": (*range(12), 21, 28, 124),
}
"""The series of games that are searched: a few, and those that have what is rare."""

STEPS: Final = 40  # of a series
ASKED: Final = 10  # actions at each step
DAMAGES: Final = 3  # of each state
ENOUGH: Final = 3  # cases that show the same


@dataclass(slots=True)
class Shelf:
    """The cases kept of one game, and how often each thing is shown by them."""

    entry: Entry
    rulebook: Rulebook
    cases: list[Json] = field(default_factory=list)
    shown: Counter[str] = field(default_factory=Counter)

    def keep(self, kind: str, rules: Iterable[str], things: Iterable[str], **members: Any) -> None:
        """Keep a case of this kind if it shows what is not shown enough."""
        numbers = sorted(set(rules), key=lambda rule: int(rule[1:]))
        shows = {*numbers, *things}
        if all(self.shown[thing] >= ENOUGH for thing in shows):
            return
        self.shown.update(shows)
        name = f"{self.entry.rules.name}-{len(self.cases) + 1:04}"
        self.cases.append({"id": name, "kind": kind, "rules": numbers, **members})


def files() -> dict[str, bytes]:
    """Return every file of the kit but the page about it, by name."""
    kits = {name: cases(name) for name in GAMES}
    made = {f"{name}.jsonl": lines(kit) for name, kit in kits.items()}
    made[PERFT] = lines(perft.cases())
    return {**made, "manifest.json": _manifest(kits, made)}


def cases(game: str) -> list[Json]:
    """Return the cases of one game, the same ones each time. `missing` says what they lack."""
    shelf = Shelf(GAMES[game], RULEBOOKS[game])
    subject = SUBJECTS[game]
    for number in SERIES[game]:
        _search(shelf, subject, f"conformance {number}")
    return shelf.cases


def answer(game: str, case: Json) -> Json:
    """Return what the core answers to the question of a case."""
    entry = GAMES[game]
    if case["kind"] == "deal":
        state = entry.rules.deal(case["seats"], case["ruleset"], case["options"], case["seed"])
        return {"state": as_json(entry.wire.dump_state(state))}
    state = read_state(entry, case["state"])
    if case["kind"] == "observe":
        seen = entry.rules.observe(state, case["seat"])
        return {"state": as_json(entry.wire.dump_state(seen))}
    if case["kind"] == "audit":
        return {"findings": [*map(_told, entry.rules.audit(state))]}
    action = read_action(entry, case["action"])
    if case["kind"] == "watch":
        return {"events": _watched(entry, state, action, case["seat"])}
    return _applied(entry, state, action)


def _applied(entry: Entry, state: Any, action: Any) -> Json:
    """Return what an action leads to, or every rule that it breaks."""
    broken = [*map(_told, entry.rules.violations(state, action))]
    if broken:
        return {"violations": broken}
    after, events = entry.rules.apply(state, action)
    told = as_json([*map(entry.wire.dump_event, events)])
    return {"state": as_json(entry.wire.dump_state(after)), "events": told}


def _watched(entry: Entry, state: Any, action: Any, seat: int | None) -> list[Json]:
    """Return what a seat sees of what an action makes happen."""
    seen = entry.rules.observe_step(entry.rules.apply(state, action), seat)
    told: list[Json] = as_json([*map(entry.wire.dump_event, seen)])
    return told


def _told(violation: Violation) -> Json:
    """Return a violation or finding as JSON, but for its sentence."""
    code = violation.code
    return {
        "code": code.name,
        "pointer": violation.pointer,
        "params": as_json(dict(violation.params)),
        "rule": code.rule or None,
    }


def _search(shelf: Shelf, subject: Subject, seed: str) -> None:
    """Play a series of games and keep what they show."""
    chance, state = Chance(seed), None
    for step in range(STEPS):
        if state is None:
            seats, ruleset, options, name = subject.deal(chance, f"{seed}/{step}")
            deal = {"seats": seats, "ruleset": ruleset, "options": options, "seed": name}
            state = subject.start(_keep_deal(shelf, deal), chance)
        choices = subject.reference.legal_choices(state)
        read = read_state(shelf.entry, state)
        for action in subject.batch(state, choices, chance, ASKED):
            _keep_action(shelf, state, read, action)
        for seat in (None, chance.below(len(state["players"]))):
            _keep_observation(shelf, state, read, seat)
        for _ in range(DAMAGES):
            damaged = copied(state)
            chance.one_of(subject.damages)(damaged, chance)
            _keep_audit(shelf, damaged)
        state = subject.advance(state, choices, chance)


def _keep_deal(shelf: Shelf, deal: Json) -> Json:
    """Keep the deal if it is wanted; return the state dealt."""
    things = [f"deal for {deal['seats']}", f"deal by {deal['ruleset']}"]
    things += [f"deal with {name}" for name in deal["options"]]
    expected = answer(shelf.entry.rules.name, {"kind": "deal", **deal})
    shelf.keep("deal", shelf.rulebook.dealt, things, **deal, expect=expected)
    state: Json = expected["state"]
    return state


def _keep_action(shelf: Shelf, state: Json, read: Any, action: Json) -> None:
    """Keep an action in a state, which is given as JSON and as it is read."""
    kind, done = action["type"], read_action(shelf.entry, action)
    expected = _applied(shelf.entry, read, done)
    if "violations" in expected:
        codes = [violation["code"] for violation in expected["violations"]]
        rules = {violation["rule"] for violation in expected["violations"]} - {None}
        rules |= shelf.rulebook.refused(state, action, codes)
        things = [f"{kind}: {' '.join(codes)}"] if len(codes) < 3 else codes
        shelf.keep("apply", rules, things, state=state, action=action, expect=expected)
        return
    turn = Turn(state, action, expected["state"], expected["events"])
    rules = {rule for rule, is_shown in shelf.rulebook.applied.items() if is_shown(turn)}
    things = [f"event {event['type']}" for event in turn.events]
    things.append(f"{kind} leads to {turn.after['phase']}")
    shelf.keep("apply", rules, things, state=state, action=action, expect=expected)
    told = _watched(shelf.entry, read, done, None)
    if told != turn.events:
        things = [f"{event['type']} watched in {turn.after['phase']}" for event in told]
        shelf.keep(
            "watch", (), things, state=state, action=action, seat=None, expect={"events": told}
        )


def _keep_observation(shelf: Shelf, state: Json, read: Any, seat: int | None) -> None:
    seen = as_json(shelf.entry.wire.dump_state(shelf.entry.rules.observe(read, seat)))
    rules = shelf.rulebook.observed(state, seen, seat)
    things = [f"seen in {state['phase']}"]
    shelf.keep("observe", rules, things, state=state, seat=seat, expect={"state": seen})


def _keep_audit(shelf: Shelf, state: Json) -> None:
    """Keep a damaged state, if not too much is wrong with it at once."""
    if not _is_well_formed(shelf.entry, state):
        return
    expected = answer(shelf.entry.rules.name, {"kind": "audit", "state": state})
    codes = sorted({finding["code"] for finding in expected["findings"]})
    rules = {finding["rule"] for finding in expected["findings"]} - {None}
    rules |= shelf.rulebook.audited(state, codes)
    if len(codes) < 3:
        shelf.keep("audit", rules, codes or ["sound"], state=state, expect=expected)


def _is_well_formed(entry: Entry, state: Json) -> bool:
    faults: list[Any] = []
    entry.wire.state.read(state, faults)
    return not faults


def lines(kit: Iterable[Json]) -> bytes:
    """Return cases as JSON Lines."""
    return b"".join(json_text.write(case) + b"\n" for case in kit)


def _manifest(kits: Mapping[str, list[Json]], made: Mapping[str, bytes]) -> bytes:
    """Return what is in the kit: of each file its cases, its checksum, and what it covers."""
    described = {
        f"{game}.jsonl": {
            "game": game,
            "cases": len(kit),
            "kinds": dict(sorted(Counter(case["kind"] for case in kit).items())),
            "sha256": sha256(made[f"{game}.jsonl"]).hexdigest(),
            "covers": {name: sorted(words) for name, words in covered(kit).items()},
        }
        for game, kit in kits.items()
    }
    counted = {"cases": len(perft.POSITIONS), "sha256": sha256(made[PERFT]).hexdigest()}
    whole = {"version": VERSION, "format": FORMAT, "files": {**described, PERFT: counted}}
    return json_text.write(whole) + b"\n"


def covered(kit: Iterable[Json]) -> dict[str, set[str]]:
    """Return the rules, codes of violations and findings, and events that cases show."""
    found: dict[str, set[str]] = {
        "rules": set(),
        "violations": set(),
        "findings": set(),
        "events": set(),
    }
    for case in kit:
        expected = case["expect"]
        found["rules"].update(case["rules"])
        for name in ("violations", "findings"):
            found[name].update(each["code"] for each in expected.get(name, ()))
        found["events"].update(event["type"] for event in expected.get("events", ()))
    return found


def missing(game: str, kit: Iterable[Json]) -> set[str]:
    """Return the rules, codes and events of a game that no case shows."""
    rules, found = GAMES[game].rules, covered(kit)
    return (
        ({rule.number for rule in rule_texts.of_game(game)} - found["rules"])
        | ({code.name for code in rules.codes} - found["violations"])
        | ({code.name for code in rules.findings} - found["findings"])
        | ({kind.type for kind in rules.events} - found["events"])
    )


def read() -> Iterator[tuple[str, Json]]:
    """Yield every case that is stored, with the name of its game."""
    for game in GAMES:
        for line in (HERE / f"{game}.jsonl").read_bytes().splitlines():
            case: Any = json_text.read(line, max_depth=64)
            yield game, case
