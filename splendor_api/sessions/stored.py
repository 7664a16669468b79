"""What is stored of a session, as values and as text: format 1.

The session hash holds what changes with a step; the history holds a line a commit, without states
or events: they follow from the first state and the actions, see `timeline`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from splendor_api.games.opponents import Level
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.sessions.store import StoreUnavailable
from splendor_api.sessions.tokens import COMMIT_LENGTH, Access
from splendor_api.wire import json_text
from splendor_api.wire.faults import Fault

FORMAT: Final = 1

_VERSION: Final = re.compile(rf"([1-9][0-9]{{0,8}})\.([A-Za-z0-9_-]{{{COMMIT_LENGTH}}})", re.ASCII)

EntryKind = Literal["created", "action", "undo_proposed", "undo_closed", "undone", "seat"]

Json = dict[str, Any]

MIGRATIONS: Final[tuple[Callable[[Mapping[str, str]], Mapping[str, str]], ...]] = ()
"""The step from each format to the next, the first from format 1."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a session: its number, and the id of the commit that made it.

    The id tells a version from another of the same number, should a failover have lost the first.
    """

    number: int
    commit: str

    def __str__(self) -> str:
        return f"{self.number}.{self.commit}"

    @classmethod
    def parse(cls, text: str) -> Version | None:
        """Return the version that the text names, if it is one; each has one spelling."""
        found = _VERSION.fullmatch(text)
        return None if found is None else cls(int(found[1]), found[2])


@dataclass(frozen=True, slots=True)
class Setup:
    """What a session was created with, and never changes."""

    seats: int
    ruleset: str
    options: Mapping[str, int | bool | str]
    seed: str | None
    nonce: str | None
    commitment: str | None
    seed_source: str
    initial: Json | None
    created_at_ms: int
    lifetime_ms: int
    limit_ms: int | None
    metadata: Mapping[str, str]
    bots: Mapping[int, Level] = field(default_factory=dict)
    """The level of the opponent that has a seat, by seat."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal to take the last turn back: by whom, to which version, who has agreed.

    `revealed` says that something hidden would have been seen.
    """

    by: int
    to: int
    revealed: bool
    agreed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """A session as it stands at one version; `state` is a value of its game."""

    id: str
    game: str
    version: Version
    state: Any
    setup: Setup
    access: Access
    access_number: int
    actions: int
    undo: Proposal | None
    deadline_ms: int | None
    salt: str
    bot_ms: int | None = None
    """When the next opponent is due."""
    is_migrated: bool = False
    """Whether it is stored in an older format: then the next commit writes all of it."""

    @property
    def taken(self) -> tuple[bool, ...]:
        """Return for each seat whether somebody has it: a token, or an opponent."""
        bots = self.setup.bots
        return tuple(
            stored is not None or seat in bots for seat, stored in enumerate(self.access.seats)
        )

    @property
    def spectators(self) -> bool:
        """Return whether anybody who knows the id may watch."""
        return self.access.spectators


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the history: what was committed, for which seat, when, with what beside."""

    version: Version
    kind: EntryKind
    seat: int | None
    at_ms: int
    details: Json


def dump_session(session: Session, game: GameEntry) -> dict[str, str]:
    """Return the fields of the session hash, all of them but number and commit."""
    access = session.access
    return {
        "format": str(FORMAT),
        "game": session.game,
        "state": _text(game.wire.dump_state(session.state)),
        "setup": _text(_dump_setup(session.setup)),
        "salt": session.salt,
        **dump_access(access, session.access_number),
        "actions": str(session.actions),
        "undo": _undo_text(session),
        "deadline_ms": _time_text(session.deadline_ms),
        **_dump_bots(session),
    }


def dump_changes(before: Session, after: Session, game: GameEntry) -> dict[str, str]:
    """Return the fields that are to be written where `after` follows: what was replaced in it."""
    if before.is_migrated:
        return dump_session(after, game)
    fields: dict[str, str] = {}
    if after.state is not before.state:
        fields["state"] = _text(game.wire.dump_state(after.state))
    if after.access is not before.access:
        fields |= dump_access(after.access, after.access_number)
    if after.actions != before.actions:
        fields["actions"] = str(after.actions)
    if after.undo != before.undo:
        fields["undo"] = _undo_text(after)
    if after.deadline_ms != before.deadline_ms:
        fields["deadline_ms"] = _time_text(after.deadline_ms)
    if after.bot_ms != before.bot_ms:
        fields |= _dump_bots(after)
    return fields


def _undo_text(session: Session) -> str:
    return "" if session.undo is None else _text(dump_proposal(session.undo))


def _time_text(time_ms: int | None) -> str:
    return "" if time_ms is None else str(time_ms)


def _time(text: str) -> int | None:
    return int(text) if text else None


def _dump_setup(setup: Setup) -> Json:
    """Return the setup as JSON values; `bots` only where there are some."""
    value = {name: getattr(setup, name) for name in Setup.__dataclass_fields__}
    bots = {str(seat): level for seat, level in value.pop("bots").items()}
    return value | ({"bots": bots} if bots else {})


def _load_setup(value: Json) -> Setup:
    bots = {int(seat): level for seat, level in value.pop("bots", {}).items()}
    return Setup(**value, bots=bots)


def _dump_bots(session: Session) -> dict[str, str]:
    """Return the field that says when an opponent is due, where there are some."""
    return {"bot_ms": _time_text(session.bot_ms)} if session.setup.bots else {}


def dump_access(access: Access, number: int) -> dict[str, str]:
    """Return the fields of the session hash that say who may do what."""
    claims = {str(seat): claim for seat, claim in access.claims.items()}
    value = {
        "host": access.host,
        "seats": access.seats,
        "claims": claims,
        "spectators": access.spectators,
    }
    return {"access": _text(value), "access_number": str(number)}


def dump_proposal(proposal: Proposal) -> Json:
    """Return a proposal to undo as JSON values."""
    return {name: getattr(proposal, name) for name in Proposal.__dataclass_fields__}


def load_proposal(value: Json) -> Proposal:
    """Return the proposal that `dump_proposal` made this of."""
    return Proposal(**value | {"agreed": tuple(value["agreed"])})


def load_session(
    session_id: str, fields: Mapping[str, str], games: Mapping[str, GameEntry]
) -> Session:
    """Return the session of which these are the fields; older formats are migrated first.

    Raises `StoreUnavailable` for a newer one: a worker that knows it may answer the next request.
    """
    is_migrated = fields["format"] != str(FORMAT)
    fields = migrated(fields)
    access, setup = _value(fields["access"]), _value(fields["setup"])
    return Session(
        id=session_id,
        game=fields["game"],
        version=Version(int(fields["number"]), fields["commit"]),
        state=loaded(games[fields["game"]].wire.state, _value(fields["state"])),
        setup=_load_setup(setup),
        access=Access(
            access["host"],
            tuple(access["seats"]),
            {int(seat): claim for seat, claim in access["claims"].items()},
            access["spectators"],
        ),
        access_number=int(fields["access_number"]),
        actions=int(fields["actions"]),
        undo=load_proposal(_value(fields["undo"])) if fields["undo"] else None,
        deadline_ms=_time(fields["deadline_ms"]),
        salt=fields["salt"],
        bot_ms=_time(fields.get("bot_ms", "")),
        is_migrated=is_migrated,
    )


def migrated(fields: Mapping[str, str]) -> Mapping[str, str]:
    """Return the fields in the present format; raise `StoreUnavailable` for a newer one.

    Each older format has its step in `MIGRATIONS`, from it to the next.
    """
    number = int(fields["format"])
    if number > FORMAT:
        raise StoreUnavailable(f"a session of format {number} is newer than this service")
    for step in MIGRATIONS[number - 1 :]:
        fields = step(fields)
    return fields


def dump_entry(entry: Entry) -> str:
    """Return the history line: the version, a space, the rest as JSON."""
    rest = {"kind": entry.kind, "seat": entry.seat, "at_ms": entry.at_ms, **entry.details}
    return f"{entry.version} {_text(rest)}"


def load_entry(line: str) -> Entry:
    """Return the commit that a history line tells of."""
    name, _, text = line.partition(" ")
    version = Version.parse(name)
    assert version is not None, "a history line begins with a version"
    rest = _value(text)
    kind, seat, at_ms = rest.pop("kind"), rest.pop("seat"), rest.pop("at_ms")
    return Entry(version, kind, seat, at_ms, rest)


def loaded(field: Any, value: object) -> Any:
    """Return what a field makes of a value that the service wrote itself."""
    faults: list[Fault] = []
    result = field.read(value, faults)
    if faults:
        raise ValueError(f"what is stored cannot be read: {faults[0].code.name}")
    return result


def _text(value: object) -> str:
    return json_text.write(value).decode()


def _value(text: str) -> Any:
    return json_text.read(text.encode())
