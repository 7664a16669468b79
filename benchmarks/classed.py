"""The service under one of gunicorn's own worker classes: `python -m benchmarks.classed gevent`.

Everything else is as the service has it, so that only the class is compared.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
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


if __name__ == "__main__":
    server.gunicorn_settings = _classed
    server.serve(from_environment(), started)
