"""Flask, doing for a request only what this service has a use for.

Flask finds the view and holds the request at hand. What else it offers, a session in a cookie,
hooks before and after a request, signals, addresses by host name, nothing here makes use of, and
together that takes longer than the rules of a game.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from flask import Flask, Response
from flask.sessions import NullSession, SessionInterface
from flask.wrappers import Request
from werkzeug.exceptions import NotFound
from werkzeug.routing import MapAdapter


class _NoSession(SessionInterface):
    """There are no cookies: what a caller shows is in its headers."""

    _NONE: Final = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Return the session that nobody has."""
        del app, request
        return self._NONE

    def is_null_session(self, obj: object) -> bool:
        """Say that there is nothing to save."""
        del obj
        return True


class Application(Flask):
    """A Flask application whose views return finished responses, and which has no hooks."""

    session_interface = _NoSession()

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what matches the path of a request, whatever host it names.

        Raises `NotFound` for one that begins with two slashes; werkzeug would take them for one.
        """
        if request is None:
            return None
        if request.environ["PATH_INFO"].startswith("//"):
            raise NotFound
        return MapAdapter(self.url_map, "", "", "", "http", request.path, request.method, None)

    def full_dispatch_request(self) -> Response:
        """Return what the view answers, or the handler of what went wrong."""
        try:
            answer = self.dispatch_request()
        except Exception as error:  # noqa: BLE001 - so does Flask
            answer = self.handle_user_exception(error)
        return answer if isinstance(answer, Response) else self.make_response(answer)

    def do_teardown_request(self, *_: object) -> None:
        """Do nothing at the end of a request."""

    def do_teardown_appcontext(self, *_: object) -> None:
        """Do nothing at the end of a context."""

    def _refused(self, _: Any) -> NoReturn:
        """Refuse a hook, which would not run."""
        raise TypeError("there are no hooks: what is done for every request is in the shell")

    before_request = after_request = _refused  # type: ignore[assignment] # as is its purpose
    teardown_request = teardown_appcontext = _refused  # type: ignore[assignment]
