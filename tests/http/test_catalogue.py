"""What is said of games."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient


def test_every_game_is_listed_with_its_links(nim: FlaskClient) -> None:
    (game,) = nim.get("/v1/games").get_json()["games"]
    links = game.pop("links")
    assert game == {
        "name": "nim",
        "title": "Nim",
        "seats": {"min": 1, "max": 3},
        "rulesets": ["gamerules"],
    }
    assert all(nim.get(link).status_code == 200 for link in links.values())


def test_a_game_is_described_whole(nim: FlaskClient) -> None:
    game = nim.get("/v1/games/nim").get_json()
    assert game["rulesets"] == [{"name": "gamerules", "says": "The only one.", "default": True}]
    assert game["format"] == 1
    assert game["actions"][0] == {"type": "take", "says": "Takes stones."}
    assert game["events"] == [{"type": "taken", "says": "Stones were taken."}]
    assert game["outcomes"] == [{"reason": "last_stone", "says": "The heap is gone."}]
    assert [each["code"] for each in game["violations"]] == ["game_over", "wrong_seat", "too_many"]
    assert game["findings"] == [
        {
            "code": "heap_too_large",
            "rule": None,
            "rule_url": None,
            "means": "There are more stones than at the start.",
            "message": "Stone {stone} is one too many.",
            "params": ["stone"],
        }
    ]


def test_an_option_tells_its_type_bounds_and_defaults(nim: FlaskClient) -> None:
    heap, most, last, step, quiet = nim.get("/v1/games/nim").get_json()["options"]
    assert heap == {
        "name": "heap",
        "type": "integer",
        "minimum": 1,
        "maximum": 5000,
        "defaults": {"gamerules": {"1": 5, "2": 10, "3": 15}},
        "says": "Stones.",
        "rules": ["N1"],
    }
    assert most["defaults"] == {"gamerules": 3}
    assert (last["type"], last["values"]) == ("word", ["wins", "loses"])
    assert quiet["type"] == "boolean"
    assert "values" not in quiet
    assert (step["type"], step["values"]) == ("integer", [1, 2, 5])


def test_components_are_the_game_s_own(nim: FlaskClient) -> None:
    assert nim.get("/v1/games/nim/components").get_json() == {"stones": ["pebble"]}


def test_codes_and_options_of_every_game_name_rules_that_there_are(client: FlaskClient) -> None:
    for listed in client.get("/v1/games").get_json()["games"]:
        game: dict[str, Any] = client.get(listed["links"]["self"]).get_json()
        rules = client.get(listed["links"]["rules"]).get_json()["rules"]
        numbers = {rule["number"] for rule in rules}
        named = [code["rule"] for code in game["violations"] + game["findings"] if code["rule"]]
        named += [rule for option in game["options"] for rule in option["rules"]]
        assert set(named) <= numbers
        assert len(numbers) == len(rules)


def test_every_sentence_of_a_code_asks_for_its_own_parameters(client: FlaskClient) -> None:
    for listed in client.get("/v1/games").get_json()["games"]:
        game = client.get(listed["links"]["self"]).get_json()
        for code in game["violations"] + game["findings"]:
            assert code["message"].format_map(dict.fromkeys(code["params"], "x"))
