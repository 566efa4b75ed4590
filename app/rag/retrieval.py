"""Search the project's documents for passages that may answer the question."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app import errors
from app.answer_options import AnswerOptions
from app.answer_options.document_filter import DocumentFilter
from app.knowledge.search import hybrid, queries, reranking
from app.knowledge.search.passages import Passage
from app.rag import events
from app.rag.conversation import Conversation
from app.rag.request import AnswerRequest
from app.statuses import NoticeCode

log = logging.getLogger(__name__)

_MIN_CANDIDATES = 50
"""The ledger lists at least this many of the passages found, selected or not."""

_NO_DOCUMENTS = "No document of the project matches the given ids or filter."


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The result of retrieval. `found` None: the documents could not be searched, and the answer does without them."""

    search_query: str
    found: hybrid.SearchResult | None
    notices: tuple[events.AnswerNotice, ...]


async def retrieve_passages(
    knowledge: hybrid.HybridSearch, request: AnswerRequest, conversation: Conversation, rewritten: str | None
) -> Retrieval:
    """Search with the question, its rewritten form if there is one, and the turns before it.

    Raises RetrievalUnavailable where a grounded answer needs documents that cannot be searched.
    """
    options = request.options
    search_query = options.search_query or rewritten or conversation.question
    try:
        found = await knowledge.search_project(
            request.project_id,
            build_query(
                options,
                options.search_query or conversation.question,
                earlier=None if options.search_query else conversation.recent_questions,
                rewritten=rewritten,
            ),
        )
    except errors.RetrievalUnavailable as error:
        if options.grounding == "GROUNDED":
            raise
        log.warning("answered without sources: %s", error.message)
        message = f"The documents could not be searched, so the answer is given without them. {error.message}"
        return Retrieval(search_query, None, (events.AnswerNotice(NoticeCode.RETRIEVAL_FAILED, message),))
    return Retrieval(search_query, found, tuple(search_notices(found)))


def build_query(
    options: AnswerOptions, text: str, *, earlier: str | None = None, rewritten: str | None = None
) -> queries.SearchQuery:
    """The search for an answer with these options."""
    return queries.SearchQuery(
        text,
        earlier=earlier,
        rewritten=rewritten,
        mode=options.search_mode,
        documents=_documents_to_search(options),
        limit=max(_MIN_CANDIDATES, options.rag_top_k),
        depth=max(queries.DEFAULT_DEPTH, options.rag_top_k),
        dense_weight=options.rag_dense_weight,
    )


def _documents_to_search(options: AnswerOptions) -> DocumentFilter | None:
    """The documents with the given ids that match the filter; None for all documents of the project."""
    documents = replace(options.document_filter or DocumentFilter(), ids=options.document_ids)
    return None if documents.selects_all else documents


def pending_notices(documents: int) -> list[events.AnswerNotice]:
    """A notice if documents are still being processed: their new content cannot be found yet."""
    if documents == 0:
        return []
    waiting = "1 document is" if documents == 1 else f"{documents:,} documents are"
    message = f"{waiting} still being processed; new content cannot be found yet."
    return [events.AnswerNotice(NoticeCode.DOCUMENTS_PENDING, message)]


def search_notices(found: hybrid.SearchResult) -> list[events.AnswerNotice]:
    """Notices of everything that was missing in the search."""
    notices = pending_notices(found.pending_documents)
    if not found.has_documents:
        notices.append(events.AnswerNotice(NoticeCode.NO_MATCHING_DOCUMENTS, _NO_DOCUMENTS))
    if found.vector_problem is not None:
        message = f"Vector search failed; only full-text search was used. {found.vector_problem}"
        notices.append(events.AnswerNotice(NoticeCode.EMBEDDER_UNAVAILABLE, message))
    if found.keyword_problem is not None:
        message = f"Full-text search failed; only vector search was used. {found.keyword_problem}"
        notices.append(events.AnswerNotice(NoticeCode.RETRIEVAL_FAILED, message))
    return notices


def reranking_notices(ranked: reranking.RankedPassages) -> list[events.AnswerNotice]:
    """A notice if a reranker should have ordered the passages but could not."""
    if ranked.problem is None:
        return []
    message = f"The results keep the order of the search. {ranked.problem}"
    return [events.AnswerNotice(NoticeCode.RERANKER_UNAVAILABLE, message)]


def retrieval_completed(
    search_query: str, candidates: Sequence[Passage], took_ms: float
) -> events.RetrievalCompletedEvent:
    """The event that reports what was found."""
    return events.RetrievalCompletedEvent(
        search_query,
        tuple(
            events.RetrievedPassage(
                passage.chunk_id,
                passage.document_title,
                passage.page,
                passage.heading,
                passage.text,
                passage.score,
                passage.vector_score,
                passage.document_id,
            )
            for passage in candidates
        ),
        took_ms,
    )
