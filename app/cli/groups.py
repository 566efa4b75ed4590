"""Commands and groups of them: usage lines and error messages that people can read, and a fast `--help`."""

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from app.cli.running import ExitCode, print_error

Function = TypeVar("Function", bound=Callable[..., Any])

# As Click quotes.
_QUOTED = re.compile(r"(?<!\w)'([^']*)'(?!\w)")
# An empty question is refused when it is asked, because it may have been read from standard input.
_QUESTIONS = {"QUESTION", "QUERY"}


class Group(TyperGroup):
    """A group that reports invalid arguments in one line; its `--help` is false, not None, when a subcommand is called.

    To convert a None, Typer imports pydantic, which takes a third of the time of each subcommand's `--help`.
    """

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run the command that the arguments name, and exit. Invalid arguments are reported in one line."""
        try:
            code = super().main(*args, **{**options, "standalone_mode": False})
        except typer.Abort:
            print_error("Nothing was done.")
            sys.exit(ExitCode.FAILED)
        except typer.TyperException as error:
            if error.format_message():  # otherwise, help was printed
                print_error(_describe_error(error))
            sys.exit(error.exit_code)
        sys.exit(code)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that an argument names. If there is none, the error lists the commands."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException as error:
            if "Did you mean" not in error.message:
                names = [name for name, command in self.commands.items() if not command.hidden]
                error.message += f" Commands: {', '.join(names)}."
            raise

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        """The option, with a default that needs no conversion."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option

    def get_params(self, ctx: Any) -> list[Any]:
        """The options. Flags show no type, and are false instead of None, like `--help`."""
        options = _without_types(super().get_params(ctx))
        for option in options:
            option.default = option.default or False
        return options


class Command(TyperCommand):
    """A command whose usage line reads `PATH...` or `[FILE]`, where Typer writes `{PATH...}...` or `[[FILE]]`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The pieces of the usage line."""
        return ["[OPTIONS]", *(_usage_of(each) for each in self.params if isinstance(each, TyperArgument))]

    def get_params(self, ctx: Any) -> list[Any]:
        """The options and arguments, without the types of Python."""
        return _without_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Errors do not begin with the kind of error that pydantic raised."""
        self._refuse_single_dashes(ctx, args)
        self._refuse_empty_values(ctx, list(args))  # parsing takes them out of the list
        try:
            rest = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise
        except typer.TyperException as error:
            if error.message.startswith("Got unexpected extra") and any(map(_takes_value, self.params)):
                error.message += ". Put text of several words in quotation marks."
            raise
        ctx.params = {name: _escape_bytes(value) for name, value in ctx.params.items()}
        return rest

    def _refuse_single_dashes(self, ctx: Any, args: Sequence[str]) -> None:
        """Raises BadParameter for `-project`, which would be read as `-p roject`."""
        options = [each for each in self.get_params(ctx) if isinstance(each, TyperOption)]
        names = {name for each in options for name in (*each.opts, *each.secondary_opts)}
        with_value = {name for each in options if _takes_value(each) for name in each.opts}
        words = iter(args)
        for word in words:
            if word == "--":
                return
            if word in with_value:
                next(words, None)
            elif word.startswith("-") and f"-{word}".partition("=")[0] in names:
                raise typer.BadParameter(f"No such option: {word}. Did you mean -{word}?", ctx=ctx)

    def _refuse_empty_values(self, ctx: Any, args: list[str]) -> None:
        """Raises BadParameter for an empty value, such as an unset variable of a script, unless help is requested.

        Later, it would look like an option that was left out, or, as a path, like the current folder.
        """
        values, _, _ = self.make_parser(ctx).parse_args(args)
        if values.get("help"):
            return
        for parameter in self.get_params(ctx):
            value = values.get(parameter.name)
            if parameter.metavar in _QUESTIONS:
                continue
            if value == "" or (isinstance(value, list | tuple) and "" in value):
                shown = parameter.metavar if isinstance(parameter, TyperArgument) else parameter.opts[0]
                raise typer.BadParameter(f"{shown} is empty.", ctx=ctx)


def make_commands(**options: Any) -> typer.Typer:
    """Subcommands to which functions are added; options such as `help` make a group of them."""
    return _Commands(cls=Group, **options)


class _Commands(typer.Typer):
    def command(self, name: str | None = None, **options: Any) -> Callable[[Function], Function]:
        """Add the decorated function as a `Command`."""
        return super().command(name, cls=Command, **options)


def _describe_error(error: typer.TyperException) -> str:
    """What is wrong with the arguments, what is allowed, and which command explains it."""
    context, option = getattr(error, "ctx", None), getattr(error, "param", None)
    message = _QUOTED.sub("“\\1”", error.format_message().removeprefix("Invalid value: "))
    if isinstance(option, TyperOption) and option.min is not None:  # pydantic names only one end of the range, if any
        kind = "number" if option.type_descriptor.annotation is float else "whole number"
        message = message.replace(error.message, f"give a {kind} from {option.min} to {option.max}")
    message = message if message.endswith((".", "?")) else f"{message}."
    return message if context is None else f"{message} See `{context.command_path} --help`."


def _takes_value(parameter: Any) -> bool:
    return isinstance(parameter, TyperArgument) or not (parameter.is_flag or parameter.count)


def _usage_of(argument: TyperArgument) -> str:
    name = argument.metavar or argument.name
    return (name if argument.required else f"[{name}]") + ("" if argument.nargs == 1 else "...")


def _escape_bytes(value: Any) -> Any:
    """Text in which bytes that are not UTF-8 are escaped, as in the names of documents from such files."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case list():
            return [_escape_bytes(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            return value


def _without_types(parameters: list[Any]) -> list[Any]:
    """`parameters`, without `<bool>` for flags, which take no value, and without `<list[Path]>` for arguments."""
    for parameter in parameters:
        if isinstance(parameter, TyperOption) and parameter.is_bool_flag:
            parameter.metavar = ""
        elif isinstance(parameter, TyperArgument) and not parameter.type_descriptor.is_choice:
            parameter.display_type_rich = _no_type
    return parameters


def _no_type(ctx: Any) -> None:
    """No type for an argument: its name and its help describe it in words."""
