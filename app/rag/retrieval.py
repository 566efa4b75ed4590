"""Search the project's documents for passages that may answer the question."""

import logging
from dataclasses import dataclass

from app import errors
from app.knowledge.search import hybrid
from app.rag import events
from app.rag.conversation import Conversation
from app.rag.request import AnswerRequest

log = logging.getLogger(__name__)

_LEAST_CANDIDATES = 50
"""How many found passages at least get a place in the ledger, whatever becomes of them."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What was found. `found` None: the documents could not be searched, and the answer goes on without them."""

    search_query: str
    found: hybrid.SearchResult | None
    notices: tuple[events.AnswerNotice, ...]


async def retrieve_passages(
    knowledge: hybrid.HybridSearch, request: AnswerRequest, conversation: Conversation, rewritten: str | None
) -> Retrieval:
    """Search with the question, its rewritten form if there is one, and the turns before it.

    Raises RetrievalUnavailable where a grounded answer needs documents that cannot be searched.
    """
    settings = request.settings
    search_query = settings.search_query or rewritten or conversation.question
    try:
        found = await knowledge.search_project(
            request.project_id,
            hybrid.SearchQuery(
                settings.search_query or conversation.question,
                earlier=None if settings.search_query else conversation.recent_questions,
                rewritten=rewritten,
                mode=settings.search_mode,
                document_ids=settings.document_ids,
                limit=max(_LEAST_CANDIDATES, settings.rag_top_k),
                depth=max(hybrid.DEFAULT_DEPTH, settings.rag_top_k),
            ),
        )
    except errors.RetrievalUnavailable as error:
        if settings.grounding == "GROUNDED":
            raise
        log.warning("answered without sources: %s", error.message)
        message = f"The documents could not be searched, so the answer is given without them. {error.message}"
        return Retrieval(search_query, None, (events.AnswerNotice("RETRIEVAL_FAILED", message),))
    return Retrieval(search_query, found, tuple(_notices(found)))


def pending_notices(documents: int) -> list[events.AnswerNotice]:
    """One where documents are still being read: what they hold cannot be found yet, or only as it was."""
    if documents == 0:
        return []
    waiting = "1 document is" if documents == 1 else f"{documents:,} documents are"
    message = f"{waiting} still being processed; new content cannot be found yet."
    return [events.AnswerNotice("DOCUMENTS_PENDING", message)]


def _notices(found: hybrid.SearchResult) -> list[events.AnswerNotice]:
    """What the search could not see, and what it had to do without; nothing is silent."""
    notices = pending_notices(found.pending_documents)
    if found.vector_problem is not None:
        message = f"Vectors could not be searched, so only words were. {found.vector_problem}"
        notices.append(events.AnswerNotice("EMBEDDER_UNAVAILABLE", message))
    if found.keyword_problem is not None:
        message = f"Full text could not be searched, so only vectors were. {found.keyword_problem}"
        notices.append(events.AnswerNotice("RETRIEVAL_FAILED", message))
    return notices
