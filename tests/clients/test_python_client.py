"""A Python client made by openapi-python-client: without a warning, and good for a whole game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from pathlib import Path
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


class Caller:
    """The operations of the client by name, for somebody who has a token or none."""

    def __init__(self, address: str, token: str | None = None) -> None:
        package = import_module("splendor_client")
        common = {"base_url": address, "raise_on_unexpected_status": True}
        self.connection = (
            package.Client(**common)
            if token is None
            else package.AuthenticatedClient(**common, token=token)
        )

    def __getattr__(self, name: str) -> Any:
        """Return the operation of this name."""
        module = import_module(f"splendor_client.api.{TAGS[name]}.{name}")

        def call(*names: str | int, **given: Any) -> Any:
            """Make the call; what is parsed must be all that was answered."""
            response = module.sync_detailed(*names, client=self.connection, **given)
            answered = json_text.read(response.content, max_depth=64)
            assert response.parsed.to_dict() == answered
            return response.parsed

        return call


TAGS = {
    operation["operationId"]: operation["tags"][0]
    for item in document.load()["paths"].values()
    for method, operation in item.items()
    if method != "parameters"
}


@pytest.fixture
def client(generated: str, address: str) -> Caller:
    """Return the client of somebody without a token."""
    return Caller(address)


@pytest.fixture
def models(generated: str) -> Any:
    """Return the classes of the client."""
    return import_module("splendor_client.models")


def test_the_client_is_made_without_a_warning(generated: str) -> None:
    assert "warning" not in generated.lower()
    assert "error" not in generated.lower()


def test_the_client_plays_a_whole_game(client: Caller, models: Any) -> None:
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


def test_the_client_reads_every_kind_of_answer(client: Caller, models: Any) -> None:
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


def test_the_client_reads_refusals(client: Caller, models: Any) -> None:
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


def test_the_client_keeps_a_sealed_state_whole(client: Caller, models: Any) -> None:
    wanted = models.SplendorDealRequest(seats=2, secrecy="sealed")
    dealt = client.deal("splendor", body=wanted)
    assert isinstance(dealt.state, models.SplendorSealedState)
    action = models.SplendorReserve(type_="reserve", level=1)
    proposal = models.SplendorStateAndAction(state=dealt.state, action=action)
    assert client.apply("splendor", body=proposal).code == "forbidden"
    proposal.seat_key = dealt.seat_keys[0]
    step = client.apply("splendor", body=proposal)
    assert isinstance(step.state, models.SplendorSealedState)
    asked = models.SplendorObserveRequest(state=step.state, seat=0, seat_key=dealt.seat_keys[0])
    seen = client.observe("splendor", body=asked).state.players[0].reserved
    assert isinstance(seen[0], models.SplendorReservedCard)


def test_the_client_plays_the_other_game(client: Caller, models: Any) -> None:
    dealt = client.deal("set", body=models.SetDealRequest(seats=1, seed="a game"))
    assert isinstance(dealt, models.SetOpenDeal)
    state = dealt.state
    while state.phase != "over":
        asked = models.SetObserveRequest(state=state, seat=None, solutions=True)
        found = client.observe("set", body=asked).solutions
        claim = models.SetClaim(type_="claim", seat=0, cards=found[0])
        step = client.apply("set", body=models.SetStateAndAction(state=state, action=claim))
        assert isinstance(step, models.SetStep)
        assert isinstance(step.events[0], models.SetSetClaimed)
        state = step.state
    assert state.outcome.reason == "no_set_left"


def test_the_client_plays_a_session_and_follows_it(
    client: Caller, models: Any, address: str
) -> None:
    options = models.SplendorOptionChoices(target_prestige=5)
    wanted = models.SplendorSessionRequest(game="splendor", seats=2, options=options)
    made = client.create_session(body=wanted, idempotency_key="a-key-that-nobody-guesses")
    again = client.create_session(body=wanted, idempotency_key="a-key-that-nobody-guesses")
    assert again == made
    with ThreadPoolExecutor() as pool:
        stream = Caller(address, made.seat_tokens[1]).connection
        followed = pool.submit(_followed, stream, made.id, models)
        seen = _play_session(address, made, models)
        first, *steps, last = followed.result(PATIENCE)
    assert seen.state.phase == "over"
    assert sha256(f"{seen.nonce}:{seen.seed}".encode()).hexdigest() == made.commitment
    assert isinstance(first, models.SessionObservation)
    assert last == models.SessionClosed(reason="over")
    history = client.get_history(made.id, after=first.version)
    assert [each.to_dict() for each in steps] == [each.to_dict() for each in history.steps]
    assert steps[-1].outcome == seen.outcome
    record = models.SplendorRecord.from_dict(client.get_record(made.id).to_dict())
    replayed = client.replay("splendor", body=models.SplendorRecordOnly(record=record))
    assert replayed.outcome == seen.outcome


def _play_session(address: str, made: Any, models: Any) -> Any:
    """Play with the token of whoever is to act; return what the first seat sees at the end."""
    seats = [Caller(address, token) for token in made.seat_tokens]
    for count in range(LONGEST_GAME):
        seen = seats[0].get_session(made.id)
        if seen.to_act is None:
            return seen
        seat = seats[seen.to_act]
        action = _best(seat.list_session_actions_legal(made.id).actions)
        said = {"if_match": f'"{seen.version}"', "idempotency_key": f"action-{count}"}
        body = models.SessionActionRequest(action=action)
        answer = seat.act(made.id, body=body, **said)
        assert isinstance(answer, models.SessionAnswer)
        assert seat.act(made.id, body=body, **said) == answer
    raise AssertionError("the game does not end")


def _followed(connection: Any, session: str, models: Any) -> list[Any]:
    """Follow a session to its end; return what its events tell."""
    kinds = {
        "snapshot": models.SessionObservation,
        "step": models.SessionStep,
        "closed": models.SessionClosed,
    }
    told: list[Any] = []
    name = ""
    http = connection.get_httpx_client()
    with http.stream("GET", f"/v1/sessions/{session}/events", timeout=PATIENCE) as answer:
        for line in answer.iter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            if field == "data":
                data = json_text.read(value.encode(), max_depth=64)
                told.append(kinds[name].from_dict(data))
                assert told[-1].to_dict() == data
    return told
