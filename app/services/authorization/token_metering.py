"""What a request that is passed on takes of its user's tokens: as the model says, else as it is counted here."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from app.providers import base, completions

# A picture, a sound or a file among the messages: about what a large picture takes.
_NO_TEXT_TOKENS = 1000
# What of a request the model reads beside its messages.
_READ = ("tools", "functions", "response_format")
# What of a message it writes, beside calls.
_WRITTEN = ("content", "reasoning_content", "reasoning", "refusal")


class Meter:
    """Counts one request and its answer, as far as that came: who leaves in the middle has used what was written."""

    def __init__(self, count: Callable[[str], int], prompt_tokens: int) -> None:
        self._count = count
        self._prompt_tokens = prompt_tokens
        self._reported: int | None = None
        self._texts: list[str] = []

    @property
    def heard(self) -> bool:
        """Whether the model has said anything."""
        return bool(self._texts) or self._reported is not None

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self._reported or self._prompt_tokens + self._count("".join(self._texts))

    def note(self, answer: base.JsonObject) -> None:
        """Read on: a chunk, or a completion."""
        self._reported = _reported(answer) or self._reported
        self._texts += _texts(answer)


def asking_for_usage(request: base.JsonObject) -> base.JsonObject:
    """The same request for a stream, with the usage at its end."""
    options = cast("base.JsonObject", request.get("stream_options") or {})
    return {**request, "stream_options": {**options, "include_usage": True}}


def without_usage(chunk: base.JsonObject) -> base.JsonObject | None:
    """The chunk for a client that did not ask for the usage; None for one that is there for the usage alone."""
    if "usage" not in chunk:
        return chunk
    return {name: value for name, value in chunk.items() if name != "usage"} if chunk.get("choices") else None


def prompt(request: base.JsonObject) -> tuple[str, int]:
    """The text that the model reads, and the tokens of what is no text."""
    texts = [json.dumps(request[name], ensure_ascii=False) for name in _READ if request.get(name)]
    others = 0
    for message in cast("Sequence[base.JsonObject]", request["messages"]):
        content = message.get("content")
        for part in cast("list[object]", content) if isinstance(content, list) else [content]:
            text = completions.read_content_text(cast("list[object]", [part]) if isinstance(part, dict) else part)
            texts.append(text or "")
            others += text is None
        if message.get("tool_calls"):
            texts.append(json.dumps(message["tool_calls"], ensure_ascii=False))
    return "\n".join(texts), others * _NO_TEXT_TOKENS


def _reported(answer: base.JsonObject) -> int | None:
    """The tokens that the model says it has read and written together."""
    usage = answer.get("usage")
    if not isinstance(usage, Mapping):
        return None
    counts = cast("Mapping[str, Any]", usage)
    parts = [counts.get(name) for name in ("prompt_tokens", "completion_tokens")]
    total = counts.get("total_tokens") or sum(part for part in parts if type(part) is int)
    return total if type(total) is int and total > 0 else None


def _texts(answer: base.JsonObject) -> Iterator[str]:
    """What the model wrote: nothing of it needs to be there, or of the right type."""
    for choice in _objects(answer.get("choices")):
        for said in _objects([choice.get("delta"), choice.get("message")]):
            calls = [call.get("function") for call in _objects(said.get("tool_calls"))]
            found = [said.get(name) for name in _WRITTEN]
            found += [value for call in _objects([*calls, said.get("function_call")]) for value in call.values()]
            yield from (text for text in found if isinstance(text, str))


def _objects(values: object) -> list[base.JsonObject]:
    found = cast("list[object]", values) if isinstance(values, list) else []
    return [cast("base.JsonObject", value) for value in found if isinstance(value, dict)]
