"""The stream of a session's events (server-sent events, as the HTML standard has them).

A stream tells a snapshot, then every version in order, each under its id; whoever comes back with
the id of the last one gets what was missed. Where that id is not of this history, everything is
told anew by `reset`. A stream looks for itself at every heartbeat, so it misses nothing even if
nobody wakes it, and it outlives a store that is away for a while.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from time import monotonic
from typing import Final

from splendor_api.http import headers
from splendor_api.http.operations import Answer, Service, refusal
from splendor_api.http.parameters import HAS_LEFT, LAST_EVENT_ID, TICKET
from splendor_api.http.problems import TOO_MANY_REQUESTS
from splendor_api.http.sessions import denied, of_session
from splendor_api.i18n.catalogue import sentence
from splendor_api.sessions import watching
from splendor_api.sessions.attendance import most_streams
from splendor_api.sessions.exchange import Denial
from splendor_api.sessions.feed import Watch
from splendor_api.sessions.keeping import Entered
from splendor_api.sessions.store import StoreUnavailable
from splendor_api.sessions.stored import Version
from splendor_api.sessions.timeline import Moment
from splendor_api.sessions.tokens import Bearer, Role
from splendor_api.sessions.watching import News
from splendor_api.telemetry import metrics
from splendor_api.wire import json_text

MEDIA_TYPE: Final = "text/event-stream"
HEARTBEAT: Final = 15.0  # seconds
RECONNECT_MS: Final = 2_000  # after which a browser comes back
STORE_PAUSE_MS: Final = 1_000  # until a store that is away is asked again

NAMES: Final = {
    "action": "step",
    "undo_proposed": "undo_proposed",
    "undo_closed": "undo_closed",
    "undone": "undone",
    "seat": "seat",
}
"""The name of the event that tells of a version, by the kind of its commit."""

_BEAT: Final = b":\n\n"


def stream_events(
    service: Service,
    session: str,
    *,
    bearer: Bearer | None,
    ticket: str | None,
    last_event: str | None,
    has_left: Callable[[], bool],
) -> Answer:
    """Answer with a stream of what happens from now on, or from a known version on.

    A ticket is used up by the stream alone: whoever is refused may come back with it.
    """
    if ticket is not None:
        found = watching.holder(service.keeping, session, ticket)
        if isinstance(found, Denial):
            return denied(found)
        bearer = found
    known = None if last_event is None else headers.version_of(last_event)
    news = watching.news(service.keeping, session, bearer, known)
    if isinstance(news, Denial):
        return denied(news)
    is_behind = last_event is not None and news.moments != ()
    if service.keeping.is_over(news.entered.session) and not is_behind:
        return Answer(204, b"", "")
    follower = _Follower(service, session, bearer, secrets.token_urlsafe(8))
    with ExitStack() as opened:
        if not opened.enter_context(service.places.taken()):
            return denied(Denial("busy", "All places for streams are taken."))
        wait_ms = follower.seated(news.entered)
        if wait_ms:
            return _full(news.entered, wait_ms)
        opened.callback(follower.leave, news.entered.role)
        if ticket is not None and not watching.redeem(service.keeping, session, ticket):
            return denied(watching.bad_ticket(news.entered.session))
        watch = opened.enter_context(service.feed.watch(session, has_left))
        opened.enter_context(metrics.open_stream())
        told = follower.told(news, watch, is_new=last_event is None)
        return Answer(
            200,
            b"",
            MEDIA_TYPE,
            (("X-Accel-Buffering", "no"),),
            stream=Stream(told, opened.pop_all()),
        )


def _full(entered: Entered, wait_ms: int) -> Answer:
    """Return the answer to whoever has, or spectators who have, all their streams open."""
    most = most_streams(entered.role, entered.session.setup.seats)
    detail = sentence(
        "A session has at most {most} streams at a time for one token, or for all who have none.",
        {"most": most},
    )
    return refusal(TOO_MANY_REQUESTS.document(detail), (("Retry-After", str(-(-wait_ms // 1000))),))


class Stream:
    """Pieces of a stream, and what is to be given back when it ends, read or not."""

    def __init__(self, pieces: Iterator[bytes], opened: ExitStack) -> None:
        self._pieces: Final = pieces
        self._opened: Final = opened

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        """End the stream (PEP 3333 has the server call this in any case)."""
        self._opened.close()


@dataclass(frozen=True, slots=True)
class _Follower:
    """Somebody who is told everything about a session, version by version."""

    service: Service
    session: str
    bearer: Bearer | None
    stream: str

    def seated(self, entered: Entered) -> int:
        """Take or keep a place; return 0, or after how many ms it is worth asking again."""
        seats = entered.session.setup.seats
        return self.service.attendance.take(
            self.session, self.stream, entered.role, seats, entered.now_ms
        )

    def leave(self, role: Role) -> None:
        """Give the place back."""
        self.service.attendance.leave(self.session, self.stream, role)

    def told(self, news: News | Denial, watch: Watch, *, is_new: bool) -> Iterator[bytes]:
        """Yield what the stream says, until the session or the process ends."""
        yield f"retry: {RECONNECT_MS}\n\n".encode()
        name = "snapshot" if is_new else "reset"
        last: Moment | None = None
        while not isinstance(news, Denial):
            yield from self._pieces(news, name)
            last, name = news.last, "reset"
            if self.service.keeping.is_over(news.entered.session):
                yield _event("closed", str(last.version), {"reason": "over"})
                return
            fresh = yield from self._awaited(news, watch)
            if fresh is None:
                return
            news = fresh
        reason = "expired" if news.code == "expired" else "forbidden"
        yield _event("closed", "" if last is None else str(last.version), {"reason": reason})

    def _pieces(self, news: News, name: str) -> Iterator[bytes]:
        """Yield an event for each new version, or everything anew under this name."""
        keeping = self.service.keeping
        if news.moments is None:
            view = keeping.view(news.entered.session, news.entered.role)
            yield _event(name, str(view.version), view.body)
            return
        for moment in news.moments:
            told = watching.step(keeping, news.entered, moment)
            yield _event(NAMES[moment.entry.kind], str(moment.version), told)

    def _awaited(self, news: News, watch: Watch) -> Generator[bytes, None, News | Denial | None]:
        """Yield heartbeats until there is something new, and return that.

        `None` if the stream is to end without a word: its reader has left, or is to come back for
        the process ends or the place was lost while the store was away.
        """
        beat_at = monotonic() + HEARTBEAT
        due_ms = news.entered.due_ms
        while True:
            due = math.inf if due_ms is None else due_ms / 1000
            heard = watch.wait(min(beat_at - monotonic(), due))
            if self.service.feed.is_closed or watch.is_vain:
                return None
            is_beat = monotonic() >= beat_at
            if is_beat:
                yield _BEAT
                beat_at = monotonic() + HEARTBEAT
            try:
                fresh = self._fresh(news.last, heard, is_beat=is_beat)
            except StoreUnavailable:
                due_ms = STORE_PAUSE_MS
                continue
            if fresh is None or isinstance(fresh, Denial) or fresh.moments != ():
                return fresh
            due_ms = fresh.entered.due_ms

    def _fresh(self, last: Moment, heard: str | None, *, is_beat: bool) -> News | Denial | None:
        """Return what is new now, `None` if the place was lost.

        At a beat the store is asked for it, whatever was `heard`.
        """
        version = None if is_beat or heard is None else Version.parse(heard)
        fresh = watching.news(self.service.keeping, self.session, self.bearer, last, version)
        if is_beat and not isinstance(fresh, Denial) and self.seated(fresh.entered):
            return None
        return fresh


def _event(name: str, version: str, data: object) -> bytes:
    """Return an event on the wire: JSON as it is written here has no line break."""
    lines = [f"event: {name}", f"id: {version}"] if version else [f"event: {name}"]
    return "\n".join(lines).encode() + b"\ndata: " + json_text.write(data) + b"\n\n"


OPERATIONS: Final = (
    of_session(
        "GET",
        "/events",
        "stream_events",
        stream_events,
        TICKET,
        LAST_EVENT_ID,
        HAS_LEFT,
        offers=(MEDIA_TYPE,),
    ),
)
