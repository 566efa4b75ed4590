"""The operator's options for the OpenAI API, as plain values."""

from dataclasses import dataclass

from app.quotas import Quota


@dataclass(frozen=True, slots=True)
class OpenAIOptions:
    """`chat_model` answers where a request names none. `tokens_per_passage` and `most_passages` give top_k.

    `most_running` answers are given to one user at once, where users sign in, and `most_running_together` to all.
    `requests` bounds the bytes of requests that are held at once.
    """

    chat_model: str
    rag_enabled: bool
    tokens_per_passage: int
    most_passages: int
    max_context_chars: int | None
    max_body_bytes: int
    most_running: int
    most_running_together: int
    requests: Quota
