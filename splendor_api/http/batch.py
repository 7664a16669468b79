"""Many calls of the rules API in one request, each answered as if it had been sent alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from splendor_api.http import limits, problems, rules
from splendor_api.http.operations import Answer, Operation, Service, failure, refusal
from splendor_api.http.problems import NOT_FOUND, TOO_LARGE
from splendor_api.i18n.catalogue import sentence
from splendor_api.wire.faults import InvalidRequest
from splendor_api.wire.requests import BATCH, Batch, Item

CALLS: Final[Mapping[str, Operation]] = {
    operation.path.rpartition("/")[2]: operation for operation in rules.OPERATIONS
}
"""The operations that an item may name, by the last step of their path."""


def batch(service: Service, body: Batch) -> Answer:
    """Answer every item on its own and in order; a bug in one is a 500 for that one."""
    budget = limits.Budget()
    answers = [_isolated(service, item, budget) for item in body.items]
    return Answer(
        200,
        {"items": [{"status": answer.status, "body": answer.body} for answer in answers]},
        problems=tuple(document for answer in answers for document in answer.problems),
        broken=tuple(code for answer in answers for code in answer.broken),
        bugs=tuple(bug for answer in answers for bug in answer.bugs),
    )


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
    return operation.view(game, body)


OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/batch",
        "batch",
        batch,
        reads=lambda _: BATCH,
        limit=limits.of_batch,
        speaks=True,
    ),
)
