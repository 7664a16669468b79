"""The application: every room put together, for one set of settings."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from flask import Flask

from splendor_api.games.registry import GAMES, Entry
from splendor_api.http.operations import Served, Service, bind
from splendor_api.http.table import OPERATIONS
from splendor_api.settings import Settings


def create_app(settings: Settings, games: Mapping[str, Entry] = GAMES) -> Flask:
    """Return the WSGI application that serves `games`; whatever can be made once is made here."""
    app = Flask("splendor_api", static_folder=None, template_folder=None)
    app.url_map.merge_slashes = False  # an address has one spelling
    served = {name: Served.of(entry) for name, entry in games.items()}
    bind(app, OPERATIONS, Service(served, settings, _contract))
    return app


def _contract() -> str:
    """Return the text of the OpenAPI document."""
    return (files("splendor_api") / "openapi.yaml").read_text("utf-8")
