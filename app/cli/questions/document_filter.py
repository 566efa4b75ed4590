"""Read the filter of documents that a command sets with `--filter NAME=VALUE`."""

import json
from collections.abc import Sequence
from typing import Any, NoReturn

import typer

from app import errors
from app.answer_options import OptionLayer, to_camel_case
from app.answer_options.document_filter import read_document_filter
from app.statuses import DocumentStatus

_METADATA = "metadata."


def read_filter_layer(criteria: Sequence[str]) -> OptionLayer:
    """The option `document_filter`, if there are any criteria. Raises typer.BadParameter for an invalid one.

    Statuses add up: a document needs one of them. All other criteria have to match.
    """
    found: dict[str, Any] = {}
    for criterion in criteria:
        name, equals, text = (part.strip() for part in criterion.partition("="))
        if name == "status" and equals:
            found.setdefault("status", []).append(_read_status(text))
        elif name == "titleContains" and text and "title_contains" not in found:
            found["title_contains"] = text
        elif name.startswith(_METADATA) and name != _METADATA and equals:
            found.setdefault("metadata", {})[name.removeprefix(_METADATA)] = _read_value(text)
        else:
            raise typer.BadParameter(
                f"--filter {criterion}: give status=NAME, titleContains=TEXT (once) or metadata.KEY=VALUE."
            )
    try:
        read_document_filter(found, to_camel_case)
    except errors.Invalid as error:
        raise typer.BadParameter(f"--filter: {error.message}") from error
    return {"document_filter": found} if found else {}


def _read_status(text: str) -> str:
    if text.upper() not in set(DocumentStatus):
        names = ", ".join(status.lower() for status in DocumentStatus)
        raise typer.BadParameter(f"--filter status={text}: the status of a document is one of {names}.")
    return text.upper()


def _read_value(text: str) -> object:
    """A number or boolean, or a text in quotes, as in JSON; everything else is a text as it is."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
