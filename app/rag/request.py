"""The pipeline's input: a conversation in one project, and how it is to be answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.answer_options import AnswerOptions
from app.providers.base import PromptMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineOptions(AnswerOptions):
    """How one answer is given: its options with all layers resolved, the operator's bounds, and what only it has."""

    max_context_tokens: int
    max_context_chars: int | None
    no_sources_text: str
    rejected_text: str
    # Searched with instead of the question, which is then not rewritten either.
    search_query: str | None = None
    # The client's own messages, none of which may be left out.
    keep_history: bool = False
    # Other fields of the client's request, for the model's server.
    extra_fields: Mapping[str, object] = field(default_factory=dict[str, object])
    # What routing has to know of a request that came from outside: see routing.route.
    has_index: bool = True
    has_tools: bool = False
    has_unknown_roles: bool = False
    has_non_text: bool = False
    detect_small_talk: bool = True


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A question in its conversation, and the project whose documents are searched.

    `memories` are facts about the asker, most important first.
    """

    project_id: str
    user_id: str
    messages: tuple[PromptMessage, ...]
    settings: PipelineOptions
    local_only: bool = False
    memories: tuple[str, ...] = ()

    @property
    def on_behalf_of(self) -> tuple[str, str]:
        """Whom the answer is for, where requests wait for a model."""
        return self.user_id, self.project_id
