"""The odd values, and the fields of a chat request that they go into."""

import base64
import copy
import json
import random
from collections.abc import Iterator, Sequence
from typing import cast

from tests.graphql.client import Json

TEXTS: list[Json] = [
    *("", " ", "\x00", "a\x00b", "\ud800", "a\udfff\ud800b", "\u202eevil", "\ufeff", "\u200b", "\r\n", "\U0010ffff"),
    *("'; DROP TABLE projects; --", '"', "\\", "%", "_", "NEAR(", "* - AND OR NOT", "null", "[1]", "{}", "..", "/"),
    *("a" + "𐍈" * 9_999, "e" + "\u0301\u0323" * 9_000, "x" * 20_000, "x" * 200_000, "word " * 2_000, "[" * 5_000),
    *("1e999", "٣", "½", "0x10", "true", "embedded/", "/x", "nobody/nothing", "openai/\x00", "a@b", "\x00@\x00"),
]
DATES: list[Json] = [
    *("0000-00-00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999999-23:59", "2026-02-30", "2026-11-22"),
    *(
        "2026-11-22T25:00:00Z",
        "2026-11-22T00:00:00",
        "-2026-01-01T00:00:00Z",
        "20261122T000000Z",
        "2026-W01-1",
        "24:00",
    ),
]
NUMBERS: list[Json] = [
    *(0, -0.0, 1, -1, 100, 101, 2**31 - 1, 2**31, -(2**31), 2**53, 2**53 + 1, 2**63, -(2**64), 10**100, 10**290),
    *(1e308, -1e308, 5e-324, 0.1, 1.5, float("nan"), float("inf"), True, False, None),
]
LISTS: list[Json] = [
    *([], [None], [[]], ["x"] * 101, [""] * 1_001, ["\x00"], [0], [{}], [[["x"]]], ["x", None], ["Q2h1bms6MQ"] * 50),
]
OBJECTS: list[Json] = [
    *(
        {},
        {"": ""},
        {"\x00": 1},
        {"a": "\ud800"},
        {"\ud800": 1},
        {'a"b': 1},
        {"a": None},
        {"__proto__": {}},
        {"a": 1e308},
    ),
    *({"a": 10**100}, {"a": ["x"] * 20_000}, {str(number): number for number in range(2_000)}, {"a": "x" * 20_000}),
]


def _nested(levels: int) -> Json:
    value: Json = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def _base64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode()


CURSORS: list[Json] = [
    _base64(text)
    for text in (
        *("", "[]", "[1]", "[null]", "{}", "null", '"x"', "[[]]", '["x"]', '["x", "y"]', "[1, 2]", '["\ud800", "x"]'),
        *('["\\u0000", "x"]', '["2026-11-22T00:00:00", "x"]', '["2026-11-22T00:00:00+00:00", "x"]', "[NaN, NaN]"),
        *('["0001-01-01T00:00:00+23:59", "x"]', '["9999-12-31T23:59:59-23:59", "x"]', "[1e999, 1]", "[" * 3_000),
        *(f"[{10**400}]", f"[{2**63}]", f"[-{2**63 + 1}]", "[true]", '["2026-W01-1", "x"]', '["2026-11-22", ""]'),
        *("result:0", "result:999999", "result:-1", "result:٣", "result:1\n", "[9223372036854775807]", "\x00"),
    )
] + ["WzFd", "e30", "=", "====", "✓", "W10=", "-_-_"]
FORGED_IDS: list[Json] = [
    _base64(text).rstrip("=")
    for text in (
        *("Project:", "Project:x", f"Project:{'0' * 32}", f"Project:{'F' * 32}", f"project:{'0' * 32}", "Chunk:0"),
        *("Chunk:999999999999999999", "Chunk:9223372036854775808", "Chunk:-1", "Chunk:٣", f"Nothing:{'0' * 32}", ":"),
        *(f"Document:{'0' * 32}\n", f"User:{'0' * 32}", f"EmbeddingSpace:{'0' * 32}", f"AccessToken:{'0' * 32}"),
        *(f"Memory:{'0' * 32}", f"Message:{'0' * 32}", f"ChatSession:{'0' * 32}", "Chunk:000000000000000001"),
    )
]
DEEP: list[Json] = [_nested(levels) for levels in (5, 29, 31, 33, 200)]
ODD: list[Json] = [*TEXTS, *DATES, *NUMBERS, *LISTS, *OBJECTS, *CURSORS, *FORGED_IDS, *DEEP]


def encoded(body: Json) -> bytes:
    """Encode as JSON, including lone surrogates and numbers that JSON does not have."""
    return json.dumps(body).encode()


BASE: Json = {
    "model": "embedded/extractive",
    "messages": [{"role": "user", "content": "When do larks sing?"}],
    "index_name": "fuzz",
}
_MESSAGE = ("role", "content", "name", "tool_calls", "function_call", "refusal", "tool_call_id")
_FIELDS = (
    *(
        "model",
        "messages",
        "index_name",
        "context_token_ratio",
        "stream",
        "stream_options",
        "temperature",
        "n",
        "tools",
    ),
    *("max_tokens", "max_completion_tokens", "functions", "tool_choice", "response_format", "stop", "seed", "top_p"),
    *("logit_bias", "metadata", "user", "unknown", "\x00", "logprobs", "presence_penalty", "parallel_tool_calls"),
)
PATHS: list[tuple[str | int, ...]] = [
    (),
    *((name,) for name in _FIELDS),
    ("messages", 0),
    *(("messages", 0, name) for name in _MESSAGE),
]


def chat_body(path: Sequence[str | int], value: Json, *, beside: Json = None) -> Json:
    """A chat request with this value in this field."""
    body: Json = copy.deepcopy(BASE) | (beside or {})
    if not path:
        return value
    within: Json = body
    for key in path[:-1]:
        within = within[key]
    within[path[-1]] = value
    return body


def chat_bodies(random: random.Random, count: int) -> Iterator[Json]:
    """This many chat requests: some streamed, some without an index, some with content parts."""
    others: list[Json] = [None, {"stream": True}, {"index_name": None}, {"tools": [{"type": "function"}]}]
    for _ in range(count):
        value = random.choice(ODD)
        path = random.choice(PATHS)
        if path[-1:] == ("content",) and random.random() < 0.5:
            value = [
                {"type": random.choice(["text", "image_url", value]), "text": value},
                *random.choice([[], [value]]),
            ]
        body = chat_body(path, value, beside=random.choice(others))
        yield body


def as_response_body(body: Json) -> Json:
    """The same request to the Responses API."""
    if not isinstance(body, dict):
        return body
    fields = cast("dict[str, Json]", body)
    return {"input" if name == "messages" else name: value for name, value in fields.items()}
