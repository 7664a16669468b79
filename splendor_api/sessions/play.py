"""Create, act, observe, undo: load, ask the referee, commit.

The core runs here, in the worker; the store only compares versions. Whatever another request did
in between makes a commit stale, and then everything is read and judged again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal

from splendor_api.games import referee
from splendor_api.games.protocol import Step
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.games.shuffle import commitment
from splendor_api.games.violations import WRONG_SEAT, Violation
from splendor_api.sessions import tokens
from splendor_api.sessions.store import Commit, Missing, Reply, Store
from splendor_api.sessions.stored import (
    Entry,
    EntryKind,
    Proposal,
    Session,
    Setup,
    Version,
    dump_entry,
    dump_session,
    load_entry,
    load_session,
)
from splendor_api.sessions.timeline import Moment, timeline
from splendor_api.sessions.tokens import HOST, SPECTATOR, Access, Role
from splendor_api.wire.faults import Fault

MOST_ACTIONS: Final = 1_000  # of a session, so that every record fits a replay
MOST_COMMITS: Final = 3_000  # of any kind, so that a history has a bound
FIRST_LIFETIME_MS: Final = 60 * 60 * 1000  # until the first action
MOST_SEATS: Final = 20
ATTEMPTS: Final = 32  # how often a request may lose a race before it is told to try later

Json = dict[str, Any]

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
class Creation:
    """What a session is to be created with: a deal, or a `state` (then seats follow from it)."""

    game: str
    seats: int
    ruleset: str
    options: Mapping[str, int | bool | str]
    seed: str | None
    state: Any
    lifetime_ms: int
    limit_ms: int | None
    spectators: bool
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key, and what it is bound to: method, path and canonical body, hashed."""

    text: str
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

    `replayed` if it repeats what the same request was told before.
    """

    body: Json
    version: Version
    role: Role
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Entered:
    """A session as a caller meets it."""

    session: Session
    role: Role
    now_ms: int
    answers: Mapping[str, str] = field(default_factory=dict)
    history: tuple[Entry, ...] = ()


class Play:
    """Sessions of some games in one store."""

    def __init__(self, games: Mapping[str, GameEntry], store: Store) -> None:
        self._games: Final = games
        self.store: Final = store

    def create(self, creation: Creation, key: Key | None) -> Told | Denial:
        """Deal, or take the state, and store; the answer has every token, once and for all."""
        game = self._games[creation.game]
        salt = secrets.token_hex(32)
        session_id = tokens.mint_id() if key is None else tokens.derived_id(key.text)
        nonce, seed = secrets.token_hex(32), creation.seed or secrets.token_hex(32)
        if creation.state is not None:
            findings = referee.audit(game.rules, creation.state)
            if findings:
                return Denial("impossible_state", "", findings, game=creation.game)
            state, seats = creation.state, game.rules.seats_of(creation.state)
        else:
            seats = creation.seats
            state = game.rules.deal(seats, creation.ruleset, creation.options, seed)
        is_dealt = creation.state is None
        now_ms = self.store.now_ms()
        setup = Setup(
            seats=seats,
            ruleset=creation.ruleset,
            options=creation.options,
            seed=seed if is_dealt else None,
            nonce=nonce if is_dealt else None,
            commitment=commitment(nonce, seed) if is_dealt else None,
            seed_source="caller" if creation.seed or not is_dealt else "service",
            initial=None if is_dealt else game.wire.dump_state(state),
            created_at_ms=now_ms,
            lifetime_ms=creation.lifetime_ms,
            limit_ms=creation.limit_ms,
            metadata=creation.metadata,
        )
        minted = _minted(key, salt, session_id, seats)
        access = Access(
            tokens.hash_of(minted[HOST]),
            tuple(tokens.hash_of(minted[Role("seat", seat)]) for seat in range(seats)),
            spectators=creation.spectators,
        )
        version = Version(1, tokens.mint_commit())
        session = Session(
            id=session_id,
            game=creation.game,
            version=version,
            state=state,
            setup=setup,
            access=access,
            access_number=0,
            actions=0,
            undo=None,
            deadline_ms=_deadline(game, setup, state, now_ms),
            salt=salt,
        )
        fields = dump_session(session, game) | {"number": "1", "commit": version.commit}
        word = self.store.create(
            session_id,
            "" if key is None else key.fingerprint,
            dump_entry(Entry(version, "created", None, now_ms, {})),
            min(FIRST_LIFETIME_MS, setup.lifetime_ms),
            fields,
        )
        if word == "reused":
            return Denial("key_reused", "This key was used for another request.")
        if word == "created" or key is None:
            return Told(_created(session, minted), version, HOST)
        return self._created_before(session_id, key)

    def _created_before(self, session_id: str, key: Key) -> Told | Denial:
        """Return the answer of the first request to create this session, made again."""
        found = self.store.load(session_id, (), 0)
        if isinstance(found, Missing):
            return _missing(found)
        session = load_session(session_id, found.fields, self._games)
        first = load_entry(found.history[0])
        minted = _minted(key, session.salt, session_id, session.setup.seats)
        told = _created(replace(session, version=first.version), minted)
        return Told(told, first.version, HOST, replayed=True)

    def observe(self, session_id: str, token: str | None) -> Told | Denial:
        """Return the observation for the bearer of the token."""
        entered = self._enter(session_id, token)
        if isinstance(entered, Denial):
            return entered
        return self._view(entered.session, entered.role)

    def legal_actions(
        self, session_id: str, token: str | None, detail: referee.Detail, *, include_illegal: bool
    ) -> tuple[Entered, GameEntry, Any, Iterator[referee.Candidate[Any]]] | Denial:
        """Return what the bearer's seat may do, with the state that it is asked of.

        The list is the one of what the seat sees, so that it tells nothing that is hidden.
        """
        entered = self._enter(session_id, token, needs_seat=True)
        if isinstance(entered, Denial):
            return entered
        game = self._games[entered.session.game]
        state = entered.session.state
        listed = referee.candidates(
            game.rules, state, entered.role.seat, detail, include_illegal=include_illegal
        )
        return entered, game, state, listed

    def act(
        self,
        session_id: str,
        token: str | None,
        data: Json,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial:
        """Do what `data`, an action in JSON without or with its seat, says for the bearer's seat.

        Order: token, shape, idempotency, version, rules (RFC 9110, 13.2).
        """
        attempt = partial(self._act, session_id, token, data, precondition, key)
        return self._persist(attempt)

    def _act(
        self,
        session_id: str,
        token: str | None,
        data: Json,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial | None:
        """Try once; `None` if another request was faster and all is to be judged again."""
        entered = self._enter(session_id, token, key, needs_seat=True)
        if isinstance(entered, Denial):
            return entered
        session, seat = entered.session, entered.role.seat
        assert seat is not None, "a seat has entered"
        game = self._games[session.game]
        action = self._action(game, data, seat)
        if isinstance(action, Denial):
            return action
        known = self._known(entered, key)
        if known is not None:
            return known
        stale = _stale(session, precondition, is_needed=game.rules.has_turns)
        if stale is not None:
            return stale
        if session.actions >= MOST_ACTIONS:
            return Denial("session_full", f"A session has at most {MOST_ACTIONS} actions.")
        state = session.state
        verdict = referee.proceed(game.rules, state, action)
        if isinstance(verdict, Refusal):
            return _refused(game, state, seat, verdict)
        after = self._after(session, game, verdict.state, entered.now_ms)
        dumped = game.wire.dump_action(action)
        reply = self._commit(entered, after, "action", seat, {"action": dumped}, key)
        if reply.word == "committed":
            version = replace(after.version, number=reply.number)
            return self._answer(after, version, entered.role, verdict)
        return self._lost(entered, reply, precondition)

    def history(self, session_id: str, token: str | None, after: Version | None) -> Told | Denial:
        """Return every step since a version, observed; from the beginning if none is named."""
        entered = self._enter(session_id, token, history_from=0)
        if isinstance(entered, Denial):
            return entered
        session = entered.session
        moments = self._moments(entered)
        since = 0 if after is None else after.number
        if after is not None and not any(each.entry.version == after for each in moments):
            return Denial("stale_version", "This session has no such version.")
        steps = [self._told(entered, each) for each in moments if each.entry.version.number > since]
        return Told(
            {"version": str(session.version), "steps": steps}, session.version, entered.role
        )

    def since(
        self, session_id: str, token: str | None, after: Version | None
    ) -> tuple[Entered, Sequence[tuple[Moment, Json]] | None] | Denial:
        """Return the session and its steps since a version, or none if it has no such version."""
        entered = self._enter(session_id, token, history_from=0)
        if isinstance(entered, Denial):
            return entered
        moments = self._moments(entered)
        if after is None or not any(each.entry.version == after for each in moments):
            return entered, None
        later = [each for each in moments if each.entry.version.number > after.number]
        return entered, [(each, self._told(entered, each)) for each in later]

    def view(self, entered: Entered) -> Told:
        """Return the observation of somebody who has entered."""
        return self._view(entered.session, entered.role)

    def undo(
        self,
        session_id: str,
        token: str | None,
        do: Literal["propose", "accept", "decline", "withdraw"],
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial:
        """Propose to take the last turn back, or answer such a proposal."""
        return self._persist(partial(self._undo, session_id, token, do, precondition, key))

    def _undo(
        self,
        session_id: str,
        token: str | None,
        do: str,
        precondition: Precondition | None,
        key: Key | None,
    ) -> Told | Denial | None:
        entered = self._enter(session_id, token, key, needs_seat=True, history_from=0)
        if isinstance(entered, Denial):
            return entered
        known = self._known(entered, key)
        if known is not None:
            return known
        session, seat = entered.session, entered.role.seat
        assert seat is not None, "a seat has entered"
        stale = _stale(session, precondition, is_needed=False)
        if stale is not None:
            return stale
        moments = self._moments(entered)
        proposal = self._proposal(session, moments, seat) if do == "propose" else session.undo
        if isinstance(proposal, Denial):
            return proposal
        if proposal is None:
            return Denial("forbidden", "There is no proposal to answer.")
        is_own = proposal.by == seat
        if do != "propose" and is_own != (do == "withdraw"):
            return Denial("forbidden", "A proposal is withdrawn by its owner, answered by others.")
        if do in ("decline", "withdraw"):
            return self._step_aside(entered, "undo_closed", seat, None, key, precondition)
        if do == "accept":
            proposal = replace(proposal, agreed=tuple(sorted({*proposal.agreed, seat})))
        game = self._games[session.game]
        needed = {other for other in range(session.setup.seats) if other != proposal.by}
        needed &= set(self._seats_left(game, session))
        if needed <= set(proposal.agreed):
            return self._take_back(entered, moments, proposal, seat, key, precondition)
        return self._step_aside(entered, "undo_proposed", seat, proposal, key, precondition)

    def _proposal(
        self, session: Session, moments: Sequence[Moment], seat: int
    ) -> Proposal | Denial:
        """Return the proposal of the seat that acted last to take its turn back."""
        game = self._games[session.game]
        played = _standing(moments)
        if not played:
            return Denial("forbidden", "There is nothing to take back.")
        if played[-1][1].entry.seat != seat:
            return Denial("forbidden", "Only the seat that acted last may propose this.")
        turn = game.rules.turn_of(played[-1][0].state)
        taken = [pair for pair in played if game.rules.turn_of(pair[0].state) == turn]
        revealed = any(
            game.rules.is_revealing(event)
            for _, moment in taken
            if moment.step is not None
            for event in moment.step.events
        )
        return Proposal(seat, taken[0][0].entry.version.number, revealed, ())

    def _take_back(
        self,
        entered: Entered,
        moments: Sequence[Moment],
        proposal: Proposal,
        seat: int,
        key: Key | None,
        precondition: Precondition | None,
    ) -> Told | Denial | None:
        """Append the return to an earlier state; the history keeps what was undone."""
        session, game = entered.session, self._games[entered.session.game]
        state = next(
            moment.state for moment in moments if moment.entry.version.number == proposal.to
        )
        after = self._after(session, game, state, entered.now_ms)
        after = replace(after, actions=session.actions)
        details = {"to": proposal.to, "revealed": proposal.revealed}
        reply = self._commit(entered, after, "undone", seat, details, key)
        if reply.word == "committed":
            version = replace(after.version, number=reply.number)
            return self._view(replace(after, version=version), entered.role)
        return self._lost(entered, reply, precondition)

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
        details = {} if proposal is None else {"to": proposal.to, "revealed": proposal.revealed}
        reply = self._commit(entered, after, kind, seat, details, key)
        if reply.word == "committed":
            return self._view(after, entered.role)
        return self._lost(entered, reply, precondition)

    def set_spectators(self, session_id: str, token: str | None, *, allowed: bool) -> Told | Denial:
        """Let anybody with the id watch, or nobody; the host decides."""

        def changed(session: Session) -> Access:
            return replace(session.access, spectators=allowed)

        return self._persist(partial(self._let_in, session_id, token, None, changed))

    def rotate_token(self, session_id: str, token: str | None, seat: int) -> Told | Denial:
        """Give a seat another token; the one before is void. The host decides."""
        fresh = tokens.mint()
        told = self._persist(
            partial(
                self._let_in,
                session_id,
                token,
                seat,
                lambda session: session.access.with_token(seat, fresh),
            )
        )
        return told if isinstance(told, Denial) else _with(told, seat=seat, token=fresh)

    def revoke_token(self, session_id: str, token: str | None, seat: int) -> Told | Denial:
        """Take a seat's token away; the host decides."""
        return self._persist(
            partial(
                self._let_in,
                session_id,
                token,
                seat,
                lambda session: session.access.with_token(seat, None),
            )
        )

    def open_seat(self, session_id: str, token: str | None, seat: int) -> Told | Denial:
        """Make a join link for a seat: a claim that is exchanged for a token, once."""
        claim = tokens.mint()
        told = self._persist(
            partial(
                self._let_in,
                session_id,
                token,
                seat,
                lambda session: session.access.with_claim(seat, claim),
            )
        )
        return told if isinstance(told, Denial) else _with(told, seat=seat, claim=claim)

    def join(self, session_id: str, claim: str) -> Told | Denial:
        """Exchange the claim of a join link for the seat's token; the claim is used up."""
        fresh = tokens.mint()
        return self._persist(partial(self._join, session_id, claim, fresh))

    def _join(self, session_id: str, claim: str, fresh: str) -> Told | Denial | None:
        found = self.store.load(session_id)
        if isinstance(found, Missing):
            return _missing(found)
        session = load_session(session_id, found.fields, self._games)
        seat = session.access.claimed_seat(claim)
        if seat is None:
            return Denial("forbidden", "This join link is not, or no longer, good for a seat.")
        entered = Entered(session, Role("seat", seat), found.now_ms)
        told = self._admit(entered, session.access.with_token(seat, fresh), seat)
        return _with(told, seat=seat, token=fresh) if isinstance(told, Told) else told

    def resign_seat(
        self, session_id: str, token: str | None, seat: int, key: Key | None
    ) -> Told | Denial:
        """Take an absent seat out of the game; the host decides."""
        return self._persist(partial(self._resign_seat, session_id, token, seat, key))

    def _resign_seat(
        self, session_id: str, token: str | None, seat: int, key: Key | None
    ) -> Told | Denial | None:
        entered = self._enter(session_id, token, key, needs_host=True)
        if isinstance(entered, Denial):
            return entered
        known = self._known(entered, key)
        if known is not None:
            return known
        game, state = self._games[entered.session.game], entered.session.state
        if seat >= entered.session.setup.seats:
            return Denial("not_found", "There is no such seat.")
        return self._force(entered, game, state, game.rules.resign(seat, True), key)

    def delete(self, session_id: str, token: str | None) -> Denial | None:
        """Delete the session; the host decides. Return nothing if it is done."""
        for _ in range(ATTEMPTS):
            entered = self._enter(session_id, token, needs_host=True)
            if isinstance(entered, Denial):
                return entered
            word = self.store.delete(session_id, entered.session.access_number)
            if word != "access":
                return None
        return _BUSY

    def record(self, session_id: str, token: str | None, engine: str) -> Told | Denial:
        """Return the game as a portable record; seed or first state only once it is over.

        No action tells what is hidden: it is what the seat did for all to see.
        """
        entered = self._enter(session_id, token, history_from=0)
        if isinstance(entered, Denial):
            return entered
        session, game = entered.session, self._games[entered.session.game]
        moments = self._moments(entered)
        setup = session.setup
        is_over = game.rules.outcome(moments[-1].state) is not None
        body: Json = {
            "game": session.game,
            "format": 1,
            "engine": engine,
            "seats": setup.seats,
            "ruleset": game.wire.dump_state(moments[0].state)["ruleset"],
            "seed_source": setup.seed_source,
            "commitment": setup.commitment,
            "actions": [moment.entry.details["action"] for _, moment in _standing(moments)],
            "complete": is_over,
        }
        if is_over and setup.seed is not None:
            body |= {"seed": setup.seed, "nonce": setup.nonce}
        if setup.initial is not None and is_over:
            body["state"] = setup.initial
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
        token: str | None,
        key: Key | None = None,
        *,
        needs_seat: bool = False,
        needs_host: bool = False,
        history_from: int = -1,
    ) -> Entered | Denial:
        """Load the session and see who is asking; what is overdue is done first."""
        fields = () if key is None else tuple(_answer_fields(key))
        for _ in range(ATTEMPTS):
            found = self.store.load(session_id, fields, history_from)
            if isinstance(found, Missing):
                return _missing(found)
            session = load_session(session_id, found.fields, self._games)
            role = _role(session.access, token)
            if isinstance(role, Denial):
                return role
            entered = Entered(
                session,
                role,
                found.now_ms,
                found.answers,
                tuple(load_entry(line) for line in found.history),
            )
            if session.deadline_ms is None or found.now_ms < session.deadline_ms:
                return _allowed(entered, token, needs_seat=needs_seat, needs_host=needs_host)
            self._do_overdue(entered)
        return _BUSY

    def _do_overdue(self, entered: Entered) -> None:
        """Do what the seat to act did not do in time; whoever comes first does it."""
        game, state = self._games[entered.session.game], entered.session.state
        self._force(entered, game, state, game.rules.overdue(state), None)

    def _force(
        self, entered: Entered, game: GameEntry, state: Any, action: Any, key: Key | None
    ) -> Told | Denial | None:
        """Do an action that no seat has asked for."""
        verdict = referee.proceed(game.rules, state, action)
        if isinstance(verdict, Refusal):
            return Denial("illegal_action", "", verdict.violations, game=entered.session.game)
        after = self._after(entered.session, game, verdict.state, entered.now_ms)
        seat = game.rules.seat_of(state, action)
        details = {"action": game.wire.dump_action(action)}
        reply = self._commit(entered, after, "action", seat, details, key)
        if reply.word == "committed":
            version = replace(after.version, number=reply.number)
            return self._view(replace(after, version=version), entered.role)
        return self._lost(entered, reply, None)

    def _let_in(
        self,
        session_id: str,
        token: str | None,
        seat: int | None,
        changed: Callable[[Session], Access],
    ) -> Told | Denial | None:
        """Change who may do what, as the host."""
        entered = self._enter(session_id, token, needs_host=True)
        if isinstance(entered, Denial):
            return entered
        if seat is not None and seat >= entered.session.setup.seats:
            return Denial("not_found", "There is no such seat.")
        return self._admit(entered, changed(entered.session), seat)

    def _admit(self, entered: Entered, access: Access, seat: int | None) -> Told | Denial | None:
        session = entered.session
        version = Version(session.version.number + 1, tokens.mint_commit())
        number = session.access_number + 1
        after = replace(session, version=version, access=access, access_number=number)
        reply = self._commit(entered, after, "seat", seat, {}, None)
        if reply.word == "committed":
            return self._view(after, entered.role)
        return self._lost(entered, reply, None)

    def _after(self, session: Session, game: GameEntry, state: Any, now_ms: int) -> Session:
        """Return the session with another state, one version further; a proposal is void."""
        return replace(
            session,
            version=Version(session.version.number + 1, tokens.mint_commit()),
            state=state,
            actions=session.actions + 1,
            undo=None,
            deadline_ms=_deadline(game, session.setup, state, now_ms),
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
        if session.version.number >= MOST_COMMITS:
            return Reply("stale")
        entry = Entry(after.version, kind, seat, entered.now_ms, details)
        game = self._games[session.game]
        before, now = dump_session(session, game), dump_session(after, game)
        changed = {name: text for name, text in now.items() if text != before[name]}
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
                lifetime_ms=session.setup.lifetime_ms,
                fields=changed,
            ),
        )

    def _lost(
        self, entered: Entered, reply: Reply, precondition: Precondition | None
    ) -> Told | Denial | None:
        """Return the answer to a request whose commit was not the first; `None` to try again."""
        if reply.word == "replayed":
            return self._repeat(entered.session.id, entered.role, reply.number)
        if reply.word == "reused":
            return _REUSED
        if reply.word == "stale" and entered.session.version.number >= MOST_COMMITS:
            return Denial("session_full", f"A session has at most {MOST_COMMITS} versions.")
        if reply.word == "stale" and precondition is not None:
            return Denial("stale_version", "Another request was faster.")
        return None

    def _known(self, entered: Entered, key: Key | None) -> Told | Denial | None:
        """Return the answer that the key has been given before, if it has."""
        if key is None:
            return None
        stored = entered.answers[_answer_field(entered.role, key)]
        if not stored:
            return None
        fingerprint, _, number = stored.partition(" ")
        if fingerprint != key.fingerprint:
            return _REUSED
        return self._repeat(entered.session.id, entered.role, int(number))

    def _repeat(self, session_id: str, role: Role, number: int) -> Told | Denial:
        """Return the first answer again: made from the history, it has the same bytes."""
        found = self.store.load(session_id, (), 0)
        if isinstance(found, Missing):
            return _missing(found)
        session = load_session(session_id, found.fields, self._games)
        entries = [load_entry(line) for line in found.history]
        game = self._games[session.game]
        moment = list(timeline(game, session.setup, entries[:number]))[-1]
        then = replace(session, version=moment.entry.version, state=moment.state)
        if moment.step is not None and role.name == "seat":
            told = self._answer(then, moment.entry.version, role, moment.step)
        else:
            told = self._view(replace(then, undo=None, deadline_ms=None), role)
        return replace(told, replayed=True)

    def _answer(self, session: Session, version: Version, role: Role, step: Step[Any, Any]) -> Told:
        """Return what a seat is told of its own action."""
        game = self._games[session.game]
        body: Json = {
            "version": str(version),
            "state": game.wire.dump_state(game.rules.observe(step.state, role.seat)),
            "events": _events(game, step, role),
            "to_act": game.rules.to_act(step.state),
            "outcome": _outcome(game, step.state),
        }
        return Told(body | _opened(game, session.setup, step.state), version, role)

    def _view(self, session: Session, role: Role) -> Told:
        """Return what the bearer of a role sees of the session."""
        game, state = self._games[session.game], session.state
        left = self._seats_left(game, session)
        undo = session.undo
        body: Json = {
            "id": session.id,
            "game": session.game,
            "version": str(session.version),
            "seat": role.seat,
            "state": game.wire.dump_state(game.rules.observe(state, role.seat)),
            "seats": [
                {"seat": seat, "taken": stored is not None, "resigned": seat not in left}
                for seat, stored in enumerate(session.access.seats)
            ],
            "to_act": game.rules.to_act(state),
            "outcome": _outcome(game, state),
            "undo": None
            if undo is None
            else {"by": undo.by, "revealed": undo.revealed, "agreed": undo.agreed},
            "deadline_ms": session.deadline_ms,
            "commitment": session.setup.commitment,
            "seed_source": session.setup.seed_source,
            "spectators": session.access.spectators,
            "metadata": session.setup.metadata,
        }
        return Told(body | _opened(game, session.setup, state), session.version, role)

    def _told(self, entered: Entered, moment: Moment) -> Json:
        """Return what a role is told of one version."""
        game, entry = self._games[entered.session.game], moment.entry
        told: Json = {
            "version": str(entry.version),
            "kind": entry.kind,
            "seat": entry.seat,
            "at_ms": entry.at_ms,
        }
        if moment.step is not None:
            told["events"] = _events(game, moment.step, entered.role)
            told["to_act"] = game.rules.to_act(moment.state)
            told["outcome"] = _outcome(game, moment.state)
        if entry.kind in ("undo_proposed", "undone"):
            told["revealed"] = entry.details.get("revealed", False)
        if entry.kind == "undone":
            seen = game.rules.observe(moment.state, entered.role.seat)
            told["state"] = game.wire.dump_state(seen)
        return told

    def _moments(self, entered: Entered) -> list[Moment]:
        session = entered.session
        return list(timeline(self._games[session.game], session.setup, entered.history))

    def _seats_left(self, game: GameEntry, session: Session) -> tuple[int, ...]:
        return game.rules.seats_left(session.state)

    def _action(self, game: GameEntry, data: Json, seat: int) -> Any:
        """Return the action that `data` stands for, for the seat of whoever sends it."""
        if data.get("seat", seat) != seat:
            return Denial("forbidden", "The action is for another seat than the token.")
        faults: list[Fault] = []
        action = game.wire.action.read({**data, "seat": seat}, faults)
        if faults:
            within = tuple(fault.under("/action") for fault in faults)
            return Denial("invalid_request", "", faults=within)
        return action


_BUSY = Denial("busy", "Others were faster time and again; try again.")
_REUSED = Denial("key_reused", "This key was used for another request.")


def _minted(key: Key | None, salt: str, session_id: str, seats: int) -> dict[Role, str]:
    """Return a token for the host and each seat: random, or as the key has it."""
    roles = (HOST, *(Role("seat", seat) for seat in range(seats)))
    if key is None:
        return {role: tokens.mint() for role in roles}
    return {role: tokens.derived(key.text, salt, session_id, role) for role in roles}


def _created(session: Session, minted: Mapping[Role, str]) -> Json:
    """Return the answer to whoever creates a session."""
    return {
        "id": session.id,
        "game": session.game,
        "version": str(session.version),
        "host_token": minted[HOST],
        "seat_tokens": [minted[Role("seat", seat)] for seat in range(len(session.access.seats))],
        "commitment": session.setup.commitment,
        "seed_source": session.setup.seed_source,
        "spectators": session.access.spectators,
    }


def _missing(found: Missing) -> Denial:
    if found.expired:
        return Denial("expired", "This session has expired or was deleted.")
    return Denial("not_found", "There is no such session.")


def _role(access: Access, token: str | None) -> Role | Denial:
    """Return what the token makes of its bearer; no token makes a spectator, where they may be."""
    role = SPECTATOR if token is None else access.role_of(token)
    if role == SPECTATOR and not access.spectators:
        return Denial("unauthorized", "This session is seen with a token only.")
    if role is not None:
        return role
    if access.spectators:
        return Denial("forbidden", "This token is not one of this session.")
    return _missing(Missing(expired=False))


def _allowed(
    entered: Entered, token: str | None, *, needs_seat: bool, needs_host: bool
) -> Entered | Denial:
    """Return the entered again if its role may do what is asked."""
    name = entered.role.name
    if (needs_seat and name != "seat") or (needs_host and name != "host"):
        if token is None:
            return Denial("unauthorized", "This needs a token.")
        return Denial("forbidden", "This token may not do that.")
    return entered


def _answer_field(role: Role, key: Key) -> str:
    return tokens.short_hash(role.audience, key.text)


def _answer_fields(key: Key) -> Iterator[str]:
    """Yield the fields of all roles: who is asking is known only once all is loaded."""
    for role in (HOST, *(Role("seat", seat) for seat in range(MOST_SEATS))):
        yield _answer_field(role, key)


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
    return Denial("stale_version", f"The session is at version {session.version}.")


_VERSION_REQUIRED = Denial("version_required", "If-Match must name the version acted on.")


def _refused(game: GameEntry, state: Any, seat: int, verdict: Refusal) -> Denial:
    """Return the denial of an illegal action: out of turn, too late, or against the rules."""
    name, violations = game.rules.name, verdict.violations
    caller: int | None = game.rules.to_act(state)
    if all(violation.code is not WRONG_SEAT for violation in violations):
        return Denial("illegal_action", "", violations, game=name)
    if game.rules.has_turns:
        return Denial("not_your_turn", "It is not for this seat to act.", violations, game=name)
    if caller in (None, seat):
        return Denial("illegal_action", "", violations, game=name)
    return Denial("claim_late", f"Seat {caller} has called first.", violations, game=name)


def _standing(moments: Sequence[Moment]) -> list[tuple[Moment, Moment]]:
    """Return the steps that have not been taken back, each with the moment before it."""
    played: list[tuple[Moment, Moment]] = []
    before = moments[0]
    for moment in moments[1:]:
        if moment.entry.kind == "undone":
            to = moment.entry.details["to"]
            played = [pair for pair in played if pair[1].entry.version.number <= to]
        elif moment.step is not None:
            played.append((before, moment))
        before = moment
    return played


def _deadline(game: GameEntry, setup: Setup, state: Any, now_ms: int) -> int | None:
    """Return when the seat to act must have acted, where there is one and a limit."""
    if setup.limit_ms is None or game.rules.to_act(state) is None:
        return None
    return now_ms + setup.limit_ms


def _events(game: GameEntry, step: Step[Any, Any], role: Role) -> list[Json]:
    seen = game.rules.observe_step(step, role.seat)
    return [game.wire.dump_event(event) for event in seen]


def _outcome(game: GameEntry, state: Any) -> Json | None:
    outcome = game.rules.outcome(state)
    return None if outcome is None else game.wire.dump_outcome(outcome)


def _opened(game: GameEntry, setup: Setup, state: Any) -> Json:
    """Return seed and nonce once the game is over: what the commitment was made of."""
    if setup.seed is None or game.rules.outcome(state) is None:
        return {}
    return {"seed": setup.seed, "nonce": setup.nonce}


def _with(told: Told, **members: object) -> Told:
    return replace(told, body={"version": told.body["version"], **members})
