"""The configuration of the OpenAI API, as plain values."""

from dataclasses import dataclass

from app.quotas import Quota


@dataclass(frozen=True, slots=True)
class OpenAIConfig:
    """`chat_model` answers if a request names none. `tokens_per_passage` and `max_passages` determine top_k.

    `max_running_per_user` limits the answers at once where users sign in, and `max_running_total` those of all.
    `requests` limits the bytes of requests held in memory.
    """

    chat_model: str
    rag_enabled: bool
    tokens_per_passage: int
    max_passages: int
    max_context_chars: int | None
    max_body_bytes: int
    max_running_per_user: int
    max_running_total: int
    requests: Quota

    def resolve_model(self, name: str) -> str:
        """The name as `provider/model`. The server's own chat model can be named without its provider."""
        default = self.chat_model
        return default if name == default.partition("/")[2] else name
