"""The units: systemd reads them, and finds them well shut off."""

import re
import stat
from pathlib import Path

import pytest

from splendor_api.launch import server
from tests.deploy.files import DEPLOY, read, run

UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir() if path.suffix != ".env")
WORST = 20  # of 100, by systemd's own measure of what a service is exposed to


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with the units and the programs that they name."""
    units = tmp_path / "etc" / "systemd" / "system"
    units.mkdir(parents=True)
    for name in UNITS:
        text = read(f"systemd/{name}")
        (units / name).write_text(text)
        for path in re.findall(r"^Exec\w+=(/\S+)", text, re.MULTILINE):
            program = tmp_path / path.lstrip("/")
            program.parent.mkdir(parents=True, exist_ok=True)
            program.touch()
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return tmp_path


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_is_one(root: Path, name: str) -> None:
    unit = root / "etc" / "systemd" / "system" / name.replace("@.", "@8001.")
    if not unit.exists():
        unit.symlink_to(name)
    said = run("systemd-analyze", "verify", "--recursive-errors=no", f"--root={root}", unit.name)
    assert said == ""


@pytest.mark.parametrize("name", [name for name in UNITS if name.endswith(".service")])
def test_a_service_is_shut_off(root: Path, name: str) -> None:
    unit = root / "etc" / "systemd" / "system" / name
    said = run(
        "systemd-analyze", "security", "--offline=yes", f"--threshold={WORST}", "--no-pager", unit
    )
    assert "OK" in said or "SAFE" in said


def test_the_service_is_given_the_time_that_it_takes_to_end() -> None:
    found = re.search(
        r"^TimeoutStopSec=(\d+)$", read("systemd/splendor-api@.service"), re.MULTILINE
    )
    assert found is not None
    assert int(found[1]) > server.SHUTDOWN
