"""Count the tokens of a relayed request: as reported by the model, otherwise as counted by the server."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from app.providers import base, request_fields
from app.providers.server_values import read_count, read_fields

# Counted for an image, a sound or a file in the messages: about as many as a large image takes.
_ATTACHMENT_TOKENS = 1000
# The fields of a request that the model reads besides the messages.
_PROMPT_FIELDS = ("tools", "functions", "response_format")
# The fields of a message that the model writes, besides tool calls.
_ANSWER_FIELDS = ("content", "reasoning_content", "reasoning", "refusal")


class Meter:
    """Counts one request and the part of its answer that was received, because the client may disconnect early."""

    def __init__(self, count: Callable[[str], int], prompt_tokens: int) -> None:
        self._count = count
        self._prompt_tokens = prompt_tokens
        self._reported: int | None = None
        self._texts: list[str] = []

    @property
    def has_answer(self) -> bool:
        """Whether the model has sent anything."""
        return bool(self._texts) or self._reported is not None

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self._reported or self._prompt_tokens + self._count("".join(self._texts))

    def record_chunk(self, answer: base.JsonObject) -> None:
        """Count a chunk or a completion."""
        self._reported = _reported_tokens(answer) or self._reported
        self._texts += _written_texts(answer)


def request_usage(request: base.JsonObject) -> base.JsonObject:
    """A copy of a streaming request that asks for the usage at the end."""
    options = cast("base.JsonObject", request.get("stream_options") or {})
    return {**request, "stream_options": {**options, "include_usage": True}}


def strip_usage(chunk: base.JsonObject) -> base.JsonObject | None:
    """The chunk without its usage; None for a chunk that has nothing else."""
    if "usage" not in chunk:
        return chunk
    return {name: value for name, value in chunk.items() if name != "usage"} if chunk.get("choices") else None


def split_prompt(request: base.JsonObject) -> tuple[str, int]:
    """The text that the model reads, and the number of tokens for everything that is not text."""
    texts = [json.dumps(request[name], ensure_ascii=False) for name in _PROMPT_FIELDS if request.get(name)]
    others = 0
    for message in cast("Sequence[base.JsonObject]", request["messages"]):
        content = message.get("content")
        for part in cast("list[object]", content) if isinstance(content, list) else [content]:
            text = request_fields.read_content_text(cast("list[object]", [part]) if isinstance(part, dict) else part)
            texts.append(text or "")
            others += text is None
        if message.get("tool_calls"):
            texts.append(json.dumps(message["tool_calls"], ensure_ascii=False))
    return "\n".join(texts), others * _ATTACHMENT_TOKENS


def _reported_tokens(answer: base.JsonObject) -> int | None:
    """The number of input and output tokens that the model reports, if it does."""
    usage = read_fields(answer.get("usage"))
    read, written, total = [
        read_count(usage.get(name)) or 0 for name in ("prompt_tokens", "completion_tokens", "total_tokens")
    ]
    return total or (read + written) or None


def _written_texts(answer: base.JsonObject) -> Iterator[str]:
    """The texts that the model wrote. Any field may be missing or have the wrong type."""
    for choice in _only_objects(answer.get("choices")):
        for message in _only_objects([choice.get("delta"), choice.get("message")]):
            calls = [call.get("function") for call in _only_objects(message.get("tool_calls"))]
            found = [message.get(name) for name in _ANSWER_FIELDS]
            found += [
                value for call in _only_objects([*calls, message.get("function_call")]) for value in call.values()
            ]
            yield from (text for text in found if isinstance(text, str))


def _only_objects(values: object) -> list[base.JsonObject]:
    found = cast("list[object]", values) if isinstance(values, list) else []
    return [cast("base.JsonObject", value) for value in found if isinstance(value, dict)]
