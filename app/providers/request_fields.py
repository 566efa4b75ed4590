"""Read fields of OpenAI API requests that several providers need."""

from typing import cast

from app.providers import base

USAGE_FIELD = "stream_options"
"""The field with which a stream is asked for its usage."""
MAX_TOKENS_FIELDS = ("max_completion_tokens", "max_tokens")
"""The fields that limit the tokens of an answer, the newer name first."""

# The fields with which OpenAI's clients, vLLM, llama.cpp, SGLang and Ollama request an output format.
_FORMAT_FIELDS = (
    "response_format",
    "structured_outputs",
    *("guided_json", "guided_regex", "guided_choice", "guided_grammar"),
    *("json_schema", "grammar"),
    *("regex", "ebnf"),
    "format",
)


def find_format_field(request: base.JsonObject) -> str | None:
    """The field that requests another output format than plain text; None if there is none."""
    return next(
        (name for name in _FORMAT_FIELDS if request.get(name) not in (None, {}, "", "text", {"type": "text"})), None
    )


def includes_usage(request: base.JsonObject) -> bool:
    """Whether the client wants the usage chunk of a stream."""
    options = request.get(USAGE_FIELD)
    return isinstance(options, dict) and cast("base.JsonObject", options).get("include_usage") is True


def read_content_text(content: object) -> str | None:
    """The text of a message's content, a string or a list of parts; None if a part is not text."""
    if content is None or isinstance(content, str):
        return content or ""
    texts = [_part_text(part) for part in cast("list[object]", content)] if isinstance(content, list) else [None]
    return None if None in texts else "\n".join(filter(None, texts))


def _part_text(part: object) -> str | None:
    fields: base.JsonObject = cast("base.JsonObject", part) if isinstance(part, dict) else {}
    # A refusal is text that a model wrote instead of an answer.
    value = fields.get({"text": "text", "refusal": "refusal"}.get(str(fields.get("type")), ""))
    return value if isinstance(value, str) else None
