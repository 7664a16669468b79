"""Many calls of the rules API in one request, each answered as if it had been sent alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from splendor_api.http import limits, problems, rules
from splendor_api.http.operations import Answer, Operation, Service, failure, refusal
from splendor_api.http.parameters import ACCEPT_LANGUAGE
from splendor_api.http.problems import NOT_FOUND, TOO_LARGE, JsonObject
from splendor_api.i18n.catalogue import Voice, sentence
from splendor_api.wire import json_text
from splendor_api.wire.bodies import BATCH
from splendor_api.wire.faults import InvalidRequest
from splendor_api.wire.requests import Batch, Item

CALLS: Final[Mapping[str, Operation]] = {
    operation.path.rpartition("/")[2]: operation for operation in rules.OPERATIONS
}
"""The operations that an item may name, by the last step of their path."""


def batch(service: Service, body: Batch, voice: Voice) -> Answer:
    """Answer every item on its own and in order; a bug in one is a 500 for that one."""
    budget = limits.Budget()
    items: list[JsonObject] = []
    refusals: list[Answer] = []
    for item in body.items:
        answer = _isolated(service, item, budget)
        items.append({"status": answer.status, "body": _told(answer, budget, voice)})
        if answer.problems or answer.broken:
            refusals.append(answer)
    return Answer(
        200,
        {"items": items},
        problems=tuple(document for answer in refusals for document in answer.problems),
        broken=tuple(code for answer in refusals for code in answer.broken),
        bugs=tuple(bug for answer in refusals for bug in answer.bugs),
    )


def _told(answer: Answer, budget: limits.Budget, voice: Voice) -> object:
    """Return what an item is answered: written at once, for a thousand of them are much to hold.

    To a problem the shell has something to add.
    """
    if answer.problems:
        return answer.body
    told = json_text.write(answer.body, voice.written)
    budget.room -= len(told)
    return json_text.written(told)


def _isolated(service: Service, item: Item, budget: limits.Budget) -> Answer:
    try:
        return _answer(service, item, budget)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other items are unharmed
        return failure(error)


def _answer(service: Service, item: Item, budget: limits.Budget) -> Answer:
    game = service.games.get(item.game)
    if game is None:
        return refusal(NOT_FOUND.document("There is no game of this name."))
    operation = CALLS.get(item.call)
    if operation is None:
        return refusal(NOT_FOUND.document("There is no call of this name."))
    try:
        body = operation.load(game, item.body)
    except InvalidRequest as error:
        return refusal(problems.invalid(error.faults))
    if not budget.take(operation.work(body)):
        detail = sentence(
            "The batch asks for more work than {limit:,}; send this call by itself.",
            {"limit": limits.WORK},
        )
        return refusal(TOO_LARGE.document(detail))
    if budget.room <= 0:
        detail = sentence(
            "The answers of the batch are larger than {limit:,} bytes; send this call by itself.",
            {"limit": limits.LARGEST_ANSWERS},
        )
        return refusal(TOO_LARGE.document(detail))
    return operation.view(game, body)


OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/batch",
        "batch",
        batch,
        reads=lambda _: BATCH,
        limit=limits.of_batch,
        takes=(ACCEPT_LANGUAGE,),
        speaks=True,
    ),
)
