"""What `If-Match` may be, and what is looked at before it (P15; RFC 9110, 13.1.1 and 13.2)."""

import pytest

from tests.faults.clients import Client, Table, bearer

ACTION = {"type": "take_different", "colors": ["white", "blue", "green"]}
STALE = '"1.AAAAAAAAAAA"'
ID = "A" * 22


@pytest.fixture
def table(client: Client) -> Table:
    return Table.laid(client)


def _send(table: Table, *matches: str, token: str | None = "", path: str = "") -> tuple[int, str]:
    """Act under preconditions; return the status and the problem's code."""
    fields = list(bearer(table.tokens[0] if token == "" else token).items())
    fields += [("If-Match", match.format(version=table.version)) for match in matches]
    answer = table.client.http.post(
        f"{path or table.path}/actions", headers=fields, json={"action": ACTION}
    )
    if answer.status_code != 200:
        assert answer.headers["Content-Type"] == "application/problem+json"
        return answer.status_code, answer.json()["code"]
    return 200, ""


@pytest.mark.parametrize(
    "matches",
    [
        ['"{version}"'],
        ["{version}"],
        ['"{version}.seat-0"'],
        ['"1.AAAAAAAAAAA", "{version}"'],
        ['"{version}" , "1.AAAAAAAAAAA"'],
    ],
)
def test_the_present_version_lets_through(table: Table, matches: list[str]) -> None:
    assert _send(table, *matches) == (200, "")


@pytest.mark.parametrize(
    ("matches", "status", "code"),
    [
        ([], 428, "version_required"),
        (["*"], 428, "version_required"),
        ([STALE], 412, "stale_version"),
        (['W/"{version}"'], 412, "stale_version"),
        (['W/"{version}", "1.AAAAAAAAAAA"'], 412, "stale_version"),
        (['"2.AAAAAAAAAAA"'], 412, "stale_version"),
        ([""], 400, "invalid_request"),
        (['"'], 400, "invalid_request"),
        (['"a", b c'], 400, "invalid_request"),
        (["\x7f"], 400, "invalid_request"),
        (['"' + "a" * 5000 + '"'], 412, "stale_version"),
    ],
)
def test_anything_else_is_refused_and_changes_nothing(
    table: Table, matches: list[str], status: int, code: str
) -> None:
    assert _send(table, *matches) == (status, code)
    assert len(table.history()) == 1
    assert _send(table, '"{version}"') == (200, "")


def test_two_fields_are_one_list(table: Table) -> None:
    assert _send(table, STALE, '"{version}"') == (200, "")


def test_a_weak_tag_is_told_why(table: Table) -> None:
    request = table.request(ACTION)
    headers = request["headers"] | {"If-Match": f'W/"{table.version}"'}
    answer = table.client.http.post(request["path"], headers=headers, json=request["json"])
    assert "W/" in answer.json()["detail"]


def test_the_number_alone_is_not_the_version(table: Table) -> None:
    """The control: another history with as many versions is another session."""
    table.act()
    number = table.version.partition(".")[0]
    table.to_act, table.tokens = 0, table.tokens[::-1]
    assert _send(table, f'"{number}.AAAAAAAAAAA"') == (412, "stale_version")


@pytest.mark.parametrize("match", [STALE, '"{version}"'])
def test_who_may_not_act_is_told_that_first(table: Table, client: Client, match: str) -> None:
    other = Table.laid(client, spectators=False)
    assert _send(table, match, token=None) == (401, "unauthorized")
    assert _send(table, match, token=other.tokens[0]) == (403, "forbidden")
    assert _send(other, match, token=table.tokens[0]) == (404, "not_found")
    assert _send(table, match, path=f"/v1/sessions/{ID}") == (404, "not_found")


def test_a_replay_comes_before_a_stale_version(table: Table) -> None:
    first = table.act()
    assert first.action is not None
    table.to_act = 0
    request = table.request(
        {name: value for name, value in first.action.items() if name != "seat"}, first.key
    )
    headers = request["headers"] | {"If-Match": STALE}
    answer = table.client.http.post(request["path"], headers=headers, json=request["json"])
    assert (answer.status_code, answer.content) == (200, first.body)


def test_a_body_that_cannot_be_read_comes_before_the_version(table: Table) -> None:
    headers = bearer(table.tokens[0]) | {"If-Match": STALE}
    answer = table.client.http.post(f"{table.path}/actions", headers=headers, json={"action": 1})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
