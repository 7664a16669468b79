"""Create, act, observe, undo: load, ask the referee, commit.

The core runs here, in the worker; the store only compares versions. Whatever another request did
in between makes a commit stale, and then everything is read and judged again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Any, Final, Literal

from splendor_api.games import referee
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.games.shuffle import commitment
from splendor_api.games.violations import GAME_OVER, WRONG_SEAT, Violation
from splendor_api.i18n.catalogue import sentence
from splendor_api.sessions import observations, timeline, tokens
from splendor_api.sessions.store import TICKET_MS, Commit, Missing, Reply, Store
from splendor_api.sessions.stored import (
    Entry,
    EntryKind,
    Json,
    Proposal,
    Session,
    Setup,
    Version,
    dump_changes,
    dump_entry,
    dump_proposal,
    dump_session,
    load_entry,
    load_session,
)
from splendor_api.sessions.timeline import Change, Moment
from splendor_api.sessions.tokens import HOST, ROLES, SPECTATOR, Access, Bearer, Deed, Role
from splendor_api.wire.faults import Fault
from splendor_api.wire.requests import Creation, Undoing

MOST_ACTIONS: Final = 1_000  # of a session, so that every record fits a replay
MOST_UNDOINGS: Final = 1_000  # proposals and what is said to them
MOST_COMMITS: Final = 3_000  # of any kind, so that a history has a bound; actions never meet it
FIRST_LIFETIME_MS: Final = 60 * 60 * 1000  # until the first action
ATTEMPTS: Final = 32  # how often a request may lose a race before it is told to try later

DenialCode = Literal[
    "unauthorized",
    "forbidden",
    "not_found",
    "expired",
    "invalid_request",
    "version_required",
    "stale_version",
    "not_your_turn",
    "claim_late",
    "key_reused",
    "session_full",
    "illegal_action",
    "impossible_state",
    "store_unavailable",
    "busy",
]


@dataclass(frozen=True, slots=True)
class Denial:
    """Why a request is not answered as it wishes; nothing has been changed by it."""

    code: DenialCode
    detail: str
    violations: tuple[Violation, ...] = ()
    faults: tuple[Fault, ...] = ()
    game: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key, and what it is bound to: method, path and canonical body, hashed."""

    text: str = field(repr=False)
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Precondition:
    """The versions of `If-Match`; `weak` if only weak tags were given, which never match."""

    versions: tuple[Version, ...]
    weak: bool = False

    def allows(self, version: Version) -> bool:
        """Return whether the version is one of those named (RFC 9110, 13.1.1)."""
        return version in self.versions


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: JSON values, the version it tells of, and for whom.

    `replayed` if it repeats what the same request was told before; `due_ms` is how long the seat
    to act still has.
    """

    body: Json = field(repr=False)
    version: Version
    role: Role
    replayed: bool = False
    due_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A session as a caller meets it."""

    session: Session
    role: Role
    now_ms: int
    answers: Mapping[str, str] = field(default_factory=dict)
    history: tuple[Entry, ...] = ()

    @property
    def due_ms(self) -> int | None:
        """Return how long the seat to act still has; `None` where it has for ever."""
        due = self.session.deadline_ms
        return None if due is None or _is_full(self.session) else max(0, due - self.now_ms)


@dataclass(frozen=True, slots=True)
class News:
    """What is new in a session for somebody who knows a version of it; `last` is the present one.

    `moments` is None if the session never had that version, or has lost it: then all is new.
    """

    entered: Entered
    last: Moment
    moments: tuple[Moment, ...] | None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a seat may do, with what it is asked of."""

    entered: Entered
    game: GameEntry
    candidates: Iterator[referee.Candidate[Any]]


class Play:
    """Sessions of some games in one store."""

    def __init__(self, games: Mapping[str, GameEntry], store: Store, lifetime_ms: int) -> None:
        """Take what sessions that name no lifetime of their own live after their last action."""
        self._games: Final = games
        self._lifetime_ms: Final = lifetime_ms
        self.store: Final = store

    def create(self, creation: Creation, key: Key | None) -> Told | Denial:
        """Deal, or take the state, and store; the answer has every token, once and for all."""
        game = self._games[creation.game]
        if creation.state is not None:
            findings = referee.audit(game.rules, creation.state)
            if findings:
                return Denial("impossible_state", "", findings, game=creation.game)
        if not self.store.has_room():
            return Denial("store_unavailable", "There is no room for another session now.")
        salt = secrets.token_hex(32)
        session_id = tokens.mint_id() if key is None else tokens.derived_id(key.text)
        session, minted = self._begun(creation, session_id, salt, key)
        told = _created(session, session, minted)
        details = {"spectators": creation.spectators}
        entry = Entry(session.version, "created", None, session.setup.created_at_ms, details)
        word = self.store.create(
            session_id,
            "" if key is None else key.fingerprint,
            dump_entry(entry),
            min(FIRST_LIFETIME_MS, session.setup.lifetime_ms),
            dump_session(session, game) | {"number": "1", "commit": session.version.commit},
        )
        if word == "reused":
            return Denial(
                "key_reused", "This key was used before, for another request or too long ago."
            )
        if word == "created" or key is None:
            return Told(told, session.version, HOST)
        return self._created_before(session_id, key)

    def _begun(
        self, creation: Creation, session_id: str, salt: str, key: Key | None
    ) -> tuple[Session, Mapping[Role, str]]:
        """Return the first version of a session, and everybody's tokens."""
        game = self._games[creation.game]
        setup, state = self._set_up(game, creation)
        minted = _minted(key, salt, session_id, setup.seats)
        access = Access(
            tokens.hash_of(minted[HOST]),
            tuple(tokens.hash_of(minted[Role("seat", seat)]) for seat in range(setup.seats)),
            spectators=creation.spectators,
        )
        session = Session(
            id=session_id,
            game=creation.game,
            version=Version(1, tokens.mint_commit()),
            state=state,
            setup=setup,
            access=access,
            access_number=0,
            actions=0,
            undo=None,
            deadline_ms=timeline.deadline(game, setup, state, setup.created_at_ms),
            salt=salt,
        )
        return session, minted

    def _set_up(self, game: GameEntry, creation: Creation) -> tuple[Setup, Any]:
        """Return what the session is made of, and its first state."""
        lifetime, limit = creation.lifetime_seconds, creation.limit_seconds
        plain = Setup(
            seats=creation.seats or game.rules.seats_of(creation.state),
            ruleset=creation.ruleset,
            options=creation.options,
            seed=None,
            nonce=None,
            commitment=None,
            seed_source="caller",
            initial=None,
            created_at_ms=self.store.now_ms(),
            lifetime_ms=self._lifetime_ms if lifetime is None else lifetime * 1000,
            limit_ms=None if limit is None else limit * 1000,
            metadata=creation.metadata,
        )
        if creation.state is not None:
            return replace(plain, initial=game.wire.dump_state(creation.state)), creation.state
        nonce, seed = secrets.token_hex(32), creation.seed or secrets.token_hex(32)
        setup = replace(
            plain,
            seed=seed,
            nonce=nonce,
            commitment=commitment(nonce, seed),
            seed_source="caller" if creation.seed else "service",
        )
        return setup, game.rules.deal(setup.seats, setup.ruleset, setup.options, seed)

    def _created_before(self, session_id: str, key: Key) -> Told | Denial:
        """Return the answer of the first request to create this session, made again."""
        found = self.store.load(session_id, history_from=0)
        if isinstance(found, Missing):
            return _missing(found)
        session = load_session(session_id, found.fields, self._games)
        history = [load_entry(line) for line in found.history[:1]]
        first = next(timeline.timeline(self._games[session.game], session.setup, history))
        minted = _minted(key, session.salt, session_id, session.setup.seats)
        told = _created(session, first, minted)
        return Told(told, first.version, HOST, replayed=True)

    def admits(self, session_id: str, bearer: Bearer | None, deed: Deed) -> Denial | None:
        """Return why the bearer may not ask this of the session, if so."""
        entered = self._enter(session_id, bearer, deed)
        return entered if isinstance(entered, Denial) else None

    def observe(
        self,
        session_id: str,
        bearer: Bearer | None,
        precondition: Precondition | None = None,
        after: Version | None = None,
    ) -> Told | Denial:
        """Return the observation for the bearer of the token, who may know a version before."""
        history_from = -1 if after is None else after.number - 1
        entered = self._enter(session_id, bearer, "get_session", history_from=history_from)
        if isinstance(entered, Denial):
            return entered
        if after is not None and all(each.version != after for each in entered.history[:1]):
            return _NO_VERSION
        stale = _stale(entered.session, precondition, is_needed=False)
        return stale or replace(self._view(entered.session, entered.role), due_ms=entered.due_ms)

    def legal_actions(
        self,
        session_id: str,
        bearer: Bearer | None,
        detail: referee.Detail,
        *,
        include_illegal: bool,
    ) -> Listing | Denial:
        """Return what the bearer's seat may do."""
        entered = self._enter(session_id, bearer, "list_session_actions_legal")
        if isinstance(entered, Denial):
            return entered
        game = self._games[entered.session.game]
        listed = referee.candidates(
            game.rules,
            entered.session.state,
            entered.role.seat,
            detail,
            include_illegal=include_illegal,
        )
        return Listing(entered, game, listed)

    def act(
        self,
        session_id: str,
        bearer: Bearer | None,
        data: object,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial:
        """Do what `data`, an action in JSON without or with its seat, says for the bearer's seat.

        Order: token, shape, idempotency, version, rules (RFC 9110, 13.2).
        """
        return self._persist(partial(self._act, session_id, bearer, data, precondition, key))

    def _act(
        self,
        session_id: str,
        bearer: Bearer | None,
        data: object,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial | None:
        """Try once; `None` if another request was faster and all is to be judged again."""
        entered = self._enter(session_id, bearer, "act", key)
        if isinstance(entered, Denial):
            return entered
        session, seat = entered.session, entered.role.seat
        assert seat is not None, "a seat has entered"
        game = self._games[session.game]
        action = self._action(game, data, seat)
        if isinstance(action, Denial):
            return action
        refused = self._known(entered, key) or _stale(
            session, precondition, is_needed=game.rules.has_turns
        )
        if refused is not None:
            return refused
        if session.actions >= MOST_ACTIONS:
            return Denial("session_full", _MOST_ACTIONS)
        verdict = referee.proceed(game.rules, session.state, action)
        if isinstance(verdict, Refusal):
            return _refused(game, session.state, seat, verdict)
        after = self._after(session, game, verdict.state, entered.now_ms)
        details = {"action": game.wire.dump_action(action)}
        reply = self._commit(entered, after, "action", seat, details, key)
        if reply.word != "committed":
            return self._lost(entered, reply, precondition)
        body = observations.answer(game, after.setup, after.version, verdict, entered.role)
        return Told(body, after.version, entered.role)

    def history(
        self, session_id: str, bearer: Bearer | None, after: Version | None
    ) -> Told | Denial:
        """Return every step since a version, observed; from the beginning if none is named."""
        entered = self._enter(session_id, bearer, "get_history", history_from=0)
        if isinstance(entered, Denial):
            return entered
        session = entered.session
        game = self._games[session.game]
        moments = self._moments(entered)
        if after is not None and all(each.version != after for each in moments):
            return _NO_VERSION
        since = 0 if after is None else after.number
        steps = [
            observations.news(game, session.setup, each, entered.role)
            for each in moments
            if each.version.number > since
        ]
        body = {"version": str(session.version), "steps": steps}
        return Told(body, session.version, entered.role, due_ms=entered.due_ms)

    def news(
        self, session_id: str, bearer: Bearer | None, since: Moment | Version | None
    ) -> News | Denial:
        """Return what is new since a version.

        From a moment on only what came after it is read and played, where that is possible.
        """
        if isinstance(since, Moment):
            told = self._news_since(session_id, bearer, since)
            if told is not None:
                return told
            since = since.version
        entered = self._enter(session_id, bearer, "stream_events", history_from=0)
        if isinstance(entered, Denial):
            return entered
        moments = self._moments(entered)
        entered = replace(entered, history=())  # a stream keeps this for as long as nothing happens
        if since is None or all(each.version != since for each in moments):
            return News(entered, moments[-1], None)
        later = tuple(each for each in moments if each.version.number > since.number)
        return News(entered, moments[-1], later)

    def _news_since(
        self, session_id: str, bearer: Bearer | None, since: Moment
    ) -> News | Denial | None:
        """Return what is new since a moment; `None` if everything must be read for that."""
        from_ = since.version.number - 1
        entered = self._enter(session_id, bearer, "stream_events", history_from=from_)
        if isinstance(entered, Denial):
            return entered
        session = entered.session
        game = self._games[session.game]
        moments = timeline.continued(game, session.setup, since, entered.history)
        if moments is None:
            return None
        return News(entered, moments[-1] if moments else since, moments)

    def view(self, entered: Entered) -> Told:
        """Return the observation of somebody who has entered."""
        return self._view(entered.session, entered.role)

    def step(self, entered: Entered, moment: Moment) -> Json:
        """Return what somebody who has entered is told of one version."""
        session = entered.session
        game = self._games[session.game]
        return observations.news(game, session.setup, moment, entered.role)

    def is_over(self, entered: Entered) -> bool:
        """Return whether the game has ended."""
        return self._games[entered.session.game].rules.outcome(entered.session.state) is not None

    def ticket(self, session_id: str, bearer: Bearer | None) -> Told | Denial:
        """Return a ticket by which the bearer's stream can be opened, once, within a minute."""
        entered = self._enter(session_id, bearer, "create_stream_ticket")
        if isinstance(entered, Denial):
            return entered
        assert bearer is not None, "who has no token is not let in here"
        ticket = tokens.mint()
        self.store.keep_ticket(session_id, tokens.hash_of(ticket), bearer.digest)
        body = {"ticket": ticket, "expires_in": TICKET_MS // 1000}
        return Told(body, entered.session.version, entered.role)

    def holder(self, session_id: str, ticket: str) -> Bearer | Denial:
        """Return for whom the ticket was made out; it stays good."""
        found = self.store.load(session_id)
        if isinstance(found, Missing):
            return _missing(found)
        digest = self.store.find_ticket(session_id, tokens.hash_of(ticket))
        if digest is None:
            return self.bad_ticket(load_session(session_id, found.fields, self._games))
        return Bearer(digest)

    def redeem(self, session_id: str, ticket: str) -> bool:
        """Use the ticket up; return whether nobody has done so before."""
        return self.store.take_ticket(session_id, tokens.hash_of(ticket))

    def bad_ticket(self, session: Session) -> Denial:
        """Return what the bearer of a ticket that is of no use is told."""
        if not session.access.spectators:
            return _UNKNOWN
        return Denial("unauthorized", "This ticket is not, or no longer, good.")

    def undo(
        self,
        session_id: str,
        bearer: Bearer | None,
        do: Undoing,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial:
        """Propose to take the last turn back, or answer such a proposal."""
        return self._persist(partial(self._undo, session_id, bearer, do, precondition, key))

    def _undo(
        self,
        session_id: str,
        bearer: Bearer | None,
        do: Undoing,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial | None:
        entered = self._enter(session_id, bearer, "undo", key, history_from=0)
        if isinstance(entered, Denial):
            return entered
        session, seat = entered.session, entered.role.seat
        assert seat is not None, "a seat has entered"
        refused = self._known(entered, key) or _stale(session, precondition, is_needed=False)
        if refused is not None:
            return refused
        moments = self._moments(entered)
        proposal = self._proposal_for(do, entered, moments, seat)
        if isinstance(proposal, Denial):
            return proposal
        if do in ("decline", "withdraw"):
            return self._step_aside(entered, "undo_closed", seat, None, key, precondition)
        if do == "accept":
            proposal = replace(proposal, agreed=tuple(sorted({*proposal.agreed, seat})))
        left = self._games[session.game].rules.seats_left(session.state)
        if {other for other in left if other != proposal.by} <= set(proposal.agreed):
            return self._take_back(entered, moments, proposal, seat, key, precondition)
        return self._step_aside(entered, "undo_proposed", seat, proposal, key, precondition)

    def _proposal_for(
        self, do: Undoing, entered: Entered, moments: list[Moment], seat: int
    ) -> Proposal | Denial:
        """Return the proposal that is made, or answered by a seat that may."""
        session = entered.session
        if self.is_over(entered):
            violations = (GAME_OVER.at("/do"),)
            return Denial("illegal_action", "", violations, game=session.game)
        if sum(entry.kind in _UNDOINGS for entry in entered.history) >= MOST_UNDOINGS:
            return Denial("session_full", _MOST_UNDOINGS)
        if do == "propose":
            return self._proposal(session, moments, seat)
        if session.undo is None:
            return Denial("forbidden", "There is no proposal to answer.")
        if (session.undo.by == seat) != (do == "withdraw"):
            return Denial("forbidden", "A proposal is withdrawn by its owner, answered by others.")
        return session.undo

    def _proposal(self, session: Session, moments: list[Moment], seat: int) -> Proposal | Denial:
        """Return the proposal of the seat that acted last to take its turn back."""
        game = self._games[session.game]
        played = timeline.standing(moments)
        if not played:
            return Denial("forbidden", "There is nothing to take back.")
        if played[-1][1].entry.seat != seat:
            return Denial("forbidden", "Only the seat that acted last may propose this.")
        turn = game.rules.turn_of(played[-1][0].state)
        own = takewhile(
            lambda pair: pair[1].entry.seat == seat and game.rules.turn_of(pair[0].state) == turn,
            reversed(played),
        )
        taken = list(own)
        revealed = any(
            game.rules.is_revealing(event)
            for _, moment in taken
            if moment.step is not None
            for event in moment.step.events
        )
        return Proposal(seat, taken[-1][0].version.number, revealed, ())

    def _take_back(
        self,
        entered: Entered,
        moments: list[Moment],
        proposal: Proposal,
        seat: int,
        key: Key | None,
        precondition: Precondition | None,
    ) -> Told | Denial | None:
        """Append the return to an earlier state; the history keeps what was undone."""
        session, game = entered.session, self._games[entered.session.game]
        state = next(each.state for each in moments if each.version.number == proposal.to)
        after = self._after(session, game, state, entered.now_ms)
        after = replace(after, actions=session.actions)
        details = {"to": proposal.to, "revealed": proposal.revealed}
        reply = self._commit(entered, after, "undone", seat, details, key)
        return self._outcome_of(entered, after, reply, precondition)

    def _step_aside(
        self,
        entered: Entered,
        kind: EntryKind,
        seat: int,
        proposal: Proposal | None,
        key: Key | None,
        precondition: Precondition | None,
    ) -> Told | Denial | None:
        """Commit what changes no state: a proposal, an agreement, a refusal."""
        version = Version(entered.session.version.number + 1, tokens.mint_commit())
        after = replace(entered.session, version=version, undo=proposal)
        details = {} if proposal is None else {"undo": dump_proposal(proposal)}
        reply = self._commit(entered, after, kind, seat, details, key)
        return self._outcome_of(entered, after, reply, precondition)

    def set_spectators(
        self,
        session_id: str,
        bearer: Bearer | None,
        precondition: Precondition | None,
        *,
        allowed: bool,
    ) -> Told | Denial:
        """Let anybody with the id watch, or nobody; the host decides."""
        asked = _Change("update_session", None, "spectators", precondition)
        return self._change(
            session_id, bearer, asked, lambda access: replace(access, spectators=allowed)
        )

    def rotate_token(
        self, session_id: str, bearer: Bearer | None, seat: int, precondition: Precondition | None
    ) -> Told | Denial:
        """Give a seat another token; the one before is void. The host decides."""
        fresh = tokens.mint()
        asked = _Change("rotate_token", seat, "token_rotated", precondition)
        told = self._change(
            session_id, bearer, asked, lambda access: access.with_token(seat, fresh)
        )
        return told if isinstance(told, Denial) else _with(told, seat=seat, token=fresh)

    def revoke_token(
        self, session_id: str, bearer: Bearer | None, seat: int, precondition: Precondition | None
    ) -> Told | Denial:
        """Take a seat's token away; the host decides."""
        asked = _Change("revoke_token", seat, "token_revoked", precondition)
        return self._change(session_id, bearer, asked, lambda access: access.with_token(seat, None))

    def open_seat(
        self, session_id: str, bearer: Bearer | None, seat: int, precondition: Precondition | None
    ) -> Told | Denial:
        """Make a join link for a seat: a claim that is exchanged for a token, once."""
        claim = tokens.mint()
        asked = _Change("create_join_link", seat, "link_opened", precondition)
        told = self._change(
            session_id, bearer, asked, lambda access: access.with_claim(seat, claim)
        )
        return told if isinstance(told, Denial) else _with(told, seat=seat, claim=claim)

    def join(self, session_id: str, claim: str) -> Told | Denial:
        """Exchange the claim of a join link for the seat's token; the claim is used up."""
        return self._persist(partial(self._join, session_id, claim, tokens.mint()))

    def _join(self, session_id: str, claim: str, fresh: str) -> Told | Denial | None:
        found = self.store.load(session_id)
        if isinstance(found, Missing):
            return _missing(found)
        session = load_session(session_id, found.fields, self._games)
        seat = session.access.claimed_seat(claim)
        if seat is None and not session.spectators:
            return _UNKNOWN
        if seat is None:
            return Denial("forbidden", "This join link is not, or no longer, good for a seat.")
        entered = Entered(session, Role("seat", seat), found.now_ms)
        access = session.access.with_token(seat, fresh)
        told = self._admit(entered, access, seat, "joined", None)
        return _with(told, seat=seat, token=fresh) if isinstance(told, Told) else told

    def resign_seat(
        self,
        session_id: str,
        bearer: Bearer | None,
        seat: int,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial:
        """Take an absent seat out of the game; the host decides."""
        attempt = partial(self._resign_seat, session_id, bearer, seat, precondition, key)
        return self._persist(attempt)

    def _resign_seat(
        self,
        session_id: str,
        bearer: Bearer | None,
        seat: int,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial | None:
        entered = self._enter(session_id, bearer, "resign_seat", key)
        if isinstance(entered, Denial):
            return entered
        session = entered.session
        if seat >= session.setup.seats:
            return _NO_SEAT
        refused = self._known(entered, key) or _stale(session, precondition, is_needed=False)
        if refused is not None:
            return refused
        if session.actions >= MOST_ACTIONS:
            return Denial("session_full", _MOST_ACTIONS)
        action = self._games[session.game].rules.resign(seat, True)
        return self._force(entered, action, precondition, key)

    def delete(
        self, session_id: str, bearer: Bearer | None, precondition: Precondition | None
    ) -> Denial | None:
        """Delete the session; the host decides. Return nothing if it is done."""
        for _ in range(ATTEMPTS):
            entered = self._enter(session_id, bearer, "delete_session")
            if isinstance(entered, Denial):
                return entered
            session = entered.session
            stale = _stale(session, precondition, is_needed=False)
            if stale is not None:
                return stale
            at = None if precondition is None else (session.version.number, session.version.commit)
            word = self.store.delete(session_id, session.access_number, at)
            if word in ("deleted", "gone"):
                return None
        return _BUSY

    def record(self, session_id: str, bearer: Bearer | None, engine: str) -> Told | Denial:
        """Return the game as a portable record; `engine` is who says so."""
        entered = self._enter(session_id, bearer, "get_record", history_from=0)
        if isinstance(entered, Denial):
            return entered
        session = entered.session
        game, moments = self._games[session.game], self._moments(entered)
        body = observations.record(game, session.setup, moments, engine)
        return Told(body, session.version, entered.role)

    # What the calls above are made of

    def _persist(self, attempt: Callable[[], Told | Denial | None]) -> Told | Denial:
        """Try until the request is decided; each try that is lost was won by somebody else."""
        for _ in range(ATTEMPTS):
            told = attempt()
            if told is not None:
                return told
        return _BUSY

    def _enter(
        self,
        session_id: str,
        bearer: Bearer | None,
        deed: Deed,
        key: Key | None = None,
        *,
        history_from: int = -1,
    ) -> Entered | Denial:
        """Load the session and see who is asking; what is overdue is done first."""
        key_name = "" if key is None else _key_name(key)
        for _ in range(ATTEMPTS):
            found = self.store.load(session_id, key_name, history_from)
            if isinstance(found, Missing):
                return _missing(found)
            session = load_session(session_id, found.fields, self._games)
            role = _role(session.access, bearer, deed)
            if isinstance(role, Denial):
                return role
            history = tuple(load_entry(line) for line in found.history)
            entered = Entered(session, role, found.now_ms, found.answers, history)
            if entered.due_ms != 0:
                return entered
            self._do_overdue(entered)
        return _BUSY

    def _do_overdue(self, entered: Entered) -> None:
        """Do what the seat to act did not do in time; whoever comes first does it."""
        game = self._games[entered.session.game]
        self._force(entered, game.rules.overdue(entered.session.state), None, None)

    def _force(
        self, entered: Entered, action: Any, precondition: Precondition | None, key: Key | None
    ) -> Told | Denial | None:
        """Do an action that no seat has asked for."""
        session = entered.session
        game = self._games[session.game]
        verdict = referee.proceed(game.rules, session.state, action)
        if isinstance(verdict, Refusal):
            violations = tuple(replace(each, pointer="") for each in verdict.violations)
            return Denial("illegal_action", "", violations, game=session.game)
        after = self._after(session, game, verdict.state, entered.now_ms)
        seat = game.rules.seat_of(session.state, action)
        details = {"action": game.wire.dump_action(action)}
        reply = self._commit(entered, after, "action", seat, details, key)
        return self._outcome_of(entered, after, reply, precondition)

    def _change(
        self,
        session_id: str,
        bearer: Bearer | None,
        asked: _Change,
        changed: Callable[[Access], Access],
    ) -> Told | Denial:
        """Change who may do what, as the host."""
        return self._persist(partial(self._change_once, session_id, bearer, asked, changed))

    def _change_once(
        self,
        session_id: str,
        bearer: Bearer | None,
        asked: _Change,
        changed: Callable[[Access], Access],
    ) -> Told | Denial | None:
        entered = self._enter(session_id, bearer, asked.deed)
        if isinstance(entered, Denial):
            return entered
        session = entered.session
        if asked.seat is not None and asked.seat >= session.setup.seats:
            return _NO_SEAT
        stale = _stale(session, asked.precondition, is_needed=False)
        if stale is not None:
            return stale
        access = changed(session.access)
        return self._admit(entered, access, asked.seat, asked.change, asked.precondition)

    def _admit(
        self,
        entered: Entered,
        access: Access,
        seat: int | None,
        change: Change,
        precondition: Precondition | None,
    ) -> Told | Denial | None:
        """Commit another access."""
        session = entered.session
        after = replace(
            session,
            version=Version(session.version.number + 1, tokens.mint_commit()),
            access=access,
            access_number=session.access_number + 1,
        )
        details: Json = {"change": change}
        if seat is None:
            details["spectators"] = access.spectators
        reply = self._commit(entered, after, "seat", seat, details, None)
        return self._outcome_of(entered, after, reply, precondition)

    def _after(self, session: Session, game: GameEntry, state: Any, now_ms: int) -> Session:
        """Return the session with another state, one version further; a proposal is void."""
        return replace(
            session,
            version=Version(session.version.number + 1, tokens.mint_commit()),
            state=state,
            actions=session.actions + 1,
            undo=None,
            deadline_ms=timeline.deadline_after(
                game, session.setup, session.state, session.deadline_ms, state, now_ms
            ),
        )

    def _commit(
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
        game = self._games[session.game]
        lifetime_ms = session.setup.lifetime_ms
        return self.store.commit(
            session.id,
            Commit(
                number=session.version.number,
                commit=session.version.commit,
                new_commit=after.version.commit,
                access_number=session.access_number,
                answer_field="" if key is None else _answer_field(entered.role, key),
                fingerprint="" if key is None else key.fingerprint,
                entry=dump_entry(entry),
                lifetime_ms=lifetime_ms if after.actions else min(FIRST_LIFETIME_MS, lifetime_ms),
                fields=dump_changes(session, after, game),
            ),
        )

    def _outcome_of(
        self, entered: Entered, after: Session, reply: Reply, precondition: Precondition | None
    ) -> Told | Denial | None:
        """Return the observation of what was committed, or what became of a lost commit."""
        if reply.word == "committed":
            return self._view(after, entered.role)
        return self._lost(entered, reply, precondition)

    def _lost(
        self, entered: Entered, reply: Reply, precondition: Precondition | None
    ) -> Told | Denial | None:
        """Return the answer to a request whose commit was not the first; `None` to try again."""
        if reply.word == "replayed":
            return self._repeat(entered.session.id, entered.role, reply.number)
        if reply.word == "reused":
            return _REUSED
        if reply.word == "full":
            return Denial("session_full", _MOST_COMMITS)
        if reply.word == "stale" and precondition is not None:
            return Denial("stale_version", "Another request was faster.")
        return None

    def _known(self, entered: Entered, key: Key | None) -> Told | Denial | None:
        """Return the answer that the key has been given before, if it has."""
        if key is None:
            return None
        stored = entered.answers.get(_answer_field(entered.role, key))
        if stored is None:
            return None
        fingerprint, _, number = stored.partition(" ")
        if fingerprint != key.fingerprint:
            return _REUSED
        return self._repeat(entered.session.id, entered.role, int(number))

    def _repeat(self, session_id: str, role: Role, number: int) -> Told | Denial:
        """Return the first answer again: made from the history, it has the same bytes."""
        found = self.store.load(session_id, history_from=0)
        if isinstance(found, Missing):
            return _missing(found)
        session = load_session(session_id, found.fields, self._games)
        game, setup = self._games[session.game], session.setup
        entries = [load_entry(line) for line in found.history[:number]]
        moment = list(timeline.timeline(game, setup, entries))[-1]
        if moment.step is not None and role.name == "seat":
            body = observations.answer(game, setup, moment.version, moment.step, role)
        else:
            body = observations.observation(game, session_id, setup, moment, role)
        return Told(body, moment.version, role, replayed=True)

    def _view(self, session: Session, role: Role) -> Told:
        """Return what the bearer of a role sees of the session."""
        game = self._games[session.game]
        body = observations.observation(game, session.id, session.setup, session, role)
        return Told(body, session.version, role)

    def _moments(self, entered: Entered) -> list[Moment]:
        session = entered.session
        game = self._games[session.game]
        return list(timeline.timeline(game, session.setup, entered.history))

    def _action(self, game: GameEntry, data: object, seat: int) -> Any:
        """Return the action that `data` stands for, for the seat of whoever sends it."""
        if isinstance(data, dict):
            named = data.get("seat", seat)
            if type(named) is int and named != seat:
                return Denial("forbidden", "The action is for another seat than the token.")
            data = {"seat": seat, **data}
        faults: list[Fault] = []
        action = game.wire.action.read(data, faults)
        if faults:
            within = tuple(fault.under("/action") for fault in faults)
            return Denial("invalid_request", "", faults=within)
        return action


@dataclass(frozen=True, slots=True)
class _Change:
    """What a host asks for: the deed, the seat it is about, how the history calls it."""

    deed: Deed
    seat: int | None
    change: Change
    precondition: Precondition | None


_MOST_OTHERS = MOST_COMMITS - MOST_ACTIONS - 1  # commits that are no actions; the first is one
_UNDOINGS = frozenset({"undo_proposed", "undo_closed", "undone"})
_MOST_UNDOINGS = sentence("A session hears undo at most {most:,} times.", {"most": MOST_UNDOINGS})
_MOST_ACTIONS = sentence("A session has at most {most:,} actions.", {"most": MOST_ACTIONS})
_MOST_COMMITS = sentence("A session has at most {most:,} versions.", {"most": MOST_COMMITS})
_UNKNOWN = Denial("not_found", "There is no such session.")
_BUSY = Denial("busy", "Others were faster time and again; try again.")
_REUSED = Denial("key_reused", "This key was used for another request.")
_NO_SEAT = Denial("not_found", "There is no such seat.")
_NO_VERSION = Denial("stale_version", "This session has no such version.")
_VERSION_REQUIRED = Denial("version_required", "If-Match must name the version acted on.")


def _minted(key: Key | None, salt: str, session_id: str, seats: int) -> dict[Role, str]:
    """Return a token for the host and each seat: random, or as the key has it."""
    roles = (HOST, *(Role("seat", seat) for seat in range(seats)))
    if key is None:
        return {role: tokens.mint() for role in roles}
    return {role: tokens.derived(key.text, salt, session_id, role) for role in roles}


def _created(session: Session, first: Session | Moment, minted: Mapping[Role, str]) -> Json:
    """Return the answer to whoever created a session; `first` is its first version."""
    setup = session.setup
    return {
        "id": session.id,
        "game": session.game,
        "version": str(first.version),
        "host_token": minted[HOST],
        "seat_tokens": [minted[Role("seat", seat)] for seat in range(setup.seats)],
        "commitment": setup.commitment,
        "seed_source": setup.seed_source,
        "spectators": first.spectators,
    }


def _missing(found: Missing) -> Denial:
    if found.expired:
        return Denial("expired", "This session has expired or was deleted.")
    return _UNKNOWN


def _role(access: Access, bearer: Bearer | None, deed: Deed) -> Role | Denial:
    """Return what the token makes of its bearer, if that role may do what is asked.

    No token makes a spectator, where spectators are let in. Where they are not, whoever has no
    token of this session is told as much as if there were no session.
    """
    may = ROLES[deed]
    role = SPECTATOR if bearer is None else access.role_of(bearer)
    if role in (None, SPECTATOR) and not access.spectators:
        return _UNKNOWN
    if role is SPECTATOR and "spectator" not in may:
        return Denial("unauthorized", "This needs a token.")
    if role is None:
        return Denial("forbidden", "This token is not one of this session.")
    if role.name not in may:
        return Denial("forbidden", "This token may not do that.")
    return role


def _is_full(session: Session) -> bool:
    """Return whether nobody can act any more, so that nobody can be late either."""
    return session.actions >= MOST_ACTIONS


def _key_name(key: Key) -> str:
    """Return what the names of all answers under the key begin with.

    Who is asking is known only once all is loaded, so that is for all roles.
    """
    return tokens.short_hash(key.text)


def _answer_field(role: Role, key: Key) -> str:
    return f"{_key_name(key)}{'host' if role.seat is None else role.seat}"


def _stale(
    session: Session, precondition: Precondition | None, *, is_needed: bool
) -> Denial | None:
    """Return why the version acted on is missing or not the present one (RFC 9110, 13.1.1)."""
    if precondition is None:
        return _VERSION_REQUIRED if is_needed else None
    if precondition.allows(session.version):
        return None
    if precondition.weak:
        return Denial("stale_version", "A weak tag (W/) never matches; a proxy may have made it.")
    detail = sentence("The session is at version {version}.", {"version": str(session.version)})
    return Denial("stale_version", detail)


def _refused(game: GameEntry, state: Any, seat: int, verdict: Refusal) -> Denial:
    """Return the denial of an illegal action: out of turn, too late, or against the rules."""
    name, violations = game.rules.name, verdict.violations
    first: int | None = game.rules.to_act(state)
    if all(violation.code is not WRONG_SEAT for violation in violations):
        return Denial("illegal_action", "", violations, game=name)
    if game.rules.has_turns:
        return Denial("not_your_turn", "It is not for this seat to act.", violations, game=name)
    if first in (None, seat) or seat not in game.rules.seats_left(state):
        return Denial("illegal_action", "", violations, game=name)
    detail = sentence("Seat {seat} was first.", {"seat": first})
    return Denial("claim_late", detail, violations, game=name)


def _with(told: Told, **members: object) -> Told:
    """Return the answer with what is told only once, in place of the observation."""
    return replace(told, body={"version": told.body["version"], **members})
