"""Read the answer options that a command sets: `--model`, `--open`, `--set NAME=VALUE` and `--filter NAME=VALUE`."""

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

import typer

from app.answer_options import OPTION_TYPES, OPTIONS, OptionLayer, describe_type, to_camel_case
from app.cli.questions.document_filter import read_filter_layer

_NAMES = {to_camel_case(name): name for name, option in OPTIONS.items() if option.per_project}
_TRUE, _FALSE = ("true", "yes", "y", "on", "1"), ("false", "no", "n", "off", "0")


def read_option_layer(
    model: str | None, open_: bool | None, assignments: Sequence[str], criteria: Sequence[str]
) -> OptionLayer:
    """The options of a question, by name. Raises typer.BadParameter for an invalid assignment.

    `--model` and `--open` override `--set`.
    """
    layer = dict(_read_assignment(assignment) for assignment in assignments)
    if model is not None:
        layer["model"] = model
    if open_ is not None:
        layer["grounding"] = "OPEN" if open_ else "GROUNDED"
    return {**layer, **read_filter_layer(criteria)}


def _read_assignment(assignment: str) -> tuple[str, Any]:
    shown, equals, text = assignment.partition("=")
    name = _NAMES.get(shown.strip())
    if not equals or name is None:
        raise typer.BadParameter(f"--set {assignment}: give NAME=VALUE, with one of the names {', '.join(_NAMES)}.")
    try:
        return name, _read_value(OPTION_TYPES[name], text.strip())
    except ValueError as error:
        raise typer.BadParameter(f"--set {assignment}: `{shown}` must be {describe_type(name)}.") from error


def _read_value(kind: Any, text: str) -> object:
    """The text as a value of an option's type. Raises ValueError."""
    if get_origin(kind) is Literal:
        if text.upper() not in get_args(kind):
            raise ValueError(text)
        return text.upper()
    if kind is bool:
        if text.lower() not in _TRUE + _FALSE:
            raise ValueError(text)
        return text.lower() in _TRUE
    return kind(text)
