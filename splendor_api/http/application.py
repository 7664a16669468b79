"""Flask, without what Flask does around a view.

The routes are Flask's, and so is the answer to what none of them fits. But a view here takes what
it is asked from the WSGI environment and returns a finished response, so nothing looks at a
context, a cookie, a hook or a signal in between; to set all that up takes longer than the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

from flask import Flask, Response
from flask.wrappers import Request
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import MapAdapter

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

View = Callable[..., Response]
"""Takes the WSGI environment, and by name what the path has in the places of its template."""

_REMEMBERED: Final = 1_024  # addresses whose route is known
_LONGEST: Final = 128  # characters of an address that is worth remembering


class Application(Flask):
    """A Flask application whose views are given the environment and return finished responses."""

    def __init__(self, name: str) -> None:
        super().__init__(name, static_folder=None, template_folder=None)
        self.url_map.merge_slashes = False  # an address has one spelling
        self._views: Final[dict[str, View]] = {}
        self._remembered: Final = lru_cache(_REMEMBERED)(self._route)

    def add_view(self, path: str, name: str, view: View, method: str) -> None:
        """Let `view` answer requests of a method for addresses of a path."""
        self._views[name] = view
        self.add_url_rule(path, name, view, methods=[method], provide_automatic_options=False)

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer by the view that the address names, or leave the request to Flask.

        An address without a path, `http://host`, is that of the root (RFC 9110, 4.2.3); werkzeug
        would redirect it, to whatever host the request names.
        """
        method = environ["REQUEST_METHOD"]
        path = environ["PATH_INFO"] = environ["PATH_INFO"] or "/"
        find = self._remembered if len(path) <= _LONGEST else self._route
        try:
            view, names = find(method, path)
        except HTTPException:
            return super().wsgi_app(environ, start_response)
        return view(environ, **names)(environ, start_response)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what matches the path of a request.

        Raises `NotFound` for one that begins with two slashes; werkzeug would take them for one.
        """
        if request is not None and request.environ["PATH_INFO"].startswith("//"):
            raise NotFound
        return super().create_url_adapter(request)

    def _route(self, method: str, path: str) -> tuple[View, Mapping[str, Any]]:
        """Return the view for an address, and what it names; raises as werkzeug does."""
        if path.startswith("//"):
            raise NotFound
        text = path.encode("latin-1").decode("utf-8", "replace")  # as WSGI has it
        endpoint, names = self.url_map.bind("").match(text, method)
        return self._views[endpoint], names

    def _refused(self, _: Any) -> NoReturn:
        """Refuse a hook, which would not run."""
        raise TypeError("there are no hooks: what is done for every request is in the shell")

    before_request = after_request = _refused  # type: ignore[assignment] # as is its purpose
    teardown_request = teardown_appcontext = _refused  # type: ignore[assignment] # as well
