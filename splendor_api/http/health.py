"""What machines ask about the service itself: whether it lives, what it counted, its contract."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import yaml

from splendor_api.http.headers import REVALIDATE
from splendor_api.http.operations import Answer, Operation, Service
from splendor_api.http.problems import JsonObject
from splendor_api.sessions.store import Facts
from splendor_api.telemetry import metrics
from splendor_api.wire import json_text

YAML: Final = "application/yaml"  # RFC 9512


def get_health(_: Service) -> Answer:
    """Answer that this process is alive."""
    return Answer(200, {"status": "ok"})


def get_readiness(service: Service) -> Answer:
    """Answer whether all is there that requests need, and what the store promises.

    Without a store the service has no sessions, and is ready for everything else. Raises
    `StoreUnavailable` if the store does not answer.
    """
    if service.sessions is None:
        return Answer(200, {"status": "ready", "store": None})
    facts = service.keeping.store.facts()
    return Answer(200, {"status": "ready", "store": _store(facts)})


def _store(facts: Facts) -> JsonObject:
    """Return what is known of the store; a warning for each promise that it cannot keep."""
    warnings = []
    if facts.maxmemory_policy not in (None, "noeviction"):
        warnings.append("maxmemory-policy is not noeviction: sessions may vanish before their time")
    if facts.appendonly is False:
        warnings.append("appendonly is off: a restart of the store loses every session")
    elif facts.appendfsync not in (None, "always"):
        warnings.append("appendfsync is not always: a power cut may lose the last actions")
    return {
        "version": facts.version,
        "maxmemory_policy": facts.maxmemory_policy,
        "appendonly": facts.appendonly,
        "appendfsync": facts.appendfsync,
        "warnings": warnings,
    }


def get_metrics(_: Service) -> Answer:
    """Answer with everything that was counted, for Prometheus."""
    counts, media_type = metrics.render()
    return Answer(200, counts, media_type)


def get_openapi_yaml(service: Service) -> Answer:
    """Answer with the service's OpenAPI document as it was written."""
    return Answer(200, service.contract().encode(), YAML)


def get_openapi_json(service: Service) -> Answer:
    """Answer with the service's OpenAPI document as JSON."""
    return Answer(200, _json_of(service.contract()))


@lru_cache(maxsize=1)
def _json_of(contract: str) -> bytes:
    """Return the document as JSON; to read it takes as long as hundreds of requests."""
    return json_text.write(yaml.load(contract, yaml.CSafeLoader))


OPERATIONS: Final = (
    Operation("GET", "/healthz", "get_health", get_health),
    Operation("GET", "/readyz", "get_readiness", get_readiness),
    Operation("GET", "/metrics", "get_metrics", get_metrics, offers=("text/plain",)),
    Operation(
        "GET",
        "/openapi.yaml",
        "get_openapi_yaml",
        get_openapi_yaml,
        offers=(YAML,),
        keeps=REVALIDATE,
    ),
    Operation("GET", "/openapi.json", "get_openapi_json", get_openapi_json, keeps=REVALIDATE),
)
