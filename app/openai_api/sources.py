"""Build the `source_nodes`, `citations` and `budget` of a response. Pure.

Ids are those of the GraphQL API.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from app import addresses, global_ids
from app.database import models
from app.providers.base import JsonObject
from app.rag.citations.citation_types import CheckedCitation
from app.rag.context.ledger import BudgetLedger
from app.rag.events import RetrievedPassage
from app.statuses import IN_THE_PROMPT, NoticeCode

log = logging.getLogger(__name__)


def response_fields(
    nodes: Sequence[JsonObject],
    citations: Sequence[JsonObject],
    notices: Sequence[JsonObject],
    ledger: BudgetLedger | None,
) -> JsonObject:
    """Our own fields of a response, present whenever documents were searched, even if empty.

    `budget` is only included if the client asked for it.
    """
    fields: JsonObject = {"source_nodes": nodes, "citations": citations, "notices": notices}
    return fields if ledger is None else {**fields, "budget": budget_fields(ledger)}


def included_chunk_ids(ledger: BudgetLedger) -> tuple[int, ...]:
    """The ids of the chunks in the prompt, best first."""
    return tuple(found.chunk_id for found in ledger.candidates if found.decision in IN_THE_PROMPT)


def source_nodes(
    passages: Sequence[RetrievedPassage], chunks: Mapping[int, models.Chunk], documents: Mapping[str, models.Document]
) -> list[JsonObject]:
    """The passages in the prompt. Text and score are kept even if the document was deleted since it was found."""
    return [_source_node(passage, chunks.get(passage.chunk_id), documents) for passage in passages]


def _source_node(
    passage: RetrievedPassage, chunk: models.Chunk | None, documents: Mapping[str, models.Document]
) -> JsonObject:
    document = documents.get(chunk.document_id) if chunk else None
    return {
        "doc_id": global_ids.encode("Document", document.id) if document else None,
        "node_id": global_ids.encode("Chunk", passage.chunk_id),
        "text": passage.text,
        "score": passage.score,
        "metadata": {
            "title": passage.document_title,
            "source": document.source if document else None,
            "url": addresses.link_or_none(document.url) if document else None,
            "page": passage.page,
            "heading": list(passage.heading),
            "vector_score": passage.vector_score,
        },
    }


def citation_fields(citations: Sequence[CheckedCitation]) -> list[JsonObject]:
    """The citations by number, each with all its uses. Offsets count Unicode code points."""
    return [
        {
            "index": citation.index,
            "label": citation.label,
            "doc_id": global_ids.encode("Document", citation.document_id),
            "node_id": global_ids.encode("Chunk", citation.chunk_id),
            "title": citation.document_title,
            "page": citation.page,
            "heading": list(citation.heading),
            "url": addresses.link_or_none(citation.url),
            "uses": [
                {
                    "marker_span": list(use.marker),
                    "node_id": global_ids.encode("Chunk", use.chunk_id),
                    "quote": use.quote,
                    "quote_span": list(use.quote_span),
                    "page": use.page,
                    "row": use.row,
                    "support": use.support,
                }
                for use in citation.uses
            ],
        }
        for citation in citations
    ]


def budget_fields(ledger: BudgetLedger) -> JsonObject:
    """How the window was divided, and why each passage is in the prompt or not."""
    return {
        "context_window": ledger.context_window,
        "input_tokens": ledger.input_tokens,
        "requested_max_tokens": ledger.requested_max_tokens,
        "adjusted_max_tokens": ledger.adjusted_max_tokens,
        "counting": ledger.counting,
        "segments": [asdict(segment) for segment in ledger.segments],
        "candidates": [
            {
                "node_id": global_ids.encode("Chunk", found.chunk_id),
                "title": found.document_title,
                "score": found.score,
                "vector_score": found.vector_score,
                "tokens": found.tokens,
                "decision": found.decision,
            }
            for found in ledger.candidates
        ],
    }


def row_id(kind: str, name: str) -> str | None:
    """The row's id if `name` is a global or plain id of this kind; None for anything else."""
    return name if global_ids.ROW_IDS[kind].fullmatch(name) else global_ids.find(kind, name)


def reduction_notices(requested: int | None, granted: int | None) -> list[JsonObject]:
    """A notice if the answer may have fewer tokens than requested."""
    if requested == granted:
        return []
    log.warning("MAX_TOKENS_REDUCED: the answer gets %s tokens instead of the %s requested", granted, requested)
    return [
        {
            "code": NoticeCode.MAX_TOKENS_REDUCED,
            "message": f"The answer gets {granted:,} tokens instead of the {requested:,} requested.",
        }
    ]
