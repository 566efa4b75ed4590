"""The input of the pipeline: a conversation in one project, and how to answer it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.answer_options import AnswerOptions
from app.providers.base import PromptMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineOptions(AnswerOptions):
    """Options of one answer with all layers resolved, the operator's limits, and options that only one answer has."""

    max_context_tokens: int
    max_context_chars: int | None
    # The project's texts that replace an answer; None: the default text, in the language of the question.
    no_sources_text: str | None
    rejected_text: str | None
    # Replaces the question in the search, and switches rewriting off.
    search_query: str | None = None
    # Whether all messages must stay in the prompt, because the client sent them.
    keep_history: bool = False
    # Whether to end without an answer if no passage is in the prompt, because the client's request is then passed on.
    passages_required: bool = False
    # Other fields of the client's request, passed on to the model's server.
    extra_fields: Mapping[str, object] = field(default_factory=dict[str, object])
    # Whether the answer may have markers. Not in a form that the client gives, such as JSON, where `[1]` is a value.
    has_markers: bool = True
    # See routing.choose_route.
    detect_small_talk: bool = True

    @classmethod
    def extend(cls, options: AnswerOptions, **others: Any) -> "PipelineOptions":
        """`options` with the other fields."""
        return cls(**options.values(), **others)


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A question in its conversation, and the project whose documents are searched.

    `memories` are facts about the user, most important first. `session_id` and `message_id` name the answer in logs,
    if it is kept. `unanswered` questions were refused since the last answered turn; they are in no message.
    """

    project_id: str
    user_id: str
    messages: tuple[PromptMessage, ...]
    options: PipelineOptions
    local_only: bool = False
    memories: tuple[str, ...] = ()
    session_id: str | None = None
    message_id: str | None = None
    unanswered: tuple[str, ...] = ()

    @property
    def on_behalf_of(self) -> tuple[str, str]:
        """(user id, project id), used for fair queueing."""
        return self.user_id, self.project_id
