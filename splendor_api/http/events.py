"""The stream of a session's events (server-sent events, as the HTML standard has them).

A stream tells a snapshot, then every version in order, each under its id; whoever comes back with
the id of the last one gets what was missed. Where that id is not of this history, everything is
told anew by `reset`. A stream looks for itself at every heartbeat, so it misses nothing even if
nobody wakes it, and it outlives a store that is away for a while.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Generator, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final

from splendor_api.http import headers
from splendor_api.http.operations import Answer, Service, refusal
from splendor_api.http.parameters import LAST_EVENT_ID, TICKET
from splendor_api.http.problems import TOO_MANY_REQUESTS
from splendor_api.http.sessions import denied, of_session
from splendor_api.i18n.catalogue import sentence
from splendor_api.sessions.feed import Watch
from splendor_api.sessions.play import Denial, News
from splendor_api.sessions.store import RETRY_AFTER, StoreUnavailable
from splendor_api.sessions.timeline import Moment
from splendor_api.sessions.tokens import Bearer
from splendor_api.telemetry import metrics
from splendor_api.wire import json_text

MEDIA_TYPE: Final = "text/event-stream"
HEARTBEAT: Final = 15.0  # seconds
RECONNECT_MS: Final = 2_000  # after which a browser comes back
STREAMS_PER_SEAT: Final = 4
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
) -> Answer:
    """Answer with a stream of what happens from now on, or from a known version on."""
    if ticket is not None:
        redeemed = service.play.redeem(session, ticket)
        if isinstance(redeemed, Denial):
            return denied(redeemed)
        bearer = redeemed
    known = None if last_event is None else headers.version_of(last_event)
    news = service.play.news(session, bearer, known)
    if isinstance(news, Denial):
        return denied(news)
    is_behind = last_event is not None and news.moments != ()
    if service.play.is_over(news.entered) and not is_behind:
        return Answer(204, b"", "")
    return _opened(service, _Place(session, bearer), news, is_new=last_event is None)


@dataclass(frozen=True, slots=True)
class _Place:
    """Which session is followed, and for whom."""

    session: str
    bearer: Bearer | None


def _opened(service: Service, place: _Place, news: News, *, is_new: bool) -> Answer:
    """Return the answer that is a stream, if there is a place for it."""
    session = news.entered.session
    with ExitStack() as opened:
        if not opened.enter_context(service.places.taken()):
            return denied(Denial("busy", "All places for streams are taken."))
        stream, most = secrets.token_urlsafe(8), STREAMS_PER_SEAT * session.setup.seats
        if not service.play.store.attend(session.id, stream, news.entered.now_ms, most):
            detail = sentence("A session has at most {most} streams at a time.", {"most": most})
            fields = (("Retry-After", str(RETRY_AFTER)),)
            return refusal(TOO_MANY_REQUESTS.document(detail), fields)
        opened.callback(_leave, service, session.id, stream)
        watch = opened.enter_context(service.feed.watch(session.id))
        opened.enter_context(metrics.open_stream())
        follower = _Follower(service, place, stream, most)
        return Answer(
            200,
            b"",
            MEDIA_TYPE,
            (("X-Accel-Buffering", "no"),),
            stream=Stream(follower.told(news, watch, is_new=is_new), opened.pop_all()),
        )


def _leave(service: Service, session_id: str, stream: str) -> None:
    with suppress(StoreUnavailable):  # then the place is free again by itself in a while
        service.play.store.leave(session_id, stream)


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
    place: _Place
    stream: str
    most: int

    def told(self, news: News | Denial, watch: Watch, *, is_new: bool) -> Iterator[bytes]:
        """Yield what the stream says, until the session or the process ends."""
        yield f"retry: {RECONNECT_MS}\n\n".encode()
        name = "snapshot" if is_new else "reset"
        last: Moment | None = None
        while not isinstance(news, Denial):
            yield from self._pieces(news, name)
            last, name = news.last, "reset"
            if self.service.play.is_over(news.entered):
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
        play = self.service.play
        if news.moments is None:
            view = play.view(news.entered)
            yield _event(name, str(view.version), view.body)
            return
        for moment in news.moments:
            told = play.step(news.entered, moment)
            yield _event(NAMES[moment.entry.kind], str(moment.version), told)

    def _awaited(self, news: News, watch: Watch) -> Generator[bytes, None, News | Denial | None]:
        """Yield heartbeats until there is something new, and return that.

        `None` if the stream is to end without a word, so that its reader comes back: the process
        ends, or the place was lost while the store was away.
        """
        beat_at = monotonic() + HEARTBEAT
        due_ms = news.entered.due_ms
        while True:
            due = math.inf if due_ms is None else due_ms / 1000
            watch.wait(min(beat_at - monotonic(), due))
            if self.service.feed.is_closed:
                return None
            is_beat = monotonic() >= beat_at
            if is_beat:
                yield _BEAT
                beat_at = monotonic() + HEARTBEAT
            try:
                fresh = self._fresh(news.last, is_beat=is_beat)
            except StoreUnavailable:
                due_ms = STORE_PAUSE_MS
                continue
            if fresh is None or isinstance(fresh, Denial) or fresh.moments != ():
                return fresh
            due_ms = fresh.entered.due_ms

    def _fresh(self, last: Moment, *, is_beat: bool) -> News | Denial | None:
        """Return what is new now, `None` if the place was lost."""
        play, place = self.service.play, self.place
        fresh = play.news(place.session, place.bearer, last)
        if is_beat and not isinstance(fresh, Denial):
            now_ms = fresh.entered.now_ms
            if not play.store.attend(place.session, self.stream, now_ms, self.most):
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
        offers=(MEDIA_TYPE,),
    ),
)
