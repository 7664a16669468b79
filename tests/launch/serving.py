"""Serve a small application for the tests of this folder: started by them, told by arguments.

`/` answers with its process, `/large` with more than a socket holds, `/broken` breaks,
`/split` answers with a header that is none, `/metrics` counts, `/collecting` tells whether garbage
is looked for.
"""

import gc
import os
from collections.abc import Callable, Iterable
from typing import Any

from splendor_api import settings
from splendor_api.launch import server
from splendor_api.settings import Settings
from splendor_api.telemetry import metrics

LARGE = 64 * 1024 * 1024  # bytes

Start = Callable[[str, list[tuple[str, str]]], object]


def application(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    """Answer as the module says."""
    path = environ["PATH_INFO"]
    environ["wsgi.input"].read()
    if path == "/broken":
        raise RuntimeError("canary-text")
    if path == "/metrics":
        body, kind = metrics.render()
    elif path == "/collecting":
        body, kind = str(gc.isenabled()).encode(), "text/plain"
    elif path == "/large":
        body, kind = bytes(LARGE), "application/octet-stream"
    else:
        metrics.observe_request("small", environ["REQUEST_METHOD"], 200, 0.001)
        body, kind = str(os.getpid()).encode(), "text/plain"
    if path == "/split":
        kind = "text/plain\r\nInjected: yes"
    start("200 OK", [("Content-Type", kind), ("Content-Length", str(len(body)))])
    return [body]


def make(_: Settings) -> Callable[[dict[str, Any], Start], Iterable[bytes]]:
    """Return the application, whatever the settings."""
    return application


if __name__ == "__main__":
    gc.disable()  # as the command does
    server.serve(settings.from_environment(), make)
