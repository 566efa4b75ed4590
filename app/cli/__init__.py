"""The command line. Commands use the same services as the server, and report the result in their exit codes."""

import gc
import os
import sys
from collections.abc import Sequence

from app.cli.interrupts import end_at_interrupt
from app.cli.streams import end_if_output_failed, escape_unknown_characters, open_closed_streams


def main() -> None:
    """The entry point of `footnote`. Imports come after the interrupt handler, so that Ctrl-C works while loading."""
    end_at_interrupt()
    open_closed_streams()
    escape_unknown_characters()
    # Loading creates no garbage, and looking for some takes a seventh of the time. `run_command` enables it again.
    gc.disable()
    from app.cli.commands import cli

    try:
        cli(_replace_bytes(sys.argv[1:]), prog_name="footnote")
    except OSError as error:
        end_if_output_failed(error)
        raise


def _replace_bytes(arguments: Sequence[str]) -> list[str]:
    """The arguments, with � for bytes that are not UTF-8, which no database stores; file names are not changed."""
    # Not `Path.exists`: it raises OSError for text that is too long for a path, as a question may be.
    return [
        text
        if text.isascii() or os.path.exists(text)  # noqa: PTH110
        else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for text in arguments
    ]
