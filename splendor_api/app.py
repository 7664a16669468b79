"""The application: every room put together, for one set of settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

from splendor_api.games.registry import GAMES, Entry
from splendor_api.http import limits
from splendor_api.http.application import Application
from splendor_api.http.operations import Served, Service, Sessions
from splendor_api.http.shell import bind
from splendor_api.http.table import OPERATIONS
from splendor_api.opponents.searchers import Searchers
from splendor_api.sealing import box, key_file
from splendor_api.sealing.keys import KeyRing
from splendor_api.sessions.attendance import Attendance
from splendor_api.sessions.connection import opener
from splendor_api.sessions.feed import Feed
from splendor_api.sessions.keeping import Keeping
from splendor_api.sessions.store import Store
from splendor_api.settings import Settings, SettingsError
from splendor_api.telemetry import logs
from splendor_api.wire.bodies import Hosted, session_creation

FEED = "splendor_api.feed"
"""Where the application's extensions have the feed, for the server to close at its end."""

SEARCHERS = "splendor_api.searchers"
"""Where they have the searchers, which end with the server too."""

SEAL_KEYS = "splendor_api.seal_keys"
"""Where they have what returns the keys of sealed states, which the first start makes."""


def create_app(
    settings: Settings, games: Mapping[str, Entry] = GAMES, store: Store | None = None
) -> Application:
    """Return the WSGI application that serves `games`; whatever can be made once is made here.

    Sessions are kept in `store`, by default in the one that the settings name. Without either
    there are none: what is asked of them is answered with `store_unavailable`. Raises
    `SettingsError` for a store that cannot be one.
    """
    app = Application("splendor_api")
    searchers = app.extensions[SEARCHERS] = Searchers(settings.search_processes)
    sessions = _sessions(settings, games, store or _store(settings), searchers)
    if sessions is not None:
        app.extensions[FEED] = sessions.feed
    ring = app.extensions[SEAL_KEYS] = _ring(settings)
    service = Service(
        games={name: Served.of(entry, ring, searchers) for name, entry in games.items()},
        settings=settings,
        contract=_contract,
        creation=session_creation(
            {name: hosted(entry) for name, entry in games.items()},
            settings.session_ttl_seconds,
        ),
        places=limits.Places(settings.threads // 2),
        sessions=sessions,
    )
    bind(app, OPERATIONS, service)
    return app


def hosted(entry: Entry) -> Hosted:
    """Return what a request for a session must know of a game."""
    return Hosted(entry.wire, entry.rules.time_limit, entry.opponents is not None)


def started(settings: Settings) -> Application:
    """Return the application for a service that starts now: the keys of sealed states are there.

    So no two of its processes make any, and whoever starts it sees at once whether there are some.
    """
    app = create_app(settings)
    app.extensions[SEAL_KEYS]()
    return app


def _sessions(
    settings: Settings, games: Mapping[str, Entry], store: Store | None, searchers: Searchers
) -> Sessions | None:
    if store is None:
        return None
    keeping = Keeping(games, store, settings.session_ttl_seconds * 1000, searchers)
    return Sessions(keeping, Feed(store), Attendance(store))


def _ring(settings: Settings) -> Callable[[], KeyRing | None]:
    """Return what returns the keys of sealed states: those of the settings, or those kept.

    Kept keys are read, and made if need be, when they are first asked for. Where they cannot be
    kept there are none, for keys that are lost with the process would be worse than none.
    """
    if settings.seal_keys:
        if not box.is_available():
            raise SettingsError((f"SEAL_KEYS: {box.NOT_AVAILABLE}.",))
        try:
            ring = KeyRing.of([key.reveal() for key in settings.seal_keys])
        except ValueError as error:
            raise SettingsError((f"SEAL_KEYS: {error}.",)) from None
        return lambda: ring

    @cache
    def kept() -> KeyRing | None:
        if not box.is_available():
            logs.event("no seal keys", level="warning", reason=box.NOT_AVAILABLE)
            return None
        try:
            keys = key_file.kept(settings.data_dir)
        except (OSError, ValueError) as error:
            logs.event("no seal keys", level="warning", reason=type(error).__name__)
            return None
        if keys.is_new:
            logs.event("seal key made", key_id=keys.ring.current.id)
        return keys.ring

    return kept


def _store(settings: Settings) -> Store | None:
    """Return the store that the settings name; it is connected to when it is first needed."""
    if settings.redis_url is None:
        return None
    try:
        connect = opener(settings.redis_url.reveal())
    except ValueError:
        raise SettingsError(("REDIS_URL: the value is not the URL of a store.",)) from None
    return Store(connect, settings.session_replicas)


def _contract() -> str:
    """Return the text of the OpenAPI document."""
    return (files("splendor_api") / "openapi.yaml").read_text("utf-8")
