"""The command line. Commands use the same services as the server, and report the result in their exit codes."""

import gc

from app.cli.interrupts import end_at_interrupt


def main() -> None:
    """The entry point of `footnote`. Imports come after the interrupt handler, so that Ctrl-C works while loading."""
    end_at_interrupt()
    # What loads is no garbage, and looking for some takes a seventh of the time. `run_command` enables it again.
    gc.disable()
    from app.cli.commands import cli

    cli()
