"""Choose the media type of a response from the Accept header."""

JSON = "application/json"
GRAPHQL_RESPONSE = "application/graphql-response+json"

_OFFERED = {JSON: JSON, GRAPHQL_RESPONSE: GRAPHQL_RESPONSE, "*/*": JSON, "application/*": JSON}


def choose_media_type(accept: str) -> str | None:
    """The client's preferred media type for a single result; None if it accepts neither. No header accepts both."""
    if not accept.strip():
        return JSON
    best: dict[str, float] = {}
    for part in accept.lower().split(","):
        media_type, *parameters = (piece.strip() for piece in part.split(";"))
        offered = _OFFERED.get(media_type)
        if offered is not None:
            best[offered] = max(best.get(offered, 0.0), _read_quality(parameters))
    accepted = [media_type for media_type in (GRAPHQL_RESPONSE, JSON) if best.get(media_type, 0.0) > 0]
    return max(accepted, key=lambda media_type: best[media_type], default=None)


def _read_quality(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
