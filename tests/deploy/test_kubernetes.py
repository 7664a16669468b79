"""The manifests: of the shapes that Kubernetes takes, and in agreement with each other."""

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from splendor_api.http.table import OPERATIONS
from splendor_api.launch import server
from tests.deploy.files import DEPLOY, run

FOLDER = DEPLOY / "kubernetes"
FILES = sorted(path.name for path in FOLDER.glob("*.yaml") if path.name != "kustomization.yaml")


def _documents(name: str) -> list[Any]:
    return list(yaml.safe_load_all((FOLDER / name).read_text("utf-8")))


def _all(kind: str) -> Iterator[Any]:
    for name in FILES:
        yield from (each for each in _documents(name) if each["kind"] == kind)


def _deployment() -> Any:
    (deployment,) = _all("Deployment")
    return deployment["spec"]


@pytest.mark.parametrize("name", FILES)
def test_a_manifest_is_of_the_shape_that_kubernetes_takes(name: str) -> None:
    said = run("kubernetes-validate", "--strict", FOLDER / name)
    assert said.count("passed") == len(_documents(name))


def test_every_manifest_is_applied() -> None:
    (kustomization,) = _documents("kustomization.yaml")
    assert sorted(kustomization["resources"]) == FILES


def test_the_selectors_select_the_pods() -> None:
    labels = _deployment()["template"]["metadata"]["labels"].items()
    (network,) = _all("NetworkPolicy")
    (disruption,) = _all("PodDisruptionBudget")
    (service, _) = _all("Service")
    for selector in (
        _deployment()["selector"]["matchLabels"],
        network["spec"]["podSelector"]["matchLabels"],
        disruption["spec"]["selector"]["matchLabels"],
        service["spec"]["selector"],
    ):
        assert selector.items() <= labels


def test_no_secret_is_in_a_manifest() -> None:
    """They are referred to by name and key; the setting that asks for one is from nowhere else."""
    assert list(_all("Secret")) == []
    (container,) = _deployment()["template"]["spec"]["containers"]
    sources = {each["name"]: list(each["valueFrom"]) for each in container["env"]}
    assert sources == {"REDIS_URL": ["secretKeyRef"], "SEAL_KEYS": ["secretKeyRef"]}


def test_a_pod_may_do_nothing_but_serve() -> None:
    pod = _deployment()["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_probes_ask_what_needs_no_store() -> None:
    (container,) = _deployment()["template"]["spec"]["containers"]
    probes = [container[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")]
    assert {probe["httpGet"]["path"] for probe in probes} == {"/healthz"}
    assert "/healthz" in {operation.path for operation in OPERATIONS}


def test_a_pod_is_given_the_time_that_the_service_takes_to_end() -> None:
    pod = _deployment()["template"]["spec"]
    (container,) = pod["containers"]
    waits = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > waits + server.SHUTDOWN


def test_an_upgrade_takes_no_pod_away_before_there_is_another() -> None:
    assert _deployment()["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    (scaler,) = _all("HorizontalPodAutoscaler")
    assert scaler["spec"]["minReplicas"] == _deployment()["replicas"]


def test_nobody_outside_sees_counts() -> None:
    (ingress, _) = _all("Ingress")
    (rule,) = ingress["spec"]["rules"]
    hidden = {
        path["path"]
        for path in rule["http"]["paths"]
        if path["backend"]["service"]["name"] == "splendor-api-nowhere"
    }
    assert hidden == {"/metrics", "/readyz"}
