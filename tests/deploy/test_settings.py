"""Every setting that a file of `deploy/` names is one, with a value that the service takes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from splendor_api import settings
from tests.deploy.files import DEPLOY, read

SEAL_KEY = "k" * 43
STAND_INS = {
    "@SERVICE_PASSWORD@": "secret",
    "@SEAL_KEY@": SEAL_KEY,
}
OF_OTHERS = {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}


def _of_systemd() -> dict[str, str]:
    text = read("systemd/settings.env") + "\n".join(
        re.findall(r"^Environment=(.+)$", read("systemd/splendor-api@.service"), re.MULTILINE)
    ).replace("%i", "8001")
    for name, value in STAND_INS.items():
        text = text.replace(name, value)
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


def _of_kubernetes() -> dict[str, str]:
    given: dict[str, str] = yaml.safe_load(read("kubernetes/settings.yaml"))["data"]
    secret = {"REDIS_URL": "redis+sentinel://service:secret@one,two,three/splendor-api"}
    return {**given, **secret, "SEAL_KEYS": f"a:{SEAL_KEY}"}


def _of_the_image() -> dict[str, str]:
    text = read("container/Containerfile")
    (block,) = re.findall(r"^ENV (PATH=(?:.|\\\n)+?[^\\])$", text, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in block.replace("\\\n", " ").split())


def _of_compose() -> dict[str, str]:
    compose: Any = yaml.safe_load(read("container/compose.yaml"))
    given = compose["services"]["service"]["environment"]
    return {name: _filled_in(str(value)) for name, value in given.items()}


def _filled_in(value: str) -> str:
    """Return a value of the compose file as it is with every variable given, or by default."""
    value = re.sub(r"\$\{SEAL_KEYS:\?[^}]*\}", f"a:{SEAL_KEY}", value)
    value = re.sub(r"\$\{\w+:\?[^}]*\}", "secret", value)
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


@pytest.mark.parametrize("given", [_of_systemd, _of_kubernetes, _of_the_image, _of_compose])
def test_every_setting_is_one_that_the_service_takes(given: Any) -> None:
    variables = given()
    names = {row.name for row in settings.ROWS}
    assert variables.keys() - OF_OTHERS <= names
    settings.load(variables)


def test_hosts_that_share_games_share_the_keys_of_sealed_states() -> None:
    """Each would make its own otherwise, and refuse what another has sealed."""
    for given in (_of_systemd(), _of_kubernetes(), _of_compose()):
        assert settings.load(given).seal_keys


def test_every_url_of_redis_is_that_of_the_listed_user() -> None:
    urls = [text for path in _texts() for text in re.findall(r"redis[+a-z]*://\w+:", path)]
    assert len(urls) > 4
    assert {url.partition("://")[2] for url in urls} == {"service:"}


def _texts() -> Iterator[str]:
    for path in sorted(DEPLOY.rglob("*")):
        if path.is_file():
            yield path.read_text("utf-8")
