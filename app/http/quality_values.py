"""Read the headers in which clients say what they accept: `Accept` and `Accept-Encoding`. Pure."""


def read_qualities(header: str) -> dict[str, float]:
    """The names in a header, in lower case, each with its quality from 0 (refused) to 1; 0 if that is no number."""
    found: dict[str, float] = {}
    for part in header.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if name:
            found[name] = max(found.get(name, 0.0), _read_quality(parameters))
    return found


def _read_quality(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
