"""Parse a chat request and check its shape. Pure.

Only the fields that this API reads are checked. All others go to the provider as they came.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from app.openai_api.refusals import Refused
from app.providers import base, completions
from app.rag import routing

LEAST_RATIO, MOST_RATIO = 0.2, 0.8
LIMITS = ("max_completion_tokens", "max_tokens")
# Ours alone: they never reach a provider.
OUR_FIELDS = frozenset({"index_name", "context_token_ratio", "include_budget"})
# What an answer from documents sends in another form, or has no use for.
_REBUILT = frozenset({"model", "messages", "stream", "stream_options", "temperature", "tools", "functions"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat request. `relayed` is all of it but our own fields; `messages` are those that retrieval understands."""

    relayed: base.JsonObject
    model: str | None
    index_name: str | None
    ratio: float | None
    limit: int | None
    temperature: float | None
    streams: bool
    with_budget: bool
    has_tools: bool
    foreign_roles: bool
    non_text: bool
    messages: tuple[base.PromptMessage, ...]

    @property
    def more(self) -> base.JsonObject:
        """Fields for the provider beside those of an answer from documents."""
        return {name: value for name, value in self.relayed.items() if name not in _REBUILT}

    def limited(self, limit: int | None) -> base.JsonObject:
        """`relayed` with no more tokens for the answer than `limit`."""
        return {**self.relayed, **{name: limit for name in LIMITS if self.relayed.get(name) is not None}}

    def check_ratio(self) -> None:
        """Raises Refused for a share of the window that is too small or too large; 0 is too small."""
        if self.ratio is not None and not LEAST_RATIO <= self.ratio <= MOST_RATIO:
            raise Refused(
                f"`context_token_ratio` must be from {LEAST_RATIO} to {MOST_RATIO}; it is {self.ratio:g}.",
                parameter="context_token_ratio",
            )


def read(body: base.JsonObject) -> Asked:
    """Take a request apart. Raises Refused for the first thing that is not as it must be."""
    messages = _messages(body)
    relayed = {name: value for name, value in body.items() if name not in OUR_FIELDS}
    texts = [completions.read_content_text(message.get("content")) for message in messages]
    roles = [str(message["role"]) for message in messages]
    calls = [message.get("tool_calls") or message.get("function_call") for message in messages]
    foreign, non_text = not routing.ROLES.issuperset(roles), None in texts
    _check_number_of_answers(body)
    _options(body)
    return Asked(
        relayed=relayed,
        model=_text(body, "model"),
        index_name=_text(body, "index_name"),
        ratio=_number(body, "context_token_ratio"),
        limit=_limit(body),
        temperature=_number(body, "temperature"),
        streams=_flag(body, "stream"),
        with_budget=_flag(body, "include_budget"),
        has_tools=bool(_list(body, "tools") or _list(body, "functions")) or any(calls),
        foreign_roles=foreign,
        non_text=non_text,
        messages=()
        if foreign or non_text
        else tuple(
            base.PromptMessage(cast("base.Role", role), text or "") for role, text in zip(roles, texts, strict=True)
        ),
    )


def _messages(body: base.JsonObject) -> Sequence[base.JsonObject]:
    found = body.get("messages")
    if not isinstance(found, list) or not found:
        raise Refused("`messages` must be a list of at least one message.", parameter="messages")
    messages = cast("list[object]", found)
    for at, message in enumerate(messages):
        place = f"messages[{at}]"
        fields: base.JsonObject = cast("base.JsonObject", message) if isinstance(message, dict) else {}
        if not isinstance(fields.get("role"), str) or not fields["role"]:
            raise Refused(f"`{place}` must be an object with a `role`.", parameter=place)
        content = fields.get("content")
        parts = cast("list[object]", content) if isinstance(content, list) else []
        if not isinstance(content, str | list | None) or not all(isinstance(part, dict) for part in parts):
            raise Refused(
                f"`{place}.content` must be a string, a list of parts, or null.", parameter=f"{place}.content"
            )
    return cast("list[base.JsonObject]", messages)


def _check_number_of_answers(body: base.JsonObject) -> None:
    number = body.get("n")
    if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number != 1):
        raise Refused("`n` must be 1: each request gets one answer.", parameter="n")


def _options(body: base.JsonObject) -> None:
    options = body.get("stream_options")
    if not isinstance(options, dict | None):
        raise Refused("`stream_options` must be an object or null.", parameter="stream_options")
    if options is not None and body.get("stream") is not True:
        raise Refused("`stream_options` is only for `stream: true`.", parameter="stream_options")


def _limit(body: base.JsonObject) -> int | None:
    given = [(name, body[name]) for name in LIMITS if body.get(name) is not None]
    for name, value in given:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Refused(f"`{name}` must be a whole number of at least 1.", parameter=name)
    if len(given) > 1:
        raise Refused(f"Give `{LIMITS[0]}` or `{LIMITS[1]}`, not both.", parameter=LIMITS[1])
    return cast("int", given[0][1]) if given else None


def _text(body: base.JsonObject, name: str) -> str | None:
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise Refused(f"`{name}` must be a non-empty string.", parameter=name)
    return value


def _number(body: base.JsonObject, name: str) -> float | None:
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise Refused(f"`{name}` must be a number.", parameter=name)
    return value


def _flag(body: base.JsonObject, name: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool | None):
        raise Refused(f"`{name}` must be true or false.", parameter=name)
    return value is True


def _list(body: base.JsonObject, name: str) -> Sequence[object]:
    value = body.get(name)
    if not isinstance(value, list | None):
        raise Refused(f"`{name}` must be a list.", parameter=name)
    return cast("list[object]", value or [])
