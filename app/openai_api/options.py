"""What the operator decides about this door, as plain values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`chat_model` answers where a request names none; `tokens_per_passage` and `most_passages` give top_k.

    `most_running` answers are given to one user at once, where users sign in.
    """

    chat_model: str
    rag_enabled: bool
    ratio: float
    tokens_per_passage: int
    most_passages: int
    max_context_chars: int | None
    max_body_bytes: int
    most_running: int
