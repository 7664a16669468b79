"""A Python client made by openapi-python-client: without a warning, and good for a whole game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from splendor_api.contract import document
from splendor_api.wire import json_text

CONFIG = Path(__file__).with_name("openapi-python-client.yaml")
BIN = Path(sys.executable).parent
PATIENCE = 300  # seconds, after which it counts as stuck
LONGEST_GAME = 1_000  # actions


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Make the client and put it where it can be imported; return what its maker said."""
    folder = tmp_path_factory.mktemp("python") / "client"
    run = subprocess.run(
        [
            *(BIN / "openapi-python-client", "generate", "--fail-on-warning"),
            *("--path", document.PATH, "--config", CONFIG, "--output-path", folder),
        ],
        env=os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},  # it runs ruff
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    said = run.stdout + run.stderr
    assert run.returncode == 0, said
    sys.path.insert(0, str(folder))
    yield said
    sys.path.remove(str(folder))


@pytest.fixture
def client(generated: str, address: str) -> SimpleNamespace:
    """Return the operations of the client by name, each bound to the service."""
    package = import_module("splendor_client")
    connection = package.Client(base_url=address, raise_on_unexpected_status=True)

    def bound(tag: str, name: str) -> Any:
        module = import_module(f"splendor_client.api.{tag}.{name}")

        def call(*names: str, body: Any = None) -> Any:
            """Make the call; what is parsed must be all that was answered."""
            given = {} if body is None else {"body": body}
            response = module.sync_detailed(*names, client=connection, **given)
            answered = json_text.read(response.content, max_depth=64)
            assert response.parsed.to_dict() == answered
            return response.parsed

        return call

    return SimpleNamespace(
        **{
            operation["operationId"]: bound(operation["tags"][0], operation["operationId"])
            for item in document.load()["paths"].values()
            for method, operation in item.items()
            if method != "parameters"
        }
    )


@pytest.fixture
def models(generated: str) -> Any:
    """Return the classes of the client."""
    return import_module("splendor_client.models")


def test_the_client_is_made_without_a_warning(generated: str) -> None:
    assert "warning" not in generated.lower()
    assert "error" not in generated.lower()


def test_the_client_plays_a_whole_game(client: SimpleNamespace, models: Any) -> None:
    dealt = client.deal("splendor", body=models.SplendorDealRequest(seats=2, seed="a game"))
    first = state = dealt.state
    actions: list[Any] = []
    while state.to_act is not None and len(actions) < LONGEST_GAME:
        asked = models.SplendorLegalActionsRequest(state=state)
        listed = client.list_legal_actions("splendor", body=asked)
        actions.append(_best(listed.actions))
        proposal = models.SplendorStateAndAction(state=state, action=actions[-1])
        step = client.apply("splendor", body=proposal)
        assert isinstance(step, models.SplendorStep)
        assert step.events
        state = step.state
    assert state.phase == "over"
    assert state.outcome.reason == "target_prestige"
    assert {standing.seat for standing in state.outcome.ranking} == {0, 1}
    # The client has no name for a union, only for each of its members.
    replayed = client.replay(
        "splendor", body=models.SplendorStateAndActions(state=first, actions=actions)
    )
    assert replayed.state == state


def _best(candidates: list[Any]) -> Any:
    """Return a purchase if there is one, else something else than the last time."""
    bought = [each for each in candidates if each.action.type_ == "buy"]
    if bought:
        return max(bought, key=lambda each: each.preview.prestige).action
    taken = [each for each in candidates if each.action.type_ != "reserve"] or candidates
    return min(taken, key=_surplus).action


def _surplus(candidate: Any) -> tuple[int, int]:
    """Return how badly a choice goes with what is held: fewest to return, most of what is rare."""
    after = candidate.preview.tokens_after.to_dict() if "tokens_after" in candidate.preview else {}
    return getattr(candidate.preview, "must_return", 0) or 0, max(after.values(), default=0)


def test_the_client_reads_every_kind_of_answer(client: SimpleNamespace, models: Any) -> None:
    state = client.deal("splendor", body=models.SplendorDealRequest(seats=3)).state
    assert client.list_games().games[0].name == "splendor"
    assert client.get_game("splendor").options
    assert len(client.get_components("splendor").cards) == 90
    assert client.get_rules("splendor").rules
    assert client.get_problem("illegal_action").status == 422
    assert client.get_violation_page("splendor", "too_few_colors").rule == "S24"
    seen = client.observe("splendor", body=models.SplendorObserveRequest(state=state, seat=None))
    assert isinstance(seen.state.decks, models.SplendorCountedDecks)
    audited = client.audit("splendor", body=models.SplendorAuditRequest(state=state))
    assert audited.findings == []
    call = models.Call(game="splendor", call="audit", body={"state": state.to_dict()})
    batched = client.batch(body=models.BatchRequest(items=[call]))
    assert [answer.status for answer in batched.items] == [200]


def test_the_client_reads_refusals(client: SimpleNamespace, models: Any) -> None:
    state = client.deal("splendor", body=models.SplendorDealRequest(seats=2)).state
    action = models.SplendorTakeDifferent(type_="take_different", colors=["red", "red"])
    proposal = models.SplendorStateAndAction(state=state, action=action)
    refused = client.apply("splendor", body=proposal)
    assert isinstance(refused, models.Refused)
    assert [violation.code for violation in refused.violations] == [
        "duplicate_color",
        "too_few_colors",
    ]
    verdict = client.check("splendor", body=proposal)
    assert not verdict.legal
    wrong = client.deal("splendor", body=models.SplendorDealRequest(seats=7))
    assert isinstance(wrong, models.BadRequest)
    assert wrong.violations[0].code == "out_of_range"
    assert isinstance(client.get_game("tarot"), models.Problem)
