"""The way of every request to a session: load it, let the caller in, decide, commit.

The core runs here, in the worker; the store only compares versions. Whatever another request did
in between makes a commit stale, and then everything is read and judged again. So it does no harm to
begin with what is remembered of a session, without reading: if that is old, nothing comes of it.
What is decided is in the modules beside this one: `creation`, `play`, `undo`, `hosting`; `watching`
only looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from splendor_api.games import referee
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.i18n.catalogue import sentence
from splendor_api.opponents.searchers import NO_SEARCHERS, Busy, Searchers
from splendor_api.sessions import bots, observations, timeline, tokens
from splendor_api.sessions.exchange import (
    BUSY,
    REUSED,
    UNKNOWN,
    Denial,
    Key,
    Precondition,
    Told,
)
from splendor_api.sessions.recent import Met, Recent
from splendor_api.sessions.store import Commit, Loaded, Missing, Reply, Store
from splendor_api.sessions.stored import (
    Entry,
    EntryKind,
    Json,
    Session,
    Version,
    dump_changes,
    dump_entry,
    load_entry,
    load_session,
)
from splendor_api.sessions.timeline import Moment
from splendor_api.sessions.tokens import ROLES, SPECTATOR, Access, Bearer, Deed, Role

MOST_ACTIONS: Final = 1_000  # of a session, so that every record fits a replay
MOST_COMMITS: Final = 3_000  # of any kind, so that a history has a bound; actions never meet it
FIRST_LIFETIME_MS: Final = 60 * 60 * 1000  # until the first action
ATTEMPTS: Final = 32  # how often a request may lose a race before it is told to try later
MOST_DUE: Final = 8  # actions that one request does for opponents
THINKING_MS: Final = 250  # until those who wait look again whether an opponent has acted
SEARCH_LEASE_MS: Final = 10_000  # for which nobody else searches for the same action


@dataclass(frozen=True, slots=True)
class Entered:
    """A session as a caller meets it."""

    session: Session
    role: Role
    now_ms: int
    answers: Mapping[str, str] = field(default_factory=dict)
    history: tuple[Entry, ...] = ()
    is_thinking: bool = False
    """Whether somebody else is at it to find out what the opponent does that is due."""

    @property
    def due_ms(self) -> int | None:
        """Return how long it is until something is done by itself; `None` if nothing ever is.

        What that is, a time limit or an opponent says.
        """
        session = self.session
        bot_ms = self.now_ms + THINKING_MS if self.is_thinking else session.bot_ms
        dues = [due for due in (session.deadline_ms, bot_ms) if due is not None]
        return None if not dues or is_full(session) else max(0, min(dues) - self.now_ms)

    @property
    def is_overdue(self) -> bool:
        """Return whether the seat to act has not acted in time."""
        deadline = self.session.deadline_ms
        return deadline is not None and deadline <= self.now_ms


class Keeping:
    """Sessions of some games in one store."""

    def __init__(
        self,
        games: Mapping[str, GameEntry],
        store: Store,
        lifetime_ms: int,
        searchers: Searchers = NO_SEARCHERS,
    ) -> None:
        """Take what sessions that name no lifetime of their own live after their last action, and
        who searches for opponents.
        """
        self.games: Final = games
        self.store: Final = store
        self.lifetime_ms: Final = lifetime_ms
        self.searchers: Final = searchers
        self._recent: Final = Recent()

    def recall(self, session_id: str, bearer: Bearer | None, deed: Deed) -> Entered | None:
        """Return the session as it was met here last, for whoever might be let in; nothing is read.

        What is decided on it holds if it can be committed; whatever else comes of it is not to be
        told, for the session may be another by now. `None` if it is not known, or has something
        that is done by itself, for which the exact time counts.
        """
        met = self._recent.find(session_id)
        return None if met is None else self._recalled(met, bearer, deed)

    def recall_next(
        self, session_id: str, bearer: Bearer | None, deed: Deed, since: Entry, heard: Version
    ) -> Entered | None:
        """Return the session at a version that was heard of, if it was met here and is the one that
        came right after another; with the history from that on. Nothing is read.
        """
        met = self._recent.find(session_id)
        if met is None or met.session.version != heard or met.before != since.version:
            return None
        entered = self._recalled(met, bearer, deed)
        return entered and replace(entered, history=(since, load_entry(met.line)))

    def _recalled(self, met: Met, bearer: Bearer | None, deed: Deed) -> Entered | None:
        session, now_ms = met.session, self.store.reckoned_ms()
        if now_ms is None:
            return None
        role = _role(session.access, bearer, deed)
        if isinstance(role, Denial) or session.setup.limit_ms is not None or session.setup.bots:
            return None
        return Entered(session, role, max(now_ms, met.at_ms))

    def enter(
        self,
        session_id: str,
        bearer: Bearer | None,
        deed: Deed,
        key: Key | None = None,
        *,
        history_from: int = -1,
    ) -> Entered | Denial:
        """Load the session and see who is asking; what is due is done first.

        Of what opponents do, so much is done at once; whoever waits comes back for the rest.
        """
        key_name = "" if key is None else _key_name(key)
        for attempt in range(ATTEMPTS):
            loaded = self.load(session_id, key_name, history_from)
            if isinstance(loaded, Missing):
                return missing(loaded)
            session, found = loaded
            role = _role(session.access, bearer, deed)
            if isinstance(role, Denial):
                return role
            history = tuple(load_entry(line) for line in found.history)
            entered = Entered(session, role, found.now_ms, found.answers, history)
            if entered.due_ms != 0:
                return entered
            if entered.is_overdue:
                self._do_overdue(entered)
            elif attempt >= MOST_DUE or not self._play_bot(entered):
                return replace(entered, is_thinking=True)
        return BUSY

    def load(
        self, session_id: str, key_name: str = "", history_from: int = -1
    ) -> tuple[Session, Loaded] | Missing:
        """Return the session as it is now, read where it is not known, and what is beside it."""
        met = self._recent.find(session_id)
        version = None if met is None else met.session.version
        known = None if version is None else (version.number, version.commit)
        found = self.store.load(session_id, key_name, history_from, known)
        if isinstance(found, Missing):
            self.forget(session_id)
            return found
        if found.fields is None:
            assert met is not None, "nothing is known without having been met"
            met = replace(met, at_ms=found.now_ms)
        else:
            met = Met(load_session(session_id, found.fields, self.games), found.now_ms)
        if len(found.history) > 1:
            before = load_entry(found.history[-2]).version
            met = replace(met, line=found.history[-1], before=before)
        self.remember(met)
        return met.session, found

    def remember(self, met: Met) -> None:
        """Keep a session in mind as it is in the store, or was a moment ago."""
        self._recent.keep(met)

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session in mind."""
        self._recent.forget(session_id)

    def persist(self, attempt: Callable[[], Told | Denial | None]) -> Told | Denial:
        """Try until the request is decided; each try that is lost was won by somebody else."""
        for _ in range(ATTEMPTS):
            told = attempt()
            if told is not None:
                return told
        return BUSY

    def known(self, entered: Entered, key: Key | None) -> Told | Denial | None:
        """Return the answer that the key has been given before, if it has.

        It may have been held back then, until replicas had what was done; so it is now.
        """
        if key is None:
            return None
        stored = entered.answers.get(_answer_field(entered.role, key))
        if stored is None:
            return None
        fingerprint, _, number = stored.partition(" ")
        if fingerprint != key.fingerprint:
            return REUSED
        self.store.confirm(entered.session.id)
        return self._repeat(entered.session.id, entered.role, int(number))

    def after(
        self, session: Session, game: GameEntry, state: Any, now_ms: int, *, acted: bool = True
    ) -> Session:
        """Return the session with another state, one version further; a proposal is void."""
        actions = session.actions + acted
        return replace(
            session,
            version=Version(session.version.number + 1, tokens.mint_commit()),
            state=state,
            actions=actions,
            undo=None,
            deadline_ms=timeline.deadline_after(
                game, session.setup, session.state, session.deadline_ms, state, now_ms
            ),
            bot_ms=bots.due_at(game, session.setup.bots, state, session.salt, actions, now_ms),
        )

    def commit(
        self,
        entered: Entered,
        after: Session,
        kind: EntryKind,
        seat: int | None,
        details: Json,
        key: Key | None,
    ) -> Reply:
        """Commit `after` as the successor of what was entered."""
        session = entered.session
        if kind != "action" and session.version.number - session.actions > _MOST_OTHERS:
            return Reply("full")
        entry = Entry(after.version, kind, seat, entered.now_ms, details)
        line, game = dump_entry(entry), self.games[session.game]
        lifetime_ms = session.setup.lifetime_ms
        reply = self.store.commit(
            session.id,
            Commit(
                number=session.version.number,
                commit=session.version.commit,
                new_commit=after.version.commit,
                access_number=session.access_number,
                answer_field="" if key is None else _answer_field(entered.role, key),
                fingerprint="" if key is None else key.fingerprint,
                entry=line,
                lifetime_ms=lifetime_ms if after.actions else min(FIRST_LIFETIME_MS, lifetime_ms),
                fields=dump_changes(session, after, game),
            ),
        )
        if reply.word == "committed":
            self.remember(Met(after, entered.now_ms, line, session.version))
        else:
            self.forget(session.id)
        return reply

    def outcome_of(
        self, entered: Entered, after: Session, reply: Reply, precondition: Precondition | None
    ) -> Told | Denial | None:
        """Return the observation of what was committed, or what became of a lost commit."""
        if reply.word == "committed":
            return self.view(after, entered.role)
        return self.lost(entered, reply, precondition)

    def lost(
        self, entered: Entered, reply: Reply, precondition: Precondition | None
    ) -> Told | Denial | None:
        """Return the answer to a request whose commit was not the first; `None` to try again."""
        if reply.word == "replayed":
            return self._repeat(entered.session.id, entered.role, reply.number)
        if reply.word == "reused":
            return REUSED
        if reply.word == "full":
            return Denial("session_full", _MOST_COMMITS)
        if reply.word == "stale" and precondition is not None:
            return Denial("stale_version", "Another request was faster.")
        return None

    def force(
        self, entered: Entered, action: Any, precondition: Precondition | None, key: Key | None
    ) -> Told | Denial | None:
        """Do an action that no seat has asked for."""
        session = entered.session
        game = self.games[session.game]
        verdict = referee.proceed(game.rules, session.state, action)
        if isinstance(verdict, Refusal):
            violations = tuple(replace(each, pointer="") for each in verdict.violations)
            return Denial("illegal_action", "", violations, game=session.game)
        after = self.after(session, game, verdict.state, entered.now_ms)
        seat = game.rules.seat_of(session.state, action)
        details = {"action": game.wire.dump_action(action)}
        reply = self.commit(entered, after, "action", seat, details, key)
        return self.outcome_of(entered, after, reply, precondition)

    def _do_overdue(self, entered: Entered) -> None:
        """Do what the seat to act did not do in time; whoever comes first does it."""
        game = self.games[entered.session.game]
        self.force(entered, game.rules.overdue(entered.session.state), None, None)

    def _play_bot(self, entered: Entered) -> bool:
        """Do what the opponent does that is due; `False` if that is not known for the moment.

        Where it takes a search, one of those who come searches, and the others do not wait.
        """
        session = entered.session
        game, number = self.games[session.game], session.version.number
        seed = bots.seed_of(session.salt, session.actions)
        due = bots.next_due(game, session.setup.bots, session.state, seed)
        assert due is not None, "an opponent that is due has something to do"
        is_searching = bots.is_searching(game, due)
        if is_searching and not self.store.lease_search(session.id, number, SEARCH_LEASE_MS):
            return False
        try:
            action = bots.action_of(game, self.searchers, due, session.state, seed)
        except Busy:
            self.store.free_search(session.id, number)
            return False
        assert action is not None, "an opponent that is due has something to do"
        self.force(entered, action, None, None)
        return True

    def view(self, session: Session, role: Role) -> Told:
        """Return what the bearer of a role sees of the session."""
        game = self.games[session.game]
        body = observations.observation(game, session.id, session.setup, session, role)
        return Told(body, session.version, role)

    def moments(self, entered: Entered) -> list[Moment]:
        """Return every version, for whom has entered with the whole history."""
        session = entered.session
        game = self.games[session.game]
        return list(timeline.timeline(game, session.setup, entered.history))

    def is_over(self, session: Session) -> bool:
        """Return whether the game has ended."""
        return self.games[session.game].rules.outcome(session.state) is not None

    def _repeat(self, session_id: str, role: Role, number: int) -> Told | Denial:
        """Return the first answer again: made from the history, it has the same bytes."""
        loaded = self.load(session_id, history_from=0)
        if isinstance(loaded, Missing):
            return missing(loaded)
        session, found = loaded
        game, setup = self.games[session.game], session.setup
        entries = [load_entry(line) for line in found.history[:number]]
        moment = list(timeline.timeline(game, setup, entries))[-1]
        if moment.step is not None and role.name == "seat":
            body = observations.answer(game, setup, moment.version, moment.step, role)
        else:
            body = observations.observation(game, session_id, setup, moment, role)
        return Told(body, moment.version, role, replayed=True)


FULL: Final = Denial(
    "session_full", sentence("A session has at most {most:,} actions.", {"most": MOST_ACTIONS})
)

_MOST_OTHERS = MOST_COMMITS - MOST_ACTIONS - 1  # commits that are no actions; the first is one
_MOST_COMMITS = sentence("A session has at most {most:,} versions.", {"most": MOST_COMMITS})


def is_full(session: Session) -> bool:
    """Return whether nobody can act any more, so that nobody can be late either."""
    return session.actions >= MOST_ACTIONS


def missing(found: Missing) -> Denial:
    """Return what is told of a session that is not there."""
    if found.expired:
        return Denial("expired", "This session has expired or was deleted.")
    return UNKNOWN


def _role(access: Access, bearer: Bearer | None, deed: Deed) -> Role | Denial:
    """Return what the token makes of its bearer, if that role may do what is asked.

    No token makes a spectator, where spectators are let in. Where they are not, whoever has no
    token of this session is told as much as if there were no session.
    """
    may = ROLES[deed]
    role = SPECTATOR if bearer is None else access.role_of(bearer)
    if role in (None, SPECTATOR) and not access.spectators:
        return UNKNOWN
    if role is SPECTATOR and "spectator" not in may:
        return Denial("unauthorized", "This needs a token.")
    if role is None:
        return Denial("forbidden", "This token is not one of this session.")
    if role.name not in may:
        return Denial("forbidden", "This token may not do that.")
    return role


def _key_name(key: Key) -> str:
    """Return what the names of all answers under the key begin with.

    Who is asking is known only once all is loaded, so that is for all roles.
    """
    return tokens.short_hash(key.text)


def _answer_field(role: Role, key: Key) -> str:
    return f"{_key_name(key)}{'host' if role.seat is None else role.seat}"
