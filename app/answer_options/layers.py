"""Layers of answer options: check the values of each, and resolve the values in effect."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin

from app import errors
from app.answer_options.declarations import OPTION_TYPES, OPTIONS, AnswerOptions
from app.answer_options.document_filter import DocumentFilter, read_document_filter

_DESCRIBED_TYPES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    tuple[str, ...]: "a list of ids",
    DocumentFilter: "an object",
}

OptionLayer = Mapping[str, Any]
"""The option values that one layer sets, by name. A missing option, or None, falls through to the next layer."""


def resolve_options(server: AnswerOptions, *layers: OptionLayer) -> AnswerOptions:
    """The options in effect: for each, the first layer that sets it wins; otherwise the server's value holds.

    If retrieval is turned off on the server, no layer can turn it on.
    """
    values = server.values()
    for layer in reversed(layers):
        values |= {name: layer[name] for name in OPTIONS if layer.get(name) is not None}
    values["enable_rag"] = server.enable_rag and values["enable_rag"]
    values["document_ids"] = tuple(values["document_ids"]) if values["document_ids"] else None
    chosen = values["document_filter"]
    values["document_filter"] = None if chosen is None else read_document_filter(chosen)
    return AnswerOptions(**values)


def find_issues(values: OptionLayer, model_problem: Callable[[str], str | None]) -> list[errors.Issue]:
    """The problems with the values of a layer, under the names that clients use.

    `model_problem` returns what is wrong with a model name, or None.
    """
    found: list[errors.Issue] = []
    for name, option in OPTIONS.items():
        value, path = values.get(name), to_camel_case(name)
        if value is None:
            continue
        if option.allowed_range and not option.is_in_range(value):
            found.append(errors.Issue((path,), "OUT_OF_RANGE", f"`{path}` must be {option.allowed_range}."))
        if option.max_length is not None and len(value) > option.max_length:
            message = f"`{path}` must have at most {option.max_length:,} characters."
            found.append(errors.Issue((path,), "TOO_LONG", message))
    if values.get("document_ids") == []:
        message = "List at least one document, or leave `documentIds` out."
        found.append(errors.Issue(("documentIds",), "INVALID", message))
    found += _filter_issues(values.get("document_filter"))
    model = values.get("model")
    if model is not None and (problem := model_problem(model)):
        found.append(errors.Issue(("model",), "INVALID", problem))
    return found


def _filter_issues(value: Mapping[str, Any] | None) -> Sequence[errors.Issue]:
    try:
        read_document_filter(value or {}, to_camel_case)
    except errors.Invalid as error:
        path = ("documentFilter",)
        return [replace(issue, path=path + tuple(map(to_camel_case, issue.path))) for issue in error.issues]
    return ()


def describe_type(name: str) -> str:
    """The type of an option's values in words: “a number”, “one of GROUNDED, OPEN”."""
    kind = OPTION_TYPES[name]
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    return _DESCRIBED_TYPES[kind]


def is_of_type(name: str, value: object) -> bool:
    """Whether a JSON value has the type of an option. Null has every type."""
    kind = OPTION_TYPES[name]
    if get_origin(kind) is Literal:
        return value is None or value in get_args(kind)
    kinds = {float: (int, float), tuple[str, ...]: (list,), DocumentFilter: (dict,)}.get(kind, (kind,))
    return value is None or (isinstance(value, kinds) and (kind is bool or not isinstance(value, bool)))


def to_camel_case(name: str) -> str:
    """The name of an option as clients write it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
