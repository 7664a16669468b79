"""A service that does nothing: parses a body and writes it back, by Flask's ordinary ways.

What the service takes beyond this is its own cost. It has the same threads, workers, limits and
settings, and writes no log line for a request. Run by itself it is under the service's own worker;
under gunicorn's plain one it is run by `benchmarks.classed`.
"""

from __future__ import annotations

import orjson
from flask import Flask, Response, request

from splendor_api import settings
from splendor_api.launch import server
from splendor_api.settings import Settings

PATH = "/null"


def make(_: Settings) -> Flask:
    """Return the application."""
    app = Flask("null", static_folder=None, template_folder=None)

    @app.post(PATH)
    def null() -> Response:
        return Response(
            orjson.dumps(orjson.loads(request.get_data())), 200, mimetype="application/json"
        )

    return app


if __name__ == "__main__":
    server.serve(settings.from_environment(), make)
