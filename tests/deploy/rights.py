"""What `deploy/redis/users.acl` lets the service do: every test of sessions is run with no more."""

from pathlib import Path

USERS = Path(__file__).parents[2] / "deploy" / "redis" / "users.acl"
BEGINNING = "user service on #@SERVICE_SHA256@ "


def rights() -> tuple[str, ...]:
    """Return the rules of the service's user, as Redis's ACL SETUSER takes them."""
    (line,) = (line for line in USERS.read_text("utf-8").splitlines() if BEGINNING in line)
    return tuple(line.removeprefix(BEGINNING).split())


def commands() -> set[str]:
    """Return the commands that the user may give."""
    return {rule[1:] for rule in rights() if rule.startswith("+")}
