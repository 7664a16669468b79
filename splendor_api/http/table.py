"""Every operation of the service."""

from __future__ import annotations

from typing import Final

from splendor_api.http import (
    batch,
    catalogue,
    docs,
    events,
    health,
    notation,
    pages,
    pictures,
    rules,
    sessions,
    site,
    suggestions,
)
from splendor_api.http.operations import Operation

OPERATIONS: Final[tuple[Operation, ...]] = (
    *catalogue.OPERATIONS,
    *rules.OPERATIONS,
    *notation.OPERATIONS,
    *suggestions.OPERATIONS,
    *batch.OPERATIONS,
    *sessions.OPERATIONS,
    *events.OPERATIONS,
    *pictures.OPERATIONS,
    *pages.OPERATIONS,
    *docs.OPERATIONS,
    *site.OPERATIONS,
    *health.OPERATIONS,
)
