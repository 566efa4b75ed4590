"""Parse a chat request and check its shape. Pure.

Only the fields that this API reads are checked. All others are passed to the provider unchanged.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

from app import errors
from app.answer_options import MAX_MODEL, OPTIONS, OptionLayer, describe_type, is_of_type
from app.answer_options.document_filter import read_document_filter
from app.openai_api.refusals import RequestRefused
from app.providers import base, request_fields
from app.rag import routing

_OPTIONS = {name: option for name, option in OPTIONS.items() if option.openai_field}
# Our own fields, which are never sent to a provider.
OUR_FIELDS = frozenset({"index_name", "include_budget", *_OPTIONS})
_MAX_DOCUMENTS = 100
# Fields that an answer from documents sends in another form, or not at all.
_REBUILT = frozenset(
    {
        *("model", "messages", "stream", "stream_options", "temperature"),
        # Only an empty list of tools is answered from documents, and servers refuse a choice of none.
        *("tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"),
    }
)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A chat request. `relayed` has all fields but our own; `messages` is empty if retrieval does not support them.

    `adaptable`: the fields of `relayed` that the client has not chosen, see `LanguageModel.relay_request`.
    """

    relayed: base.JsonObject
    model: str | None
    index_name: str | None
    options: OptionLayer
    max_tokens: int | None
    temperature: float | None
    streams: bool
    with_budget: bool
    has_tools: bool
    has_unknown_roles: bool
    has_non_text: bool
    messages: tuple[base.PromptMessage, ...]
    adaptable: Collection[str]

    @property
    def question(self) -> str:
        """The texts of all user messages after the last answer, joined by a blank line; may be empty."""
        texts: list[str] = []
        for message in cast("Sequence[base.JsonObject]", self.relayed["messages"]):
            if message["role"] == "assistant":
                texts = []
            elif message["role"] == "user":
                content = message.get("content")
                parts = cast("list[object]", content) if isinstance(content, list) else [content]
                texts += [
                    request_fields.read_content_text(part if isinstance(part, str) else [part]) or "" for part in parts
                ]
        return "\n\n".join(texts).strip()

    @property
    def asks_for_format(self) -> bool:
        """Whether the request asks for an answer in another format than plain text, such as JSON."""
        return request_fields.find_format_field(self.relayed) is not None

    @property
    def extra_fields(self) -> base.JsonObject:
        """Fields that an answer from documents passes to the provider unchanged."""
        return {name: value for name, value in self.relayed.items() if name not in _REBUILT}

    def relay_with_max_tokens(self, max_tokens: int | None) -> base.JsonObject:
        """`relayed` with at most this many tokens for the answer, under the name that the client uses."""
        named = (name for name in request_fields.MAX_TOKENS_FIELDS if self.relayed.get(name) is not None)
        return {**self.relayed, **dict.fromkeys(named, max_tokens)}

    def check_options(self) -> None:
        """Raises RequestRefused for an answer option out of its range, or documents that are named wrongly."""
        for name, value in self.options.items():
            option = _OPTIONS[name]
            if value is not None and option.allowed_range and not option.is_in_range(value):
                raise RequestRefused(f"`{name}` must be {option.allowed_range}; it is {value:g}.", parameter=name)
        ids: Sequence[object] | None = self.options.get("document_ids")
        if ids is not None and not (0 < len(ids) <= _MAX_DOCUMENTS and all(isinstance(id, str) for id in ids)):
            message = f"`document_ids` must be a list of 1 to {_MAX_DOCUMENTS} ids of documents."
            raise RequestRefused(message, parameter="document_ids")
        try:
            read_document_filter(self.options.get("document_filter") or {})
        except errors.Invalid as error:
            path = ".".join(("document_filter", *error.issues[0].path))
            raise RequestRefused(error.message, parameter=path) from error


def parse_chat_request(body: base.JsonObject, adaptable: Collection[str] = ()) -> ChatRequest:
    """Parse the body of a request. Raises RequestRefused for the first invalid field."""
    messages = _read_messages(body)
    relayed = {name: value for name, value in body.items() if name not in OUR_FIELDS}
    texts = [request_fields.read_content_text(message.get("content")) for message in messages]
    roles = [str(message["role"]) for message in messages]
    calls = [message.get("tool_calls") or message.get("function_call") for message in messages]
    has_unknown_roles, has_non_text = not routing.ROLES.issuperset(roles), None in texts
    _check_number_of_answers(body)
    _check_stream_options(body)
    return ChatRequest(
        relayed=relayed,
        model=_read_model(body),
        index_name=_read_text(body, "index_name"),
        options={name: _read_option(body, name) for name in _OPTIONS},
        max_tokens=_read_max_tokens(body),
        temperature=_read_option(body, "temperature"),
        streams=_read_flag(body, "stream"),
        with_budget=_read_flag(body, "include_budget"),
        has_tools=bool(read_list(body, "tools") or read_list(body, "functions")) or any(calls),
        has_unknown_roles=has_unknown_roles,
        has_non_text=has_non_text,
        messages=()
        if has_unknown_roles or has_non_text
        else tuple(
            base.PromptMessage(cast("base.Role", role), text or "") for role, text in zip(roles, texts, strict=True)
        ),
        adaptable=adaptable,
    )


def _read_messages(body: base.JsonObject) -> Sequence[base.JsonObject]:
    found = body.get("messages")
    if not isinstance(found, list) or not found:
        raise RequestRefused("`messages` must be a list of at least one message.", parameter="messages")
    messages = cast("list[object]", found)
    for at, message in enumerate(messages):
        place = f"messages[{at}]"
        fields: base.JsonObject = cast("base.JsonObject", message) if isinstance(message, dict) else {}
        if not isinstance(fields.get("role"), str) or not fields["role"]:
            raise RequestRefused(f"`{place}` must be an object with a `role`.", parameter=place)
        content = fields.get("content")
        parts = cast("list[object]", content) if isinstance(content, list) else []
        if not isinstance(content, str | list | None) or not all(isinstance(part, dict) for part in parts):
            raise RequestRefused(
                f"`{place}.content` must be a string, a list of parts, or null.", parameter=f"{place}.content"
            )
    return cast("list[base.JsonObject]", messages)


def _check_number_of_answers(body: base.JsonObject) -> None:
    number = body.get("n")
    if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number != 1):
        raise RequestRefused("`n` must be 1: each request gets one answer.", parameter="n")


def _check_stream_options(body: base.JsonObject) -> None:
    options = body.get("stream_options")
    if not isinstance(options, dict | None):
        raise RequestRefused("`stream_options` must be an object or null.", parameter="stream_options")
    if options is not None and body.get("stream") is not True:
        raise RequestRefused("`stream_options` is only allowed with `stream: true`.", parameter="stream_options")


def _read_max_tokens(body: base.JsonObject) -> int | None:
    names = request_fields.MAX_TOKENS_FIELDS
    limits = [limit for limit in (read_limit(body, name) for name in names) if limit is not None]
    if len(limits) > 1:
        raise RequestRefused(f"Give `{names[0]}` or `{names[1]}`, not both.", parameter=names[1])
    return limits[0] if limits else None


def read_limit(body: base.JsonObject, name: str) -> int | None:
    """A field that limits something to a number; None if it is not given. Raises RequestRefused."""
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise RequestRefused(f"`{name}` must be a whole number of at least 1.", parameter=name)
    return value


def _read_text(body: base.JsonObject, name: str) -> str | None:
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise RequestRefused(f"`{name}` must be a non-empty string.", parameter=name)
    return value


def _read_model(body: base.JsonObject) -> str | None:
    name = _read_text(body, "model")
    if name is not None and len(name) > MAX_MODEL:  # names are logged, counted and kept
        raise RequestRefused(f"`model` must have at most {MAX_MODEL} characters.", parameter="model")
    return name


def _read_option(body: base.JsonObject, name: str) -> Any:
    value = body.get(name)
    if not is_of_type(name, value):
        raise RequestRefused(f"`{name}` must be {describe_type(name)}.", parameter=name)
    return value


def _read_flag(body: base.JsonObject, name: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool | None):
        raise RequestRefused(f"`{name}` must be true or false.", parameter=name)
    return value is True


def read_list(body: base.JsonObject, name: str) -> Sequence[object]:
    """A field that is a list; empty if it is not given. Raises RequestRefused."""
    value = body.get(name)
    if not isinstance(value, list | None):
        raise RequestRefused(f"`{name}` must be a list.", parameter=name)
    return cast("list[object]", value or [])
