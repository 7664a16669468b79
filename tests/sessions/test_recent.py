"""What is remembered of a session saves reading it, and makes no other difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games import referee
from splendor_api.games.registry import GAMES
from splendor_api.sessions import creation, hosting, play, undo, watching
from splendor_api.sessions.connection import opener
from splendor_api.sessions.exchange import Denial, Key, Precondition, Told
from splendor_api.sessions.keeping import Keeping
from splendor_api.sessions.recent import Met, Recent
from splendor_api.sessions.store import Loaded, Missing, Store
from splendor_api.sessions.stored import Session, Version
from splendor_api.sessions.timeline import Moment
from splendor_api.sessions.tokens import Bearer
from splendor_api.sessions.watching import News
from splendor_api.wire import json_text
from splendor_api.wire.requests import Creation

HOUR = 60 * 60 * 1000
SEED = "a seed that is long enough"
SEATS = 2
BY_CHANCE = ("id", "version", "token", "claim", "commitment")
"""What is another word in an answer each time, though it means the same."""


class CountedStore(Store):
    """A store that tells how often sessions are loaded from it."""

    loads = 0

    def load(self, *arguments: Any, **others: Any) -> Loaded | Missing:
        """Load, and count it."""
        self.loads += 1
        return super().load(*arguments, **others)


@pytest.fixture(scope="module")
def counted(admin_url: str) -> CountedStore:
    return CountedStore(opener(admin_url))


@dataclass
class Table:
    """A session, and what everybody has who is at it."""

    id: str
    host: Bearer
    seats: list[Bearer]
    versions: list[Version]

    @classmethod
    def laid(cls, keeping: Keeping, game: str) -> Table:
        """Begin a session."""
        told = creation.create(keeping, Creation(game, SEATS, seed=SEED), None)
        assert isinstance(told, Told)
        seats = [Bearer.of(token) for token in told.body["seat_tokens"]]
        return cls(told.body["id"], Bearer.of(told.body["host_token"]), seats, [told.version])

    def act(
        self, keeping: Keeping, seat: int, data: object, at: int = -1, key: Key | None = None
    ) -> Told | Denial:
        """Act for a seat on the last version that it was told of, or on one before."""
        at_version = Precondition((self.versions[at],))
        return self.told(play.act(keeping, self.id, self.seats[seat], data, at_version, key))

    def told(self, told: Told | Denial) -> Told | Denial:
        """Take note of a version, if the answer has one."""
        if isinstance(told, Told) and told.version not in self.versions:
            self.versions.append(told.version)
        return told

    def legal(self, keeping: Keeping, seat: int) -> list[Any]:
        """Return what a seat may do now, as its client would send it."""
        session = loaded(reader(keeping), self.id)
        if session is None:
            return []
        game = keeping.games[session.game]
        listed = referee.candidates(
            game.rules, session.state, seat, "choices", include_illegal=False
        )
        return [game.wire.dump_action(each.action) for each in listed]


def loaded(keeping: Keeping, session_id: str) -> Session | None:
    """Return a session, if it is there."""
    found = keeping.load(session_id)
    return None if isinstance(found, Missing) else found[0]


def reader(keeping: Keeping) -> Keeping:
    """Return what keeps the same sessions and remembers none: the long way."""
    return Keeping(keeping.games, keeping.store, HOUR)


def met(number: int, *, name: str = "session", is_migrated: bool = False) -> Met:
    version = Version(number, "commit-id..")
    session: Any = replace(_SESSION, id=name, version=version, is_migrated=is_migrated)
    return Met(session, number)


_NOTHING: Any = None
_SESSION = Session(*("", "splendor", _NOTHING, None, _NOTHING, _NOTHING), 0, 0, None, None, "salt")


def test_the_sessions_met_last_are_kept() -> None:
    recent = Recent(2)
    for number, name in enumerate(("first", "second")):
        recent.keep(met(number, name=name))
    assert recent.find("first") == met(0, name="first")
    recent.keep(met(2, name="third"))
    assert recent.find("second") is None
    assert recent.find("first") == met(0, name="first")
    recent.keep(met(3, name="first"))
    assert recent.find("third") == met(2, name="third")
    assert recent.find("first") == met(3, name="first")
    recent.forget("first")
    recent.forget("nobody")
    assert recent.find("first") is None


def test_a_session_in_an_older_format_is_read_each_time() -> None:
    """The commit that follows must write all of it, and whoever reads must know."""
    recent = Recent()
    recent.keep(met(1))
    recent.keep(met(2, is_migrated=True))
    assert recent.find("session") is None


def test_an_action_on_what_was_met_last_reads_nothing(counted: CountedStore) -> None:
    keeping, elsewhere = Keeping(GAMES, counted, HOUR), Keeping(GAMES, counted, HOUR)
    table = Table.laid(keeping, "splendor")

    def act(where: Keeping, seat: int) -> int:
        action = table.legal(reader(keeping), seat)[0]
        before = counted.loads
        assert isinstance(table.act(where, seat, action), Told)
        return counted.loads - before

    assert [act(keeping, 0), act(keeping, 1)] == [0, 0]
    assert [act(elsewhere, 0), act(elsewhere, 1)] == [1, 0]
    assert [act(keeping, 0), act(keeping, 1)] == [1, 0]


def test_what_has_not_changed_is_not_sent_again(counted: CountedStore) -> None:
    keeping = Keeping(GAMES, counted, HOUR)
    table = Table.laid(keeping, "splendor")
    version = table.versions[-1]
    known = (version.number, version.commit)
    found = counted.load(table.id, known=known, history_from=0)
    assert isinstance(found, Loaded)
    assert (found.fields, len(found.history)) == (None, 1)
    for other in ((version.number + 1, version.commit), (version.number, "another-one")):
        found = counted.load(table.id, known=other)
        assert isinstance(found, Loaded)
        assert found.fields is not None
        assert found.fields["commit"] == version.commit
    assert loaded(keeping, table.id) == loaded(reader(keeping), table.id)


def test_whoever_lost_a_token_is_not_told_again_what_it_did(counted: CountedStore) -> None:
    """A worker that has not heard of it yet is not asked: the store is."""
    keeping, elsewhere, asleep = (Keeping(GAMES, counted, HOUR) for _ in range(3))
    table = Table.laid(keeping, "splendor")
    assert asleep.load(table.id)
    action, key = table.legal(keeping, 0)[0], Key("a key", "fingerprint")
    first = table.act(elsewhere, 0, action, key=key)
    assert isinstance(first, Told)
    again = table.act(keeping, 0, action, at=0, key=key)
    assert outline(again) == outline(replace(first, replayed=True))
    revoked = hosting.revoke_token(elsewhere, table.id, table.host, 0, None)
    assert isinstance(revoked, Told)
    refused = table.act(asleep, 0, action, at=0, key=key)
    assert isinstance(refused, Denial)
    assert refused.code == "forbidden"


def test_a_session_that_was_deleted_elsewhere_is_gone(counted: CountedStore) -> None:
    keeping, elsewhere = Keeping(GAMES, counted, HOUR), Keeping(GAMES, counted, HOUR)
    table = Table.laid(keeping, "splendor")
    action = table.legal(keeping, 0)[0]
    assert hosting.delete(elsewhere, table.id, table.host, None) is None
    refused = table.act(keeping, 0, action)
    assert isinstance(refused, Denial)
    assert refused.code == "expired"


def test_where_something_happens_by_itself_the_store_is_asked(counted: CountedStore) -> None:
    """A time limit and an opponent go by the store's time, which comes with a load."""
    keeping = Keeping(GAMES, counted, HOUR)
    for asked in (
        Creation("splendor", SEATS, seed=SEED, limit_seconds=60),
        Creation("splendor", SEATS, seed=SEED, bots={1: "random"}),
    ):
        told = creation.create(keeping, asked, None)
        assert isinstance(told, Told)
        bearer = Bearer.of(told.body["seat_tokens"][0])
        assert keeping.recall(told.body["id"], bearer, "act") is None
        assert isinstance(watching.observe(keeping, told.body["id"], bearer), Told)
        assert keeping.recall(told.body["id"], bearer, "act") is None


def test_the_time_is_reckoned_for_a_while_only(
    admin_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two readings of the store's time none is before what is reckoned from the first."""
    now = 100.0
    monkeypatch.setattr("splendor_api.sessions.store.monotonic", lambda: now)
    store = Store(opener(admin_url))
    assert store.reckoned_ms() is None
    told_ms = store.now_ms()
    assert store.reckoned_ms() == told_ms
    now += 9.5
    assert store.reckoned_ms() == told_ms + 9_500
    now += 1
    assert store.reckoned_ms() is None


Ask = Callable[[Keeping, Table], Told | Denial | None]
"""A request to a session, made in one world as in the other."""


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    """Draw a request: mostly actions, legal or not, late or repeated, else whatever ends them."""
    seat, number = draw(st.integers(0, SEATS - 1)), draw(st.integers(0, 1_000))
    at, text = draw(st.sampled_from((-1, -1, -1, -2))), draw(st.sampled_from(("", "", "a", "b")))
    key = Key(text, f"{seat}-{number % 3}") if text else None
    kind = draw(st.sampled_from(("act",) * 8 + ("illegal", "rotate", "propose", "accept", "link")))

    def ask(keeping: Keeping, table: Table) -> Told | Denial | None:
        host, bearer = table.host, table.seats[seat]
        match kind:
            case "act":
                legal = [
                    (each, action)
                    for each in range(SEATS)
                    for action in table.legal(keeping, each)
                    if action["type"] != "resign"
                ]
                actor, action = legal[number % len(legal)] if legal else (seat, {"type": "pass"})
                return table.act(keeping, actor, action, max(at, -len(table.versions)), key)
            case "illegal":
                return table.act(keeping, seat, {"type": "pass"}, key=key)
            case "rotate":
                told = hosting.rotate_token(keeping, table.id, host, seat, None)
                if isinstance(told, Told) and number % 2:
                    table.seats[seat] = Bearer.of(told.body["token"])
                return table.told(told)
            case "link":
                return table.told(hosting.open_seat(keeping, table.id, host, seat, None))
            case _:
                do: Any = kind
                return table.told(undo.undo(keeping, table.id, bearer, do, None, key))

    return ask


def outline(told: Told | Denial | None) -> object:
    """Return an answer without what chance and the clock bring into it."""
    if not isinstance(told, Told):
        return replace(told, detail="") if told else None
    body = {name: value for name, value in told.body.items() if name not in BY_CHANCE}
    return json_text.write(body), told.version.number, told.replayed, told.role


@pytest.mark.parametrize("game", GAMES)
@given(script=st.lists(st.tuples(asks(), st.integers(0, 1)), min_size=4, max_size=16))
def test_what_is_remembered_makes_no_difference(
    counted: CountedStore, game: str, script: Sequence[tuple[Ask, int]]
) -> None:
    """Two workers that remember, asked by turns, answer as one that reads everything each time."""
    workers = (Keeping(GAMES, counted, HOUR), Keeping(GAMES, counted, HOUR))
    ours, theirs = Table.laid(workers[0], game), Table.laid(reader(workers[0]), game)
    for ask, worker in script:
        told = ask(workers[worker], ours)
        expected = ask(reader(workers[worker]), theirs)
        assert outline(told) == outline(expected)
        assert loaded(workers[worker], ours.id) == loaded(reader(workers[worker]), ours.id)


@pytest.mark.parametrize("game", GAMES)
@given(script=st.lists(st.tuples(asks(), st.integers(0, 1)), min_size=4, max_size=16))
def test_a_stream_tells_the_same_of_what_it_heard(
    counted: CountedStore, game: str, script: Sequence[tuple[Ask, int]]
) -> None:
    """Whichever worker has committed it, and whichever the stream is at."""
    workers = (Keeping(GAMES, counted, HOUR), Keeping(GAMES, counted, HOUR))
    table = Table.laid(workers[0], game)
    follower = table.seats[0]
    last = news_of(workers[0], table, follower, None).last
    for ask, worker in script:
        ask(workers[worker], table)
        heard = table.versions[-1]
        expected = watching.news(reader(workers[0]), table.id, follower, last)
        for each in workers:
            told = watching.news(each, table.id, follower, last, heard)
            assert outline_of_news(told) == outline_of_news(expected)
        if isinstance(expected, Denial):
            break
        last = expected.last


def test_a_stream_asks_nothing_about_what_its_worker_did(counted: CountedStore) -> None:
    keeping, elsewhere = Keeping(GAMES, counted, HOUR), Keeping(GAMES, counted, HOUR)
    table = Table.laid(keeping, "splendor")
    last = {where: news_of(where, table, None, None).last for where in (keeping, elsewhere)}

    def loads(where: Keeping) -> int:
        before = counted.loads
        news = news_of(where, table, None, last[where], table.versions[-1])
        assert news.moments is not None
        assert [moment.version for moment in news.moments] == [table.versions[-1]]
        asked, before = counted.loads - before, counted.loads
        again = news_of(where, table, table.seats[0], last[where], table.versions[-1])
        assert again.moments == news.moments
        assert counted.loads == before, "another stream was told of it here"
        last[where] = news.last
        return asked

    for seat in (0, 1):
        action = table.legal(reader(keeping), seat)[0]
        assert isinstance(table.act(keeping, seat, action), Told)
        assert [loads(keeping), loads(elsewhere)] == [0, 1]


def test_what_follows_another_version_is_read(counted: CountedStore) -> None:
    """P8, P14: a failover may have put another version in the place of the one that was told."""
    keeping = Keeping(GAMES, counted, HOUR)
    table = Table.laid(keeping, "splendor")
    first = news_of(keeping, table, None, None).last
    assert isinstance(table.act(keeping, 0, table.legal(keeping, 0)[0]), Told)
    heard = table.versions[-1]
    assert keeping.recall_next(table.id, None, "stream_events", first.entry, heard) is not None
    lost = replace(first.entry, version=Version(1, "another-one"))
    assert keeping.recall_next(table.id, None, "stream_events", lost, heard) is None
    other = Version(heard.number, "another-one")
    assert keeping.recall_next(table.id, None, "stream_events", first.entry, other) is None


def news_of(
    keeping: Keeping,
    table: Table,
    bearer: Bearer | None,
    since: Moment | None,
    heard: Version | None = None,
) -> News:
    """Return what is new in a session, for somebody who may look."""
    told = watching.news(keeping, table.id, bearer, since, heard)
    assert isinstance(told, News)
    return told


def outline_of_news(news: News | Denial) -> object:
    """Return what a stream makes its events of."""
    if isinstance(news, Denial):
        return news
    return news.entered.session, news.entered.role, news.entered.due_ms, news.last, news.moments
