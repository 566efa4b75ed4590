"""Build requests and read responses of servers that speak any dialect of the OpenAI API. Pure.

The `openai` client does not check shapes, so anything in an answer may be missing or of another type.
"""

import dataclasses
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from app.providers import base, server_values
from app.providers.openai import refused_fields
from app.providers.request_fields import MAX_TOKENS_FIELDS
from app.providers.server_values import read_fields
from app.statuses import FinishReason

# Reasoning models accept `max_completion_tokens` instead of `max_tokens`, and no temperature.
THINKING = ("o1", "o3", "o4", "gpt-5")

# The fields in which servers report a window, the loaded one before the model's own: LM Studio; llama.cpp (in
# `meta`); vLLM; Groq; OpenRouter; LM Studio and Mistral.
_WINDOW_FIELDS = (
    "loaded_context_length",
    "n_ctx",
    "max_model_len",
    "context_window",
    "context_length",
    "max_context_length",
)

# The fields of a delta that are part of the answer; others are the role, and whatever servers add.
_CONTENTS = (
    *("content", "refusal", "reasoning_content", "reasoning"),
    *("tool_calls", "function_call", "audio", "images"),
)

# Mistral says `model_length`, Z.ai `model_context_window_exceeded` and `sensitive`, watsonx `time_limit`.
_FINISH_REASONS: Mapping[str, FinishReason] = {
    **dict.fromkeys(
        ("length", "max_tokens", "model_length", "model_context_window_exceeded", "time_limit"), FinishReason.LENGTH
    ),
    **dict.fromkeys(("content_filter", "safety", "refusal", "sensitive"), FinishReason.FILTER),
}
# OpenRouter; vLLM and SGLang; watsonx; Z.ai; DeepSeek.
_FAILURES = frozenset({"error", "abort", "cancelled", "network_error", "insufficient_system_resource"})


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A chat request of our own; `extra_fields` were sent by the client."""

    messages: list[base.JsonObject]
    max_tokens: int | None
    temperature: float | None
    with_temperature: bool = True
    completion_tokens: bool = False
    extra_fields: Mapping[str, object] = dataclasses.field(default_factory=dict[str, object])

    def body(self, model: str) -> dict[str, object]:
        """The JSON to send."""
        fields: dict[str, object] = {"model": model, "messages": self.messages, "stream": True}
        fields[refused_fields.USAGE_FIELD] = {"include_usage": True}
        if self.max_tokens is not None:
            limit = refused_fields.COMPLETION_TOKENS if self.completion_tokens else refused_fields.MAX_TOKENS
            fields[limit] = self.max_tokens
        if self.with_temperature:
            fields["temperature"] = self.temperature
        return {**fields, **self.extra_fields}


_Delta = base.TextDelta | base.ReasoningDelta


def read_chunks(chunks: Iterable[object]) -> list[_Delta]:
    """The pieces in these chunks, with adjacent texts joined."""
    runs: list[tuple[type[_Delta], list[str]]] = []
    for chunk in chunks:
        for kind, part in _read_delta(chunk):
            if runs and runs[-1][0] is kind:
                runs[-1][1].append(part)
            else:
                runs.append((kind, [part]))
    return [kind("".join(parts)) for kind, parts in runs]


def _find_delta(chunk: object) -> base.JsonObject:
    """The delta of a chunk; anything in it may be missing or of another type."""
    try:
        choice = cast("Any", chunk)["choices"][0]
        # Servers that do not stream send their whole answer as one chunk, some with `message` as in a completion.
        # Text completion servers have `text` instead of either.
        return read_fields(choice.get("delta", choice.get("message", {"content": choice.get("text")})))
    except (KeyError, IndexError, TypeError, AttributeError):
        return {}


def has_content(chunk: object) -> bool:
    """Whether a chunk contains a part of the answer, of any kind."""
    delta = _find_delta(chunk)
    return any(delta.get(name) for name in _CONTENTS)


def reports_progress(chunk: object) -> bool:
    """Whether a chunk says how much of the prompt llama.cpp has read. Each batch has one, perhaps for four tokens."""
    return "prompt_progress" in read_fields(chunk)


def _read_delta(chunk: object) -> list[tuple[type[_Delta], str]]:
    """The reasoning and text of a chunk, if any."""
    fields = _find_delta(chunk)
    text, refusal = fields.get("content"), fields.get("refusal")
    thought = fields.get("reasoning_content") or fields.get("reasoning")
    if isinstance(text, list):
        parts = cast("list[object]", text)
        text, thought = _join_parts(parts, "text"), thought or _join_parts(parts, "thinking")
    found = (base.ReasoningDelta, thought), (base.TextDelta, text), (base.RefusalDelta, refusal)
    return [(kind, part) for kind, part in found if isinstance(part, str) and part]


def _join_parts(parts: Iterable[object], kind: str) -> str:
    """The joined texts of parts of this kind. Mistral's servers send reasoning as parts that contain text parts."""
    values = [part.get(kind) for part in map(read_fields, parts) if part.get("type") == kind]
    return "".join(
        value if isinstance(value, str) else _join_parts(cast("list[object]", value), "text")
        for value in values
        if isinstance(value, str) or (isinstance(value, list) and kind != "text")
    )


def find_usage(chunks: Iterable[object]) -> tuple[int | None, int | None] | None:
    """Token usage (input, output) from the last chunk that reports it."""
    found = None
    for chunk in chunks:
        if not (usage := read_fields(read_fields(chunk).get("usage"))):
            continue
        read, written = [server_values.read_tokens(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        if read is not None or written is not None:
            found = read, written
    return found


class Response(Protocol):
    """A response of the client's HTTP library."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Values by header name."""
        ...

    @property
    def extensions(self) -> Mapping[str, object]:
        """Additional data from the transport."""
        ...

    def aiter_bytes(self) -> AsyncGenerator[bytes]:
        """The body as it arrives."""
        ...

    async def aread(self) -> bytes:
        """The whole body."""
        ...

    def json(self) -> object:
        """The body, parsed."""
        ...


def without_limits(more: Mapping[str, object]) -> dict[str, object]:
    """Additional fields of a request, without the answer's token limit, which we set ourselves."""
    return {name: value for name, value in more.items() if name not in MAX_TOKENS_FIELDS}


def find_finish_reason(chunk: base.JsonObject) -> str | None:
    """The finish reason of a chunk, if it has one."""
    choices = chunk.get("choices")
    for choice in cast("list[object]", choices) if isinstance(choices, list) else []:
        finish = cast("base.JsonObject", choice).get("finish_reason") if isinstance(choice, dict) else None
        if isinstance(finish, str) and finish:  # some servers send an empty one with each chunk
            return finish
    return None


def find_error(value: object) -> object | None:
    """The error that a server sends instead of a chunk or completion; older vLLM sends only its fields."""
    fields = read_fields(value)
    is_error = "error" in (fields.get("object"), fields.get("type"))
    return fields.get("error") or (fields if is_error else None)


def to_chunk(completion: base.JsonObject) -> base.JsonObject:
    """Convert a completion to the only chunk of a stream."""
    choices = [
        {**{name: value for name, value in choice.items() if name != "message"}, "delta": _number_calls(message)}
        if (message := read_fields(choice.get("message")))
        else choice
        for choice in map(read_fields, cast("list[object]", completion["choices"]))
    ]
    return {**completion, "object": "chat.completion.chunk", "choices": choices}


def _number_calls(message: base.JsonObject) -> base.JsonObject:
    """A message as a delta, in which each tool call has its index."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    numbered = enumerate(map(read_fields, cast("list[object]", calls)))
    return {**message, "tool_calls": [{"index": index, **call} for index, call in numbered]}


def message_param(message: base.PromptMessage, *, developer: bool) -> base.JsonObject:
    """A message in the format of the API; only OpenAI itself accepts the role `developer`."""
    match message.role:
        case "user":
            return {"role": "user", "content": message.content}
        case "assistant":
            return {"role": "assistant", "content": message.content}
        case "developer" if developer:
            return {"role": "developer", "content": message.content}
        case _:
            return {"role": "system", "content": message.content}


def read_model_list(body: object) -> dict[str, base.JsonObject] | None:
    """The entries of /v1/models by id; None for any other response. Entries without an id are skipped."""
    data = read_fields(body).get("data")
    if not isinstance(data, list):
        return None
    entries = map(read_fields, cast("list[object]", data))
    return {id: entry for entry in entries if isinstance(id := entry.get("id"), str) and id}


def find_window(entry: Mapping[str, object]) -> int | None:
    """The context window in an entry of /v1/models."""
    places = (read_fields(entry.get("top_provider")), read_fields(entry.get("meta")), entry)
    for field in _WINDOW_FIELDS:
        for place in places:
            if window := server_values.read_tokens(place.get(field)):
                return window
    return None


def map_finish_reason(name: str) -> FinishReason:
    """Map a server's finish reason to ours; anything but a limit or a filter is an ordinary end."""
    return _FINISH_REASONS.get(name.lower(), FinishReason.STOP)


def is_failure(finish: str | None) -> bool:
    """Whether a finish reason says that the server could not complete the answer."""
    return finish is not None and finish.lower() in _FAILURES


def read_vectors(response: object) -> list[Sequence[float]] | None:
    """The vectors of /v1/embeddings in the order of the texts; None if one is missing or in base64."""
    data = read_fields(response).get("data")
    if not isinstance(data, list):
        return None
    items = [read_fields(item) for item in cast("list[object]", data)]
    rows = [item.get("embedding") for item in items]
    if not all(isinstance(row, list) for row in rows):
        return None
    found = cast("list[Sequence[float]]", rows)
    indices = [server_values.read_count(item.get("index")) for item in items]
    # Some servers set every index to 0; then the vectors are in order.
    by_index = dict(zip(indices, found, strict=True))
    return [by_index[i] for i in range(len(found))] if set(indices) == set(range(len(found))) else found


def counting_path(entry: Mapping[str, object], base_url: str) -> str | None:
    """The endpoint that counts a prompt exactly, by the `owned_by` of the model; None if there is none."""
    match entry.get("owned_by"):
        case "llamacpp":
            return "/chat/completions/input_tokens"
        case "vllm":
            return base_url.rstrip("/").removesuffix("/v1") + "/tokenize"
        case _:
            return None


def read_token_count(body: object) -> int | None:
    """The count in a response of llama.cpp or vLLM."""
    fields = read_fields(body)
    return server_values.read_tokens(fields.get("input_tokens", fields.get("count")))
