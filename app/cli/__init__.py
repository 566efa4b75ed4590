"""The command line: arguments in; the same services that the server runs on, and an exit code that says how it went."""

from app.cli.commands import main

__all__ = ["main"]
