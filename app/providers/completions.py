"""Build chunks, or a completion, of the OpenAI API from a model's answer."""

import secrets
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

from app.providers import base, request_fields
from app.statuses import FinishReason

_FINISH: dict[FinishReason, str] = {
    FinishReason.STOP: "stop",
    FinishReason.LENGTH: "length",
    FinishReason.FILTER: "content_filter",
}


class CompletionBuilder:
    """Builds one answer in the form that the client requested: a stream of chunks, or one completion at the end."""

    def __init__(self, request: base.JsonObject, model: str) -> None:
        """`request` says whether to stream, and whether to report usage; every chunk names `model`."""
        self._streams = request.get("stream") is True
        self._with_usage = request_fields.includes_usage(request)
        self._head = {
            "id": f"chatcmpl-{secrets.token_hex(12)}",
            "object": "chat.completion.chunk" if self._streams else "chat.completion",
            "created": int(time.time()),
            "model": model,
        }
        self._begun = False
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._reasoning: list[str] = []
        self._calls: list[base.JsonObject] = []

    def add_text(self, text: str) -> list[base.JsonObject]:
        """Append text to the answer."""
        self._content.append(text)
        return self._delta({"content": text})

    def add_refusal(self, text: str) -> list[base.JsonObject]:
        """Append text in which the model refuses to answer."""
        self._refusal.append(text)
        return self._delta({"refusal": text})

    def add_reasoning(self, text: str) -> list[base.JsonObject]:
        """Append text to the model's reasoning."""
        self._reasoning.append(text)
        return self._delta({"reasoning_content": text})

    def add_tool_call(self, name: str, arguments: str) -> list[base.JsonObject]:
        """Add a complete function call."""
        function = {"name": name, "arguments": arguments}
        call = {"id": f"call_{secrets.token_hex(12)}", "type": "function", "function": function}
        self._calls.append(call)
        return self._delta({"tool_calls": [{"index": len(self._calls) - 1, **call}]})

    def add_piece(self, piece: base.Piece) -> list[base.JsonObject]:
        """Add the next piece from the model."""
        match piece:
            case base.RefusalDelta():
                return self.add_refusal(piece.text)
            case base.TextDelta():
                return self.add_text(piece.text)
            case base.ReasoningDelta():
                return self.add_reasoning(piece.text)
            case base.Finished():
                return self.finish(piece.reason, piece.input_tokens, piece.output_tokens)

    def finish(
        self,
        reason: FinishReason,
        input_tokens: int | None,
        output_tokens: int | None,
        more: base.JsonObject | None = None,
    ) -> list[base.JsonObject]:
        """Complete the answer. `more`: additional fields for the last chunk, or for the completion."""
        finish = "tool_calls" if self._calls and reason is FinishReason.STOP else _FINISH[reason]
        used = _usage(input_tokens or 0, output_tokens or 0)
        if not self._streams:
            return [{**self._make_object("message", self._message(), finish), "usage": used, **(more or {})}]
        chunks = [*self._delta({}, finish)]
        if self._with_usage:
            chunks.append({**self._head, "choices": [], "usage": used})
        return [*chunks[:-1], {**chunks[-1], **(more or {})}]

    def _delta(self, delta: base.JsonObject, finish: str | None = None) -> list[base.JsonObject]:
        if not self._streams:
            return []
        role = {} if self._begun else {"role": "assistant"}
        self._begun = True
        return [self._make_object("delta", {**role, **delta}, finish)]

    def _make_object(self, name: str, what: base.JsonObject, finish: str | None) -> base.JsonObject:
        choice = {"index": 0, name: what, "logprobs": None, "finish_reason": finish}
        return {**self._head, "choices": [choice]}

    def _message(self) -> base.JsonObject:
        content = "".join(self._content)
        may_be_null = self._calls or self._refusal
        message: dict[str, object] = {"role": "assistant", "content": content or None if may_be_null else content}
        if self._refusal:
            message["refusal"] = "".join(self._refusal)
        if self._reasoning:
            message["reasoning_content"] = "".join(self._reasoning)
        if self._calls:
            message["tool_calls"] = self._calls
        return message


def make_length_chunk(chunk: base.JsonObject) -> base.JsonObject:
    """The last chunk of a stream that is cut after `chunk`, with the finish reason `length`."""
    head = {name: chunk[name] for name in ("id", "object", "created", "model") if name in chunk}
    choice: base.JsonObject = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": _FINISH[FinishReason.LENGTH]}
    return {**head, "choices": [choice]}


def _usage(input_tokens: int, output_tokens: int) -> base.JsonObject:
    """The `usage` object."""
    return {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": input_tokens + output_tokens,
    }


async def extend_last_chunk(
    chunks: AsyncGenerator[base.JsonObject], more: base.JsonObject, *, streams: bool
) -> AsyncGenerator[base.JsonObject]:
    """Pass chunks, or one completion, through; add missing fields from `more` to the last one."""
    pending: base.JsonObject | None = None
    has_finish = False
    async with aclosing(chunks):
        async for chunk in chunks:
            if pending is not None:
                yield pending
                pending = None
            has_finish = has_finish or _has_finish_reason(chunk)
            # Only a chunk that may be the last is held back until the next one arrives.
            if not streams or has_finish or not chunk.get("choices"):
                pending = chunk
            else:
                yield chunk
    if pending is not None:
        yield {**more, **pending}


def _has_finish_reason(chunk: base.JsonObject) -> bool:
    choices = chunk.get("choices")
    found = cast("list[object]", choices) if isinstance(choices, list) else []
    return any(isinstance(one, dict) and cast("base.JsonObject", one).get("finish_reason") for one in found)
