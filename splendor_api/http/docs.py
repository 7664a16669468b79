"""The reference page: the OpenAPI document in a viewer, with nothing from anywhere else.

The viewer is Swagger UI, of which the package `flask-swagger-ui` has the built files; no code of
that package runs here. Its files and those of the page lie under `/docs`, side by side; the frame
is that of the other pages.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from splendor_api.http.headers import REVALIDATE, TEXT
from splendor_api.http.html import MEDIA_TYPE
from splendor_api.http.operations import Answer, Operation, Service, refusal
from splendor_api.http.problems import NOT_FOUND

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of the page: all from here; the viewer's style has pictures in it."""

_CSS: Final = "text/css; charset=utf-8"
_SCRIPT: Final = "text/javascript; charset=utf-8"

_OURS: Final = files("splendor_api") / "site" / "docs"
_VIEWER: Final = files("flask_swagger_ui") / "dist"

FILES: Final = {
    "docs.css": (_OURS, _CSS),
    "docs.js": (_OURS, _SCRIPT),
    "swagger-ui.css": (_VIEWER, _CSS),
    "swagger-ui-bundle.js": (_VIEWER, _SCRIPT),
    "LICENSE": (_VIEWER, TEXT),
}
"""What the page loads, each with where it lies and what it is."""


def get_docs(_: Service) -> Answer:
    """Answer with the page."""
    return Answer(200, (_OURS / "index.html").read_bytes(), MEDIA_TYPE)


def get_docs_file(_: Service, file: str) -> Answer:
    """Answer with a file that the page loads."""
    if file not in FILES:
        return refusal(NOT_FOUND.document("The reference page has no file of this name."))
    folder, media_type = FILES[file]
    return Answer(200, (folder / file).read_bytes(), media_type)


OPERATIONS: Final = (
    Operation(
        "GET", "/docs", "get_docs", get_docs, offers=(MEDIA_TYPE,), keeps=REVALIDATE, policy=POLICY
    ),
    Operation(
        "GET",
        "/docs/{file}",
        "get_docs_file",
        get_docs_file,
        offers=(_CSS, _SCRIPT, TEXT),
        keeps=REVALIDATE,
        is_file=True,
    ),
)
