"""Convert OpenAI chat requests to Ollama's own API. Pure.

Ollama also speaks the OpenAI API, but that cannot set the window, and cuts prompts silently.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from app import errors
from app.providers import base, request_fields
from app.providers.server_values import read_fields

# OpenAI name → Ollama name.
_OPTIONS: Mapping[str, str] = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "min_p": "min_p",
    "seed": "seed",
    "stop": "stop",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "repeat_penalty": "repeat_penalty",
    "max_tokens": "num_predict",
    "max_completion_tokens": "num_predict",
}
# Options for loading a model. With any other value, Ollama reloads the model for everybody.
_LOADING = frozenset(
    {
        "num_ctx",
        "num_batch",
        "num_gpu",
        "main_gpu",
        "num_thread",
        "use_mmap",
        "use_mlock",
        "low_vram",
        "numa",
        "f16_kv",
        "logits_all",
        "vocab_only",
    }
)
# Fields that do not change the answer. How long a model stays loaded is up to Ollama's operator.
_IGNORED = frozenset(
    {
        "model",
        "messages",
        "stream",
        "stream_options",
        "n",
        "user",
        "metadata",
        "store",
        "service_tier",
        "parallel_tool_calls",
        "prompt_cache_key",
        "safety_identifier",
        "tool_choice",
        "response_format",
        "reasoning_effort",
        "modalities",
        "truncate",
        "shift",
        "keep_alive",
        "options",
    }
)
# Fields that would change the answer and that Ollama does not support, with their harmless values.
_UNSUPPORTED: Mapping[str, Sequence[object]] = {
    "functions": ([],),
    "function_call": ("none",),
    "tool_choice": ("auto", "none"),
    "logit_bias": ({},),
    "logprobs": (False,),
    "audio": (),
    "modalities": (["text"],),
    "prediction": (),
    "web_search_options": (),
}
_ROLES: Mapping[str, base.Role | str] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}


def convert_fields(request: base.JsonObject) -> dict[str, object]:
    """The fields of Ollama's request, without model, messages and window. Raises ModelRefused for unsupported ones.

    Fields that would reload or unload the model are dropped: one user would make all others wait.
    """
    for name, allowed in _UNSUPPORTED.items():
        if request.get(name) is not None and request[name] not in allowed:
            raise errors.ModelRefused(f"Ollama does not support `{name}`.", name)
    requested = request.get("options")
    own_options: base.JsonObject = cast("base.JsonObject", requested) if isinstance(requested, dict) else {}
    options: dict[str, object] = {name: value for name, value in own_options.items() if name not in _LOADING}
    options |= {_OPTIONS[name]: value for name, value in request.items() if name in _OPTIONS and value is not None}
    if isinstance(options.get("stop"), str):
        options["stop"] = [options["stop"]]
    handled = _IGNORED | _OPTIONS.keys() | _UNSUPPORTED.keys()
    fields = {name: value for name, value in request.items() if name not in handled}
    if request.get("tool_choice") == "none":
        fields.pop("tools", None)
    if (form := _format(request.get("response_format"))) is not None:
        fields["format"] = form
    if request.get("reasoning_effort") == "none":
        fields["think"] = False
    return {**fields, "options": options}


def convert_messages(request: base.JsonObject) -> list[base.JsonObject]:
    """The messages in Ollama's format. Raises ModelRefused for unknown roles and parts."""
    messages = cast("Sequence[base.JsonObject]", request["messages"])
    names: dict[str, object] = {}
    return [_message(message, f"messages[{at}]", names) for at, message in enumerate(messages)]


def _message(message: base.JsonObject, place: str, names: dict[str, object]) -> base.JsonObject:
    """The message at `place`. `names` are those of the functions called so far, by the id of the call."""
    role = _ROLES.get(str(message.get("role")))
    if role is None:
        raise errors.ModelRefused(
            f"Ollama does not support messages with the role `{message.get('role')}`.", f"{place}.role"
        )
    content, images = message.get("content"), list[str]()
    if isinstance(content, list):
        parts = cast("list[base.JsonObject]", content)
        images = [_image(part, f"{place}.content") for part in parts if part.get("type") == "image_url"]
        content = [part for part in parts if part.get("type") != "image_url"]
    text = request_fields.read_content_text(content)
    if text is None:
        refused = "Ollama accepts only text and images; a part of a message is neither."
        raise errors.ModelRefused(refused, f"{place}.content")
    found: dict[str, object] = {"role": role, "content": text}
    if images:
        found["images"] = images
    if calls := _sent_calls(message, f"{place}.tool_calls"):
        found["tool_calls"] = [_call(call, f"{place}.tool_calls") for call in calls]
        names |= {str(call.get("id")): read_fields(call.get("function")).get("name") for call in calls}
    if role == "tool" and (name := names.get(str(message.get("tool_call_id")))):
        found["tool_name"] = name
    return found


def _image(part: base.JsonObject, place: str) -> str:
    image = part.get("image_url")
    url = str(cast("base.JsonObject", image).get("url") if isinstance(image, dict) else image)
    head, comma, data = url.partition(",")
    if not (comma and head.startswith("data:") and head.endswith(";base64")):
        raise errors.ModelRefused("Ollama accepts images only as base64 `data:` URLs; it does not download any.", place)
    return data


def _sent_calls(message: base.JsonObject, place: str) -> list[base.JsonObject]:
    """The tool calls of a message. Raises ModelRefused if they are malformed."""
    found: object = message.get("tool_calls") or []
    if not isinstance(found, list) or not all(isinstance(call, dict) for call in cast("list[object]", found)):
        raise errors.ModelRefused("The tool calls of a message must be a list of objects.", place)
    return cast("list[base.JsonObject]", found)


def _called_function(call: base.JsonObject, place: str) -> base.JsonObject:
    function: object = call.get("function") or {}
    if not isinstance(function, dict):
        raise errors.ModelRefused("The `function` of a tool call must be an object.", place)
    return cast("base.JsonObject", function)


def _call(call: base.JsonObject, place: str) -> base.JsonObject:
    function = _called_function(call, place)
    try:
        arguments: object = json.loads(str(function.get("arguments") or "{}"))
    except ValueError as error:
        message = "The arguments of a tool call in the messages are not valid JSON."
        raise errors.ModelRefused(message, place) from error
    return {"function": {"name": function.get("name"), "arguments": arguments}}


def _format(wanted: object) -> object:
    if wanted is None:
        return None
    form: base.JsonObject = cast("base.JsonObject", wanted) if isinstance(wanted, dict) else {}
    name = "response_format"
    match form.get("type"):
        case "text":
            return None
        case "json_object":
            return "json"
        case "json_schema":
            schema: object = form.get("json_schema") or {}
            if not isinstance(schema, dict):
                raise errors.ModelRefused(f"The `json_schema` of `{name}` must be an object.", f"{name}.json_schema")
            return cast("base.JsonObject", schema).get("schema")
        case _:
            raise errors.ModelRefused(f"Ollama does not support this `{name}`.", name)


def read_tool_calls(message: base.JsonObject) -> list[tuple[str, str]]:
    """The function calls in a frame's message: (name, arguments as JSON)."""
    found = message.get("tool_calls")
    calls = cast("list[object]", found) if isinstance(found, list) else []
    functions = [read_fields(read_fields(call).get("function")) for call in calls]
    named = [(function.get("name"), function.get("arguments")) for function in functions]
    return [(name, _arguments(arguments)) for name, arguments in named if isinstance(name, str)]


def _arguments(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
