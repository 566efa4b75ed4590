"""The command line: commands over the services that the server runs on, with exit codes that say how they went."""

from app.cli.interrupts import end_at_interrupt


def main() -> None:
    """Entry of the command `footnote`; what it works with is loaded here, so that Ctrl-C may come meanwhile."""
    end_at_interrupt()
    from app.cli.commands import cli

    cli()
