"""Groups of subcommands with a fast `--help`."""

from typing import Any

from typer.core import TyperGroup, TyperOption


class Group(TyperGroup):
    """A group whose own `--help` option is false, not None, when a subcommand is called.

    To convert a None, Typer imports pydantic, which takes a third of the time of each subcommand's `--help`.
    """

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        """The option, with a default that needs no conversion."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option
