"""The commands of the service: `python -m splendor_api`."""

import sys

import click

from splendor_api import __version__, settings


@click.command()
def serve() -> None:
    """Serve the HTTP API until told to stop."""
    chosen = _chosen()
    # Only now: gunicorn reads the environment while it is imported, and would fail on a value
    # that is refused above in a sentence.
    from splendor_api.app import create_app  # noqa: PLC0415 - see above
    from splendor_api.launch import server  # noqa: PLC0415 - see above

    server.serve(chosen, create_app)


@click.command("settings")
def show_settings() -> None:
    """Print the settings in force, secrets masked."""
    for line in settings.lines(_chosen()):
        click.echo(line)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; end with status 1 if a block differs.")
def contract(*, check: bool) -> None:
    """Rewrite the generated blocks of openapi.yaml."""
    from splendor_api.contract import generated  # noqa: PLC0415 - no other command needs the games

    stale = generated.stale() if check else generated.write()
    for block in stale:
        click.echo(f"{'differs' if check else 'rewritten'}: {block}")
    if check and stale:
        click.echo("openapi.yaml is not what the code says; `make contract` mends it.", err=True)
        sys.exit(1)


COMMANDS = (serve, show_settings, contract)

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
        for fault in error.faults:
            click.echo(fault, err=True)
        sys.exit(2)


if __name__ == "__main__":
    main(prog_name="python -m splendor_api")
