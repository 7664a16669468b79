"""Pages for people, and the same as JSON: the index, problems, violations, rules.

A view answers with data; beside it stands the page that the data make.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from splendor_api import __version__
from splendor_api.http import html, site
from splendor_api.http.catalogue import described, get_rules
from splendor_api.http.headers import JSON, REVALIDATE
from splendor_api.http.operations import Answer, Operation, Served, Service, refusal
from splendor_api.http.problems import NOT_FOUND, PROBLEMS, JsonObject, Problem
from splendor_api.wire.faults import FAULT_CODES


def get_index(_: Service) -> Answer:
    """Answer with what this service is and where everything is."""
    links = {
        "games": "/v1/games",
        "batch": "/v1/batch",
        "sessions": "/v1/sessions",
        "playground": "/play",
        "problems": "/problems",
        "docs": "/docs",
        "openapi_yaml": "/openapi.yaml",
        "openapi_json": "/openapi.json",
        "health": "/healthz",
        "readiness": "/readyz",
        "metrics": "/metrics",
    }
    return Answer(200, {"name": "splendor-api", "version": __version__, "links": links})


def list_problems(_: Service) -> Answer:
    """Answer with every problem, and with the faults that an invalid request may have."""
    return Answer(
        200,
        {
            "problems": [_problem(problem) for problem in PROBLEMS.values()],
            "faults": [
                {
                    "code": code.name,
                    "means": code.means,
                    "message": code.says,
                    "params": list(code.params),
                }
                for code in FAULT_CODES.values()
            ],
        },
    )


def get_problem(_: Service, code: str) -> Answer:
    """Answer with what a problem means and what to do about it."""
    problem = PROBLEMS.get(code)
    if problem is None:
        return refusal(NOT_FOUND.document("There is no problem of this code."))
    return Answer(200, _problem(problem))


def get_violation_page(game: Served, code: str) -> Answer:
    """Answer with when a violation or finding of a game occurs."""
    found = next(
        (known for known in (*game.rules.codes, *game.rules.findings) if known.name == code), None
    )
    if found is None:
        return refusal(NOT_FOUND.document("This game has no violation or finding of this code."))
    return Answer(200, described(game.rules.name, found))


def _problem(problem: Problem) -> JsonObject:
    return {
        "code": problem.code,
        "status": problem.status,
        "title": problem.title,
        "means": problem.means,
        "what_to_do": problem.what_to_do,
    }


def problems_page(data: JsonObject) -> str:
    """Return the page of every problem and fault."""
    problems = [
        (
            str(problem["status"]),
            html.link(f"/problems/{problem['code']}", problem["code"]),
            html.prose(problem["means"]),
        )
        for problem in data["problems"]
    ]
    faults = [
        (f"<code>{html.text(fault['code'])}</code>", html.prose(fault["means"]))
        for fault in data["faults"]
    ]
    return html.page(
        "Problems",
        "<p>Every answer from 400 on is a problem document (RFC 9457) with one of these codes.</p>",
        html.table(("Status", "Code", "Meaning"), problems),
        "<h2>Faults of an invalid request</h2>",
        html.table(("Code", "Meaning"), faults),
    )


def problem_page(data: JsonObject) -> str:
    """Return the page of one problem."""
    return html.page(
        data["title"],
        f"<p><code>{html.text(data['code'])}</code>, status {data['status']}</p>",
        f"<p>{html.prose(data['means'])}</p>",
        "<h2>What to do</h2>",
        f"<p>{html.prose(data['what_to_do'])}</p>",
    )


def violation_page(data: JsonObject) -> str:
    """Return the page of one violation or finding."""
    parts = [f"<p>{html.prose(data['means'])}</p>", f"<p>“{html.text(data['message'])}”</p>"]
    if data["params"]:
        names = ", ".join(f"<code>{html.text(name)}</code>" for name in data["params"])
        parts.append(f"<p>Parameters: {names}</p>")
    if data["rule_url"]:
        parts.append(f"<p>Rule {html.link(data['rule_url'], data['rule'])}</p>")
    return html.page(data["code"], *parts)


def rules_page(data: JsonObject) -> str:
    """Return the page of a game's rules; each rule's number is its anchor."""
    parts = []
    for section, rules in groupby(data["rules"], lambda rule: str(rule["section"])):
        parts.append(f"<h2>{html.text(section)}</h2>\n<dl>")
        parts += [_rule(rule) for rule in rules]
        parts.append("</dl>")
    return html.page(f"Rules of {data['game']}", *parts)


def _rule(rule: JsonObject) -> str:
    number = html.text(rule["number"])
    return (
        f'<dt id="{number}">{html.link("#" + rule["number"], rule["number"])}</dt>'
        f"<dd>{html.prose(rule['text'])} <small>[{html.prose(rule['origin'])}]</small></dd>"
    )


_DATA_FIRST: Final = (JSON, html.MEDIA_TYPE)
_PAGE_FIRST: Final = (html.MEDIA_TYPE, JSON)

OPERATIONS: Final = (
    Operation(
        "GET",
        "/",
        "get_index",
        get_index,
        offers=_DATA_FIRST,
        page=site.home_page,
        keeps=REVALIDATE,
        policy=site.POLICY,
    ),
    Operation(
        "GET",
        "/problems",
        "list_problems",
        list_problems,
        offers=_DATA_FIRST,
        page=problems_page,
        keeps=REVALIDATE,
    ),
    Operation(
        "GET",
        "/problems/{code}",
        "get_problem",
        get_problem,
        offers=_DATA_FIRST,
        page=problem_page,
        keeps=REVALIDATE,
    ),
    Operation(
        "GET",
        "/problems/violations/{game}/{code}",
        "get_violation_page",
        get_violation_page,
        offers=_DATA_FIRST,
        page=violation_page,
        keeps=REVALIDATE,
    ),
    Operation(
        "GET",
        "/rules/{game}",
        "get_rules_page",
        get_rules,
        offers=_PAGE_FIRST,
        page=rules_page,
        keeps=REVALIDATE,
    ),
)
