"""What is wrong with a setting, in one line: its name, its value and what is allowed."""

import difflib
from collections.abc import Mapping, Sequence
from typing import get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

_SHOWN_BOOLEANS = "true or false (also 1, yes, y, on; 0, no, n, off)"


def explain(problem: ErrorDetails, fields: Mapping[str, FieldInfo]) -> str:
    """What is wrong with a variable and what is allowed. The value of a secret is not shown."""
    name = str(problem["loc"][0])
    given = str(problem["input"])
    secret = "key" in name or "@" in given or fields[name].annotation == SecretStr | None
    return f"{name.upper()}{'' if secret else f'={given!r}'}: {_allowed(fields[name], problem)}."


def explain_unknown(name: str, known: Sequence[str]) -> str:
    """That a name is no setting, and which one it may have meant."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    return f"{name} in .env is no setting and has no effect" + (f"; did you mean {near[0]}?" if near else ".")


def _allowed(field: FieldInfo, problem: ErrorDetails) -> str:
    """What to give instead. Both ends of a range are named, whichever was crossed."""
    kind, context = problem["type"], problem.get("ctx", {})
    if kind.startswith("bool_"):
        return f"give {_SHOWN_BOOLEANS}"
    if kind == "literal_error":
        expected = str(context["expected"]).replace("'", "")
        return f"give {expected}"
    types = get_args(field.annotation) or (field.annotation,)
    if int in types or float in types:
        return f"give {'a whole number' if int in types else 'a number'}{_range(field.metadata)}"
    return str(problem["msg"]).removeprefix("Value error, ")


def _range(rules: Sequence[object]) -> str:
    found = {end: getattr(rule, end) for rule in rules for end in ("ge", "gt", "le") if hasattr(rule, end)}
    least, above, most = (found.get(end) for end in ("ge", "gt", "le"))
    if least is not None and most is not None:
        return f" between {least} and {most}"
    low = f" of at least {least}" if least is not None else f" above {above}" if above is not None else ""
    return low + (f" and at most {most}" if most is not None else "")
