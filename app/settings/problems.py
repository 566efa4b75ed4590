"""Explain an invalid setting in one line: its name, its value and what is allowed."""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from app import safe_text

_SHOWN_BOOLEANS = "true or false (also 1, yes, y, on; 0, no, n, off)"


def explain_problem(problem: ErrorDetails, fields: Mapping[str, FieldInfo]) -> str:
    """Explain an invalid variable. Values of secrets are not shown."""
    name = str(problem["loc"][0])
    value = str(problem["input"])
    secret = "key" in name or "@" in value or fields[name].annotation == SecretStr | None
    shown = name.upper() if secret else safe_text.show_setting(name.upper(), value)
    return f"{shown}: {_describe_allowed(fields[name], problem)}."


def explain_unreadable(file: Path, error: OSError | UnicodeDecodeError) -> str:
    """Explain that the file of the settings, or the folder that may hold it, cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return f"The settings in {file} cannot be read: byte {error.start} is not UTF-8. Save the file as UTF-8."
    return (
        f"The settings in {file} cannot be read: {error.strerror}. Let this user read the file and its folder, or "
        "start in another folder."
    )


def explain_unknown(name: str, known: Sequence[str]) -> str:
    """Explain that a name is not a setting, and suggest a similar one."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    return f"{name} in .env is not a setting and has no effect" + (f"; did you mean {near[0]}?" if near else ".")


def _describe_allowed(field: FieldInfo, problem: ErrorDetails) -> str:
    """What is allowed. Both ends of a range are named, whichever was exceeded."""
    kind, context = problem["type"], problem.get("ctx", {})
    if kind.startswith("bool_"):
        return f"must be {_SHOWN_BOOLEANS}"
    if kind == "literal_error":
        expected = str(context["expected"]).replace("'", "")
        return f"must be {expected}"
    types = get_args(field.annotation) or (field.annotation,)
    if int in types or float in types:
        return f"must be {'a whole number' if int in types else 'a number'}{_describe_range(field.metadata)}"
    return str(problem["msg"]).removeprefix("Value error, ")


def _describe_range(rules: Sequence[object]) -> str:
    found = {end: getattr(rule, end) for rule in rules for end in ("ge", "gt", "le") if hasattr(rule, end)}
    least, above, most = (found.get(end) for end in ("ge", "gt", "le"))
    if least is not None and most is not None:
        return f" between {least} and {most}"
    low = f" of at least {least}" if least is not None else f" above {above}" if above is not None else ""
    return low + (f" and at most {most}" if most is not None else "")
