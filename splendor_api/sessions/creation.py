"""Begin a session: deal, or take a state; mint everybody's tokens."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from splendor_api.games import referee
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.games.shuffle import commitment
from splendor_api.sessions import bots, timeline, tokens
from splendor_api.sessions.exchange import Denial, Key, Told
from splendor_api.sessions.keeping import FIRST_LIFETIME_MS, Keeping, missing
from splendor_api.sessions.recent import Met
from splendor_api.sessions.store import Missing
from splendor_api.sessions.stored import (
    Entry,
    Json,
    Session,
    Setup,
    Version,
    dump_entry,
    dump_session,
    load_entry,
    load_session,
)
from splendor_api.sessions.timeline import Moment
from splendor_api.sessions.tokens import HOST, Access, Role
from splendor_api.wire.faults import CONFLICTING_FIELDS, OUT_OF_RANGE, Fault
from splendor_api.wire.requests import Creation


def create(keeping: Keeping, creation: Creation, key: Key | None) -> Told | Denial:
    """Deal, or take the state, and store; the answer has every token, once and for all."""
    game = keeping.games[creation.game]
    if creation.state is not None:
        findings = referee.audit(game.rules, creation.state)
        if findings:
            return Denial("impossible_state", "", findings, game=creation.game)
    faults = tuple(_faults_of_bots(game, creation))
    if faults:
        return Denial("invalid_request", "", faults=faults)
    if not keeping.store.has_room():
        return Denial("store_unavailable", "There is no room for another session now.")
    salt = secrets.token_hex(32)
    session_id = tokens.mint_id() if key is None else tokens.derived_id(key.text)
    session, minted = _begun(keeping, creation, session_id, salt, key)
    told = _created(session, session, minted)
    details = {"spectators": creation.spectators}
    entry = Entry(session.version, "created", None, session.setup.created_at_ms, details)
    fields = dump_session(session, game) | {"number": "1", "commit": session.version.commit}
    word = keeping.store.create(
        session_id,
        "" if key is None else key.fingerprint,
        dump_entry(entry),
        min(FIRST_LIFETIME_MS, session.setup.lifetime_ms),
        fields,
    )
    if word == "reused":
        return Denial(
            "key_reused", "This key was used before, for another request or too long ago."
        )
    if word == "created":
        stored = load_session(session_id, fields, keeping.games)
        keeping.remember(Met(stored, session.setup.created_at_ms))
    if word == "created" or key is None:
        return Told(told, session.version, HOST)
    return _created_before(keeping, session_id, key)


def _begun(
    keeping: Keeping, creation: Creation, session_id: str, salt: str, key: Key | None
) -> tuple[Session, Mapping[Role, str]]:
    """Return the first version of a session, and everybody's tokens."""
    game = keeping.games[creation.game]
    setup, state = _set_up(keeping, game, creation)
    minted = _minted(key, salt, session_id, setup.seats)
    access = Access(
        tokens.hash_of(minted[HOST]),
        tuple(
            None if seat in setup.bots else tokens.hash_of(minted[Role("seat", seat)])
            for seat in range(setup.seats)
        ),
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
        bot_ms=bots.due_at(game, setup.bots, state, salt, 0, setup.created_at_ms),
    )
    return session, minted


def _faults_of_bots(game: GameEntry, creation: Creation) -> Iterator[Fault]:
    """Yield what is wrong with the seats that opponents get: there are none like them, or the
    opponents would need somebody's help.
    """
    state = creation.state
    seats = creation.seats or game.rules.seats_of(state)
    for seat in creation.bots:
        if seat >= seats:
            yield OUT_OF_RANGE.at(f"/bots/{seat}", value=seat, low=0, high=seats - 1)
    if creation.bots and state is not None:
        assert game.opponents is not None, "only such a game takes a word of them"
        if not game.opponents.is_playable(state):
            yield CONFLICTING_FIELDS.at(fields=("state", "bots"))


def _set_up(keeping: Keeping, game: GameEntry, creation: Creation) -> tuple[Setup, Any]:
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
        created_at_ms=keeping.store.now_ms(),
        lifetime_ms=keeping.lifetime_ms if lifetime is None else lifetime * 1000,
        limit_ms=None if limit is None else limit * 1000,
        metadata=creation.metadata,
        bots=creation.bots,
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


def _created_before(keeping: Keeping, session_id: str, key: Key) -> Told | Denial:
    """Return the answer of the first request to create this session, made again."""
    loaded = keeping.load(session_id, history_from=0)
    if isinstance(loaded, Missing):
        return missing(loaded)
    session, found = loaded
    history = [load_entry(line) for line in found.history[:1]]
    first = next(timeline.timeline(keeping.games[session.game], session.setup, history))
    minted = _minted(key, session.salt, session_id, session.setup.seats)
    told = _created(session, first, minted)
    return Told(told, first.version, HOST, replayed=True)


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
        "seat_tokens": [
            None if seat in setup.bots else minted[Role("seat", seat)]
            for seat in range(setup.seats)
        ],
        "commitment": setup.commitment,
        "seed_source": setup.seed_source,
        "spectators": first.spectators,
    }
