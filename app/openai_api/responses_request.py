"""Translate a request of the Responses API into a chat request. Pure.

The two APIs differ in their shapes alone: routes, checks, limits and answers are the same.
"""

import re
from collections.abc import Sequence
from typing import cast

from app import safe_text
from app.openai_api.chat_request import read_limit, read_list
from app.openai_api.refusals import RequestRefused
from app.providers.base import JsonObject
from app.providers.request_fields import MAX_TOKENS_FIELDS, USAGE_FIELD

# Fields that would need stored responses, or ask for something that Footnote never does.
_UNSUPPORTED = {
    "previous_response_id": "responses are not stored; send the earlier messages in `input`",
    "conversation": "conversations are not stored; send the earlier messages in `input`",
    "prompt": "prompts are not stored; send `instructions` and `input`",
    "background": "responses are not stored; use `stream` to follow one",
    "top_logprobs": "the probabilities of tokens are not part of a response here",
}
# Fields that have another form, or none, in a chat request: there, metadata needs `store`, and only functions, which
# `max_tool_calls` does not limit, are tools.
_TRANSLATED = frozenset(
    {
        *("input", "instructions", "max_output_tokens", "reasoning", "text", "tools", "tool_choice"),
        *("parallel_tool_calls", "include", "store", "stream_options", "truncation", "metadata", "max_tool_calls"),
        *_UNSUPPORTED,
    }
)
ADAPTABLE = (USAGE_FIELD, MAX_TOKENS_FIELDS[0])
"""The fields of the chat request in which servers differ: the client has not sent them, or under another name."""
# The fields of a chat request that are part of others in this API.
_ORIGINALS = {
    "messages": "input",
    **dict.fromkeys(MAX_TOKENS_FIELDS, "max_output_tokens"),
    "reasoning_effort": "reasoning.effort",
    "response_format": "text.format",
    "verbosity": "text.verbosity",
}
_PARTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}


def to_chat_body(body: JsonObject) -> JsonObject:
    """The body of the chat request. Raises RequestRefused for the first field that a chat request cannot express."""
    for name, reason in _UNSUPPORTED.items():
        if body.get(name) not in (None, False):
            raise RequestRefused(f"`{name}` is not supported: {reason}.", parameter=name, code="unsupported_parameter")
    if body.get("truncation") not in (None, "disabled"):
        message = "`truncation` must be `disabled`: no message is left out of a request silently."
        raise RequestRefused(message, parameter="truncation")
    fields: dict[str, object] = {
        "messages": [*_read_instructions(body), *_read_input(body)],
        "max_completion_tokens": read_limit(body, "max_output_tokens"),
        "reasoning_effort": _read_object(body, "reasoning").get("effort"),
        "response_format": _read_format(_read_object(body, "text")),
        "verbosity": _read_object(body, "text").get("verbosity"),
        "tools": _read_tools(body),
        # Servers refuse a choice among no tools.
        "tool_choice": _read_tool_choice(body),
        "parallel_tool_calls": body.get("parallel_tool_calls") if body.get("tools") else None,
        "stream_options": {"include_usage": True} if body.get("stream") is True else None,
    }
    passed = {name: value for name, value in body.items() if name not in _TRANSLATED}
    return passed | {name: value for name, value in fields.items() if value is not None}


def original_parameter(parameter: str) -> str:
    """The field of a request that a field of its chat request was made from.

    A message has another place than its item, and a format has other fields, so these are named as a whole.
    """
    name = re.split(r"[.\[]", parameter, maxsplit=1)[0]
    return _ORIGINALS.get(name, parameter)


def _read_instructions(body: JsonObject) -> list[JsonObject]:
    instructions = body.get("instructions")
    if not isinstance(instructions, str | None):
        raise RequestRefused("`instructions` must be a string or null.", parameter="instructions")
    return [{"role": "system", "content": instructions}] if instructions else []


def _read_input(body: JsonObject) -> Sequence[JsonObject]:
    found = body.get("input")
    if isinstance(found, str) and found.strip():
        return [{"role": "user", "content": found}]
    if not isinstance(found, list) or not found:
        raise RequestRefused("`input` must be a non-empty string, or a list of at least one item.", parameter="input")
    messages: list[dict[str, object]] = []
    for at, item in enumerate(cast("list[object]", found)):
        message = _read_item(item, f"input[{at}]")
        if message is not None and not (messages and _add_to_message(message, messages[-1])):
            messages.append(message)
    if not messages:
        raise RequestRefused("`input` must have an item that is not `reasoning`.", parameter="input")
    return messages


def _add_to_message(message: JsonObject, earlier: dict[str, object]) -> bool:
    """Add a model's calls to its message, or its text to its calls; their outputs must follow at once.

    Returns False for messages that stay two.
    """
    if not message["role"] == earlier["role"] == "assistant":
        return False
    if "tool_calls" in message:
        calls = cast("list[object]", earlier.setdefault("tool_calls", []))
        calls += cast("list[object]", message["tool_calls"])
        return True
    if earlier["content"] is None:
        earlier["content"] = message["content"]
        return True
    return False


def _read_item(item: object, place: str) -> dict[str, object] | None:
    """The chat message of an item; None for a model's reasoning, which no chat request has."""
    fields: JsonObject = cast("JsonObject", item) if isinstance(item, dict) else {}
    match fields.get("type", "message"):
        case "message":
            role = fields.get("role")
            if not isinstance(role, str) or not role:
                raise RequestRefused(f"`{place}` must be an object with a `role`.", parameter=place)
            return {"role": role, "content": _read_content(fields.get("content"), f"{place}.content")}
        case "function_call":
            function = {name: _read_text(fields, name, place) for name in ("name", "arguments")}
            call = {"id": _read_text(fields, "call_id", place), "type": "function", "function": function}
            return {"role": "assistant", "content": None, "tool_calls": [call]}
        case "function_call_output":
            content = _read_content(fields.get("output"), f"{place}.output")
            return {"role": "tool", "tool_call_id": _read_text(fields, "call_id", place), "content": content}
        case "reasoning":
            return None
        case "item_reference":
            raise RequestRefused(
                f"`{place}.type` must not be `item_reference`: responses are not stored; send the item itself (with "
                "the AI SDK, set the provider option `store` to false).",
                parameter=f"{place}.type",
            )
        case kind:
            raise RequestRefused(
                f"`{place}.type` must be `message`, `function_call`, `function_call_output` or `reasoning`; it is "
                f"{safe_text.quote(str(kind), 100)}.",
                parameter=f"{place}.type",
            )


def _read_content(content: object, place: str) -> str | list[JsonObject]:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise RequestRefused(f"`{place}` must be a string or a list of parts.", parameter=place)
    return [_read_part(part, f"{place}[{at}]") for at, part in enumerate(cast("list[object]", content))]


def _read_part(part: object, place: str) -> JsonObject:
    fields: JsonObject = cast("JsonObject", part) if isinstance(part, dict) else {}
    kind = str(fields.get("type"))
    if kind in _PARTS:
        name = _PARTS[kind]
        return {"type": name, name: _read_text(fields, name, place)}
    if kind == "input_image" and fields.get("image_url"):
        image = {"url": _read_text(fields, "image_url", place), "detail": fields.get("detail") or "auto"}
        return {"type": "image_url", "image_url": image}
    raise RequestRefused(
        f"`{place}` must be a text or an image with an `image_url`; its type is {safe_text.quote(str(kind), 100)}.",
        parameter=place,
    )


def _read_text(fields: JsonObject, name: str, place: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise RequestRefused(f"`{place}.{name}` must be a string.", parameter=f"{place}.{name}")
    return value


def _read_object(body: JsonObject, name: str) -> JsonObject:
    value = body.get(name)
    if not isinstance(value, dict | None):
        raise RequestRefused(f"`{name}` must be an object or null.", parameter=name)
    return cast("JsonObject", value or {})


def _read_format(text: JsonObject) -> JsonObject | None:
    """The `response_format`; in a chat request, a JSON schema is nested one level deeper."""
    form = text.get("format")
    if not isinstance(form, dict | None):
        raise RequestRefused("`text.format` must be an object or null.", parameter="text.format")
    fields = cast("JsonObject", form or {})
    if fields.get("type") != "json_schema":
        return fields or None
    schema = {name: value for name, value in fields.items() if name != "type"}
    return {"type": "json_schema", "json_schema": schema}


def _read_tools(body: JsonObject) -> list[JsonObject] | None:
    return [_read_tool(tool, f"tools[{at}]") for at, tool in enumerate(read_list(body, "tools"))] or None


def _read_tool(tool: object, place: str) -> JsonObject:
    fields: JsonObject = cast("JsonObject", tool) if isinstance(tool, dict) else {}
    if fields.get("type") != "function":
        message = f"`{place}.type` must be `function`; there are no other tools."
        raise RequestRefused(message, parameter=f"{place}.type")
    return {"type": "function", "function": {name: value for name, value in fields.items() if name != "type"}}


def _read_tool_choice(body: JsonObject) -> object:
    """`auto`, `none`, `required`, or one function."""
    choice = body.get("tool_choice") if body.get("tools") else None
    if not isinstance(choice, dict):
        return choice
    fields = cast("JsonObject", choice)
    if fields.get("type") != "function":
        raise RequestRefused("`tool_choice` must be a mode or one function.", parameter="tool_choice")
    return {"type": "function", "function": {"name": fields.get("name")}}
