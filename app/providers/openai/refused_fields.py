"""Fields of a chat request that some servers refuse, and the request without them. Pure, except for the memory."""

from collections.abc import Callable, Collection

from app.providers import base
from app.providers.request_fields import MAX_TOKENS_FIELDS, USAGE_FIELD

COMPLETION_TOKENS, MAX_TOKENS = MAX_TOKENS_FIELDS
OUR_FIELDS = frozenset({USAGE_FIELD, COMPLETION_TOKENS, MAX_TOKENS, "temperature"})
"""The fields that may be adapted in our own requests."""

# In refusals of any temperature, not of one out of range: OpenAI; Anthropic (“is deprecated for this model”), and
# Moonshot (“only 1 is allowed for this model”).
_FIXED_VALUE = ("support", "for this model")
# Whether a temperature is refused depends on its value, and other users send other values.
_REMEMBERED = frozenset({USAGE_FIELD, COMPLETION_TOKENS, MAX_TOKENS})
_SECONDS, _MAX_REMEMBERED = 3600.0, 1000


def find_refused(body: base.JsonObject, message: str, adaptable: Collection[str]) -> str | None:
    """Which of the `adaptable` fields of a request the error `message` rejects, if any."""
    sent = [name for name in adaptable if name in body]
    if USAGE_FIELD in sent and (USAGE_FIELD in message or "include_usage" in message):
        return USAGE_FIELD
    # Whichever of the two names is refused, the message contains the newer one.
    limit = next((name for name in MAX_TOKENS_FIELDS if name in sent), None)
    if limit is not None and COMPLETION_TOKENS in message:
        return limit
    is_fixed = any(word in message for word in _FIXED_VALUE)
    return "temperature" if "temperature" in sent and "temperature" in message and is_fixed else None


def without_field(body: base.JsonObject, name: str) -> base.JsonObject:
    """The request without a field, or with the limit under its other name."""
    rest = {other: value for other, value in body.items() if other != name}
    if name not in MAX_TOKENS_FIELDS:
        return rest
    return {**rest, (MAX_TOKENS if name == COMPLETION_TOKENS else COMPLETION_TOKENS): body[name]}


class RefusedFields:
    """The fields that models of one server have refused. Forgotten after an hour, because servers are upgraded."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until: dict[tuple[str, str], float] = {}

    def add(self, model: str, names: Collection[str]) -> None:
        """Remember that a request was accepted only without these fields."""
        if len(self._until) >= _MAX_REMEMBERED:
            self._until.clear()  # clients may request any model name
        self._until |= {(model, name): self._clock() + _SECONDS for name in _REMEMBERED.intersection(names)}

    def adapt(self, model: str, body: base.JsonObject, adaptable: Collection[str]) -> base.JsonObject:
        """The request without the `adaptable` fields that the model has refused."""
        for name in adaptable:
            if name in body and self._clock() < self._until.get((model, name), 0.0):
                body = without_field(body, name)
        return body
