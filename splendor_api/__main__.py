"""The commands of the service: `python -m splendor_api`."""

import gc
import sys
from http import HTTPStatus
from typing import NoReturn
from urllib.parse import quote

import click

from splendor_api import __version__, settings


@click.command()
def serve() -> None:
    """Serve the HTTP API until told to stop."""
    chosen = _chosen()
    gc.disable()  # what is made from here on stays; the server looks through it once, at the end
    # Only now: gunicorn reads the environment while it is imported, and would fail on a value
    # that is refused above in a sentence.
    from splendor_api.app import started  # noqa: PLC0415 - see above
    from splendor_api.launch import server  # noqa: PLC0415 - see above

    try:
        server.serve(chosen, started)
    except settings.SettingsError as error:
        _refuse(error)


@click.command("settings")
def show_settings() -> None:
    """Print the settings in force, secrets masked."""
    for line in settings.lines(_chosen()):
        click.echo(line)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; end with status 1 if a block differs.")
def contract(*, check: bool) -> None:
    """Rewrite the generated blocks of openapi.yaml and of the documentation."""
    from splendor_api.contract import (  # noqa: PLC0415 - no other command needs the games
        documentation,
        generated,
    )

    parts = (generated, documentation)
    stale = [name for part in parts for name in (part.stale() if check else part.write())]
    for name in stale:
        click.echo(f"{'differs' if check else 'rewritten'}: {name}")
    if check and stale:
        click.echo("These are not what the code says; `make contract` mends them.", err=True)
        sys.exit(1)


@click.command()
@click.argument("game")
def deal(game: str) -> None:
    """Deal: the body of a deal on standard input, its answer on standard output."""
    _ask(game, "deal")


@click.command("apply")
@click.argument("game")
def apply_action(game: str) -> None:
    """Apply an action: state and action on standard input, the next state on standard output."""
    _ask(game, "apply")


@click.command()
@click.argument("game")
def audit(game: str) -> None:
    """Audit a state on standard input; end with status 1 if it contradicts itself."""
    _ask(game, "audit")


COMMANDS = (serve, show_settings, contract, deal, apply_action, audit)

main = click.Group(
    name="splendor_api",
    help="A rules service for Splendor and SET over HTTP.",
    commands=COMMANDS,
)
click.version_option(__version__, message="%(version)s")(main)


def _chosen() -> settings.Settings:
    """Return the settings of the environment; a wrong one ends the process with status 2."""
    try:
        return settings.from_environment()
    except settings.SettingsError as error:
        _refuse(error)


def _refuse(error: settings.SettingsError) -> NoReturn:
    """End the process with status 2 and a sentence for each fault."""
    for fault in error.faults:
        click.echo(fault, err=True)
    sys.exit(2)


def _ask(game: str, call: str) -> NoReturn:
    """Answer a call of the rules API as over HTTP, from standard input and without a server.

    The status of the process: 0 if it is done, 1 if the rules are against it, 2 if the request is
    wrong. What is asked goes through the application itself, so that no answer can differ.
    """
    chosen = _chosen()
    from werkzeug.test import Client  # noqa: PLC0415 - only these commands need the application

    from splendor_api.app import create_app  # noqa: PLC0415 - see above

    response = Client(create_app(chosen)).post(
        f"/v1/games/{quote(game, safe='')}/{call}",
        data=sys.stdin.buffer.read(),
        content_type="application/json",
    )
    click.echo(response.get_data())
    if response.status_code not in (HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY):
        sys.exit(2)
    sys.exit(response.status_code != HTTPStatus.OK or bool((response.json or {}).get("findings")))


if __name__ == "__main__":
    main(prog_name="python -m splendor_api")
