"""An application under one of gunicorn's own worker classes: `python -m benchmarks.classed gevent`.

Everything else is as the service has it, so that only the class is compared. After the class may
stand a peer that is served in place of the service: `null`, `validated`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

if "gevent" in sys.argv:
    import_module("gevent.monkey").patch_all()  # before anybody takes what it replaces

from splendor_api.app import started
from splendor_api.launch import server
from splendor_api.settings import Settings, from_environment

_plain = server.gunicorn_settings


def _classed(settings: Settings, notes: Sequence[str] = ()) -> Mapping[str, Any]:
    return {**_plain(settings, notes), "worker_class": sys.argv[1]}


def _made() -> Callable[[Settings], Any]:
    """Return what makes the application; what another one takes is not imported."""
    if len(sys.argv) < 3:
        return started
    make: Callable[[Settings], Any] = import_module(f"benchmarks.{sys.argv[2]}").make
    return make


if __name__ == "__main__":
    server.gunicorn_settings = _classed
    server.serve(from_environment(), _made())
