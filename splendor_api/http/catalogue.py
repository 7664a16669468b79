"""What there is to play: games, their options and codes, their components, their rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from splendor_api.games.protocol import Kind, Option, Value
from splendor_api.games.violations import Code
from splendor_api.http import rule_texts
from splendor_api.http.headers import IMMUTABLE, REVALIDATE
from splendor_api.http.operations import Answer, Operation, Served, Service
from splendor_api.http.problems import JsonObject, rule_url
from splendor_api.i18n.catalogue import constant
from splendor_api.wire.requests import DEFAULT_RULESET, FORMAT


def list_games(service: Service) -> Answer:
    """Answer with every game."""
    return Answer(200, {"games": [_summary(game) for game in service.games.values()]})


def get_game(game: Served) -> Answer:
    """Answer with everything that can be said of a game but its components and rules."""
    rules = game.rules
    name = rules.name
    return Answer(
        200,
        {
            "name": name,
            "title": rules.title,
            "format": FORMAT,
            "seats": _seats(rules.seats),
            "rulesets": [
                {"name": ruleset, "says": constant(says), "default": ruleset == DEFAULT_RULESET}
                for ruleset, says in rules.rulesets.items()
            ],
            "options": [_option(option) for option in rules.options],
            "actions": _kinds(rules.actions),
            "events": [
                {"type": event.type, "says": constant(event.says)} for event in rules.events
            ],
            "violations": [described(name, code) for code in rules.codes],
            "findings": [described(name, code) for code in rules.findings],
            "needs": [
                described(name, code)
                for code in (rules.explaining.needs if rules.explaining else ())
            ],
            "outcomes": [
                {"reason": reason, "says": constant(says)}
                for reason, says in rules.outcomes.items()
            ],
        },
    )


def get_components(game: Served) -> Answer:
    """Answer with the components of a game, which never change."""
    return Answer(200, game.wire.components())


def get_rules(game: Served) -> Answer:
    """Answer with the numbered rules of a game."""
    name = game.rules.name
    return Answer(
        200,
        {
            "game": name,
            "rules": [
                {
                    "number": rule.number,
                    "section": rule.section,
                    "text": rule.text,
                    "origin": rule.origin,
                    "url": rule_url(name, rule.number),
                }
                for rule in rule_texts.of_game(name)
            ],
        },
    )


def described(game: str, code: Code) -> JsonObject:
    """Return the JSON of a kind of violation, finding or need of `game`."""
    return {
        "code": code.name,
        "rule": code.rule or None,
        "rule_url": rule_url(game, code.rule) if code.rule else None,
        "means": code.means,
        "message": constant(code.says),
        "params": list(code.params),
    }


def _summary(game: Served) -> JsonObject:
    name = game.rules.name
    return {
        "name": name,
        "title": game.rules.title,
        "seats": _seats(game.rules.seats),
        "rulesets": list(game.rules.rulesets),
        "links": {
            "self": f"/v1/games/{name}",
            "components": f"/v1/games/{name}/components",
            "rules": f"/v1/games/{name}/rules",
        },
    }


def _seats(seats: range) -> JsonObject:
    return {"min": seats[0], "max": seats[-1]}


def _kinds(kinds: Iterable[Kind]) -> list[JsonObject]:
    return [{"type": kind.type, "says": kind.says} for kind in kinds]


def _option(option: Option) -> JsonObject:
    return {
        "name": option.name,
        **_values(option.values),
        "defaults": {name: _default(value) for name, value in option.defaults.items()},
        "says": constant(option.says),
        "rules": list(option.rules),
    }


def _values(values: range | tuple[int, ...] | tuple[str, ...]) -> JsonObject:
    """Return the type of an option and what it may be."""
    if isinstance(values, range):
        return {"type": "integer", "minimum": values[0], "maximum": values[-1]}
    if all(isinstance(value, bool) for value in values):
        return {"type": "boolean"}
    kind = "integer" if all(isinstance(value, int) for value in values) else "word"
    return {"type": kind, "values": list(values)}


def _default(value: Value | Mapping[int, Value]) -> Value | dict[str, Value]:
    """Return a default as JSON has it: the number of seats is a name there, thus text."""
    if not isinstance(value, Mapping):
        return value
    return {str(seats): default for seats, default in value.items()}


_PATH: Final = "/v1/games/{game}"

OPERATIONS: Final = (
    Operation("GET", "/v1/games", "list_games", list_games, keeps=REVALIDATE),
    Operation("GET", _PATH, "get_game", get_game, keeps=REVALIDATE, speaks=True),
    Operation("GET", f"{_PATH}/components", "get_components", get_components, keeps=IMMUTABLE),
    Operation("GET", f"{_PATH}/rules", "get_rules", get_rules, keeps=REVALIDATE),
)
