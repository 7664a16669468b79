"""The image and the compose file: as their readers want them, and what is copied is enough.

No container engine is needed: the wheel is built of just the files that the image's build is given,
and runs with a read-only root as nobody in particular.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.deploy.files import DEPLOY, ROOT, program, read, run

CONTAINERFILE = "container/Containerfile"
COPY = re.compile(r"^COPY (?!--from)(.+) (\S+)$", re.MULTILINE)


def test_the_containerfile_follows_good_practice() -> None:
    assert run("hadolint", "--failure-threshold", "style", DEPLOY / CONTAINERFILE) == ""


def test_the_compose_file_is_one() -> None:
    said = run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", _compose_file())
    assert "ok" in said


def test_what_compose_mounts_is_there() -> None:
    for name, service in _compose()["services"].items():
        for mount in service.get("volumes", ()):
            source = mount.partition(":")[0]
            if source.startswith("."):
                assert (_compose_file().parent / source).exists(), f"{name}: {source}"


def test_every_variable_of_compose_is_in_the_example() -> None:
    needed = set(re.findall(r"\$\{(\w+):\?", read("container/compose.yaml")))
    offered = set(re.findall(r"\$\{(\w+):-", read("container/compose.yaml")))
    named = set(re.findall(r"^(\w+)=", read("container/example.env"), re.MULTILINE))
    assert needed <= named <= needed | offered


def test_what_is_ignored_is_not_copied() -> None:
    """The build is sent what it copies, and nothing else: no `.git`, no data, no environment."""
    copied = {
        source for sources, _ in COPY.findall(read(CONTAINERFILE)) for source in sources.split()
    }
    sent = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    assert {source.partition("/")[0] for source in copied} == sent
    assert all((ROOT / source).exists() for source in copied)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the image has installed of this project."""
    folder = tmp_path_factory.mktemp("image")
    source = folder / "src"
    for sources, target in COPY.findall(read(CONTAINERFILE)):
        for each in sources.split():
            _copy(ROOT / each, source / _place(each, target))
    build = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
    wheels = ("--no-build-isolation", "--no-deps", "--wheel-dir", str(folder / "wheels"), ".")
    run(*build, *wheels, folder=source)
    (wheel,) = (folder / "wheels").iterdir()
    shutil.unpack_archive(wheel, folder / "installed", "zip")
    return folder / "installed"


def _place(source: str, target: str) -> str:
    """Return where COPY puts a source: in a folder, or under the name that it is given."""
    return f"{target}{Path(source).name}" if target.endswith("/") else target


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, target, symlinks=True, ignore=left_out)
    else:
        shutil.copy(source, target)


def test_the_image_has_all_that_the_service_reads(image: Path) -> None:
    there = ROOT / "splendor_api"
    missing = [
        path.relative_to(there)
        for path in there.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
        if not (image / "splendor_api" / path.relative_to(there)).is_file()
    ]
    assert missing == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a root that is read-only")
def test_it_runs_as_nobody_on_a_root_that_is_read_only(image: Path, tmp_path: Path) -> None:
    """As the compose file and the manifests have it: memory and DATA_DIR alone are writable."""
    data = tmp_path / "data"
    data.mkdir()
    script = """
        set -e
        mount --make-rprivate /
        mount --bind "$DATA_DIR" "$DATA_DIR"
        mount -t tmpfs none /dev/shm
        mount -o remount,bind,ro /
        mount -o remount,bind,rw "$DATA_DIR"
        ! touch /opt/written 2>/dev/null
        cd "$DATA_DIR"
        exec unshare --user --map-user=65532 --map-group=65532 "$PYTHON" -m splendor_api serve
    """
    variables = {
        "PATH": os.defpath,
        "DATA_DIR": str(data),
        "PYTHON": sys.executable,
        "PYTHONPATH": str(image),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PORT": "0",
        "REDIS_URL": "unix:///nowhere",
    }
    log = tmp_path / "log"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [program("unshare"), "--mount", "sh", "-c", script],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r"http://[0-9.:]+", said)
            assert found, said + log.read_text()
            assert {*_capabilities(process.pid)} == {0}
            sealed = {"seats": 2, "secrecy": "sealed"}
            dealt = httpx.post(f"{found[0]}/v1/games/splendor/deal", json=sealed)
            assert dealt.status_code == 200, dealt.text
            assert [path.name for path in data.iterdir()] != []
        finally:
            process.terminate()


def _capabilities(pid: int) -> Iterator[int]:
    """Yield what a process and its children may do beyond what their user may."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^CapEff:\s+([0-9a-f]+)$", status, re.MULTILINE)
    assert found is not None
    yield int(found[1], 16)
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from _capabilities(int(child))


def _compose_file() -> Path:
    return DEPLOY / "container" / "compose.yaml"


def _compose() -> Any:
    return yaml.safe_load(_compose_file().read_text("utf-8"))
