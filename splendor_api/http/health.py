"""What machines ask about the service itself: whether it lives, what it counted, its contract."""

from __future__ import annotations

from typing import Final

import yaml

from splendor_api.http.headers import REVALIDATE
from splendor_api.http.operations import Answer, Operation, Service
from splendor_api.telemetry import metrics
from splendor_api.wire import json_text

YAML: Final = "application/yaml"  # RFC 9512


def get_health(_: Service) -> Answer:
    """Answer that this process is alive."""
    return Answer(200, {"status": "ok"})


def get_metrics(_: Service) -> Answer:
    """Answer with everything that was counted, for Prometheus."""
    counts, media_type = metrics.render()
    return Answer(200, counts, media_type)


def get_openapi_yaml(service: Service) -> Answer:
    """Answer with the service's OpenAPI document as it was written."""
    return Answer(200, service.contract().encode(), YAML)


def get_openapi_json(service: Service) -> Answer:
    """Answer with the service's OpenAPI document as JSON."""
    return Answer(200, json_text.write(yaml.load(service.contract(), yaml.CSafeLoader)))


OPERATIONS: Final = (
    Operation("GET", "/healthz", "get_health", get_health),
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
