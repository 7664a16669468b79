"""The files of `deploy/`, and copies of them that run on the loopback.

A copy is the file as it is, but for what differs from site to site: folders, addresses, passwords.
What is to be replaced must be there, so that no copy can drift from its file.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"

CHANCE = SystemRandom()
FIRST_PORT, LAST_PORT = 15_000, 32_000
PATIENCE = 60.0  # seconds for a program that only reads


def read(name: str) -> str:
    """Return the text of a file, by its path in `deploy/`."""
    return (DEPLOY / name).read_text("utf-8")


def replaced(text: str, changes: Mapping[str, str]) -> str:
    """Return a text with every change made; each must find something to change."""
    for old, new in changes.items():
        assert old in text, f"there is no {old!r}"
        text = text.replace(old, new)
    return text


def laid(name: str, folder: Path, changes: Mapping[str, str]) -> Path:
    """Copy a file into `folder`, with these changes; return where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / Path(name).name
    path.write_text(replaced(read(name), changes), "utf-8")
    shutil.copymode(DEPLOY / name, path)
    return path


def free_ports(count: int) -> list[int]:
    """Return ports of the loopback that nobody listens on.

    They are none of those that systems give out by themselves, so that nobody gets one of them
    meanwhile.
    """
    found: set[int] = set()
    while len(found) < count:
        port = CHANCE.randrange(FIRST_PORT, LAST_PORT)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.add(port)
    return list(found)


def run(
    *command: str | Path, folder: Path = ROOT, variables: Mapping[str, str] | None = None
) -> str:
    """Run a program that reads a file; return all that it says. Fails if the file is wrong."""
    done = subprocess.run(
        [program(str(command[0])), *map(str, command[1:])],
        cwd=folder,
        env={**os.environ, **(variables or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
        check=False,
    )
    text = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, text
    return text


def program(name: str) -> str:
    """Return where a program is; fails with a sentence if it is not there."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    assert found, f"there is no {name}: `make deploy-test` after `.ci/run` finds it"
    return found


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for 127.0.0.1 that is good for a day; return it and its key."""
    chain, key = folder / "fullchain.pem", folder / "key.pem"
    folder.mkdir(parents=True, exist_ok=True)
    names: Sequence[str] = ("-subj", "/CN=loopback", "-addext", "subjectAltName=IP:127.0.0.1")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    files = ("-keyout", str(key), "-out", str(chain))
    run("openssl", "req", "-x509", "-nodes", "-days", "1", *curve, *names, *files)
    return chain, key
