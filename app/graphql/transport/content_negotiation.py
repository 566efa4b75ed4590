"""Choose the media type of a response from the Accept header."""

from app.http.quality_values import read_qualities

JSON = "application/json"
GRAPHQL_RESPONSE = "application/graphql-response+json"

_WILDCARDS = ("application/*", "*/*")


def choose_media_type(accept: str) -> str | None:
    """The client's preferred media type for a single result; None if it accepts neither. No header accepts both.

    Clients that accept anything get JSON, unless they refuse it.
    """
    if not accept.strip():
        return JSON
    named = read_qualities(accept)
    others = next((named[wildcard] for wildcard in _WILDCARDS if wildcard in named), 0.0)
    json = named.get(JSON, others)
    graphql_response = named.get(GRAPHQL_RESPONSE, 0.0 if json > 0 else others)
    qualities = {GRAPHQL_RESPONSE: graphql_response, JSON: json}
    best = max(qualities, key=lambda media_type: qualities[media_type])
    return best if qualities[best] > 0 else None
