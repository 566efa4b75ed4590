"""What the pipeline is asked: a conversation in one project, and how its answer is to be given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.knowledge.search import Mode
from app.providers.base import Message
from app.rag.prompt import Grounding, Placement

CitationStyle = Literal["NUMBERED", "CHUNK"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How one answer is given. Defaults are resolved already; a null threshold means the embedding model's.

    A null limit or temperature is left to the model: the answer may take what is left of the window.
    """

    model: str
    enable_rag: bool
    top_k: int
    threshold: float | None
    ratio: float
    max_tokens: int | None
    temperature: float | None
    grounding: Grounding
    include_citations: bool
    citation_style: CitationStyle
    placement: Placement
    mode: Mode
    max_context_tokens: int
    max_context_chars: int | None
    no_sources_text: str
    rejected_text: str
    # The client's own messages, none of which may be left out.
    keep_history: bool = False
    # Other fields of the client's request, for the model's server.
    more: Mapping[str, object] = field(default_factory=dict[str, object])
    system_prompt: str | None = None
    document_ids: tuple[str, ...] | None = None
    search_query: str | None = None
    # A model first rewrites the question into a search query; one that is given is taken as it is.
    reformulate: bool = False
    # What routing has to know of a request that came from outside: see routing.route.
    has_index: bool = True
    has_tools: bool = False
    foreign_roles: bool = False
    non_text: bool = False
    small_talk: bool = True


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks what: the project whose documents are searched, and the messages up to the question.

    `memories` are facts about the asker, most important first.
    """

    project_id: str
    messages: tuple[Message, ...]
    settings: Settings
    local_only: bool = False
    memories: tuple[str, ...] = ()
