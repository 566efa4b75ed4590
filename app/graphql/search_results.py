"""Run a search and build one page of its results."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app import errors
from app.answer_options.document_filter import DocumentFilter
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Context
from app.graphql.inputs import documents as inputs
from app.graphql.inputs.documents import library_filter
from app.graphql.inputs.search import SearchInput
from app.graphql.types.chat.answers import NoticeType
from app.graphql.types.search import SearchResultConnectionType, SearchResultEdgeType, rank_of_cursor
from app.knowledge.search import hybrid, queries, reranking
from app.knowledge.search.highlights import Highlighter
from app.knowledge.search.passages import Passage
from app.rag import retrieval

# Full text and vectors each find at most this many.
MAX_RESULTS = 2 * queries.DEFAULT_DEPTH


# A search is repeated if documents are replaced during it: it must find the old version or the new one, not neither.
_MAX_SEARCHES = 3


@dataclass(frozen=True, slots=True)
class _Found:
    """A search, all its passages in order, and those to show with their chunks; None for each that is gone."""

    result: hybrid.SearchResult
    ordered: reranking.RankedPassages
    shown: Sequence[Passage]
    rows: list[models.Chunk | None]


async def find_page(context: Context, input: SearchInput, first: int, after: str | None) -> SearchResultConnectionType:
    """One page of the results. Raises NotFound for a project or document, BadUserInput for a value out of range."""
    _check_input(input, first)
    project_id, start = ids.read("Project", input.project_id), rank_of_cursor(after)
    project = await context.loaders.projects.load(project_id)
    if project is None:
        raise errors.NotFound("project", project_id)
    await _check_documents(context, project_id, input)
    # Always as many as the reranker considers, so that all pages come from one ranking.
    min_limit = reranking.MAX_CANDIDATES if context.access.projects.has_reranker else 0
    limit = min(max(start + first + 1, min_limit), MAX_RESULTS)
    query = queries.SearchQuery(
        input.query,
        mode=input.mode.name,
        documents=_read_filter(input),
        limit=limit,
        dense_weight=input.dense_weight,
    )
    found = await _find(context, input, project, query, start, first)
    for _ in range(_MAX_SEARCHES - 1):
        if None in found.rows:
            found = await _find(context, input, project, query, start, first)
    highlighter = Highlighter(input.query)
    edges = [
        SearchResultEdgeType.from_model(passage, row, rank, highlighter)
        for rank, (passage, row) in enumerate(zip(found.shown, found.rows, strict=True), start + 1)
        if row is not None
    ]
    more = len(found.ordered.passages) > start + first
    notices = [*retrieval.search_notices(found.result), *retrieval.reranking_notices(found.ordered)]
    return SearchResultConnectionType.from_model(
        edges, start=start, more=more, took_ms=found.result.took_ms, notices=list(map(NoticeType.from_model, notices))
    )


async def _find(
    context: Context, input: SearchInput, project: models.Project, query: queries.SearchQuery, start: int, first: int
) -> _Found:
    """Search, and load what is to be shown."""
    result = await context.access.projects.search(project.id, query)
    relevant = [passage for passage in result.passages if passage.score >= (input.threshold or 0)]
    ordered = await _rerank_passages(context, input, project, relevant)
    shown = ordered.passages[start : start + first]
    return _Found(result, ordered, shown, await _load_rows(context, shown))


async def _load_rows(context: Context, shown: Sequence[Passage]) -> list[models.Chunk | None]:
    """The chunks of passages; None for those deleted since they were found, alone or with their document.

    The documents are loaded too, to check that they exist; fields that select them get them from the same loader.
    """
    rows = await context.loaders.chunks.load_many([passage.chunk_id for passage in shown])
    of_rows = list({row.document_id for row in rows if row is not None})
    there = {document.id for document in await context.loaders.documents.load_many(of_rows) if document is not None}
    return [row if row is not None and row.document_id in there else None for row in rows]


def _check_input(input: SearchInput, first: int) -> None:
    if not 0 <= first <= pages.MAX_SIZE:
        raise errors.BadUserInput("first", f"`first` must be between 0 and {pages.MAX_SIZE}.")
    if not input.query.strip():
        raise errors.BadUserInput("query", "`query` must not be empty.")
    if len(input.query) > hybrid.MAX_QUERY_LENGTH:
        raise errors.BadUserInput("query", f"`query` must have at most {hybrid.MAX_QUERY_LENGTH:,} characters.")
    for name, value in (("threshold", input.threshold), ("denseWeight", input.dense_weight)):
        if value is not None and not 0 <= value <= 1:
            raise errors.BadUserInput(name, f"`{name}` must be between 0 and 1.")


async def _check_documents(context: Context, project_id: str, input: SearchInput) -> None:
    """Raises NotFound if one of `documentIds` is not in this project."""
    named = ids.read_all("Document", input.document_ids or [])
    for id, row in zip(named, await context.loaders.documents.load_many(named), strict=True):
        if row is None or row.project_id != project_id:
            raise errors.NotFound("document", id)


def _read_filter(input: SearchInput) -> DocumentFilter | None:
    """The documents to search; None for all of the project."""
    filter = library_filter(input.document_filter)
    if input.metadata is not None:
        if filter.metadata:
            raise errors.BadUserInput("metadata", "Give `metadata` or `documentFilter.metadata`, not both.")
        filter = replace(filter, metadata=library_filter(inputs.DocumentFilterInput(metadata=input.metadata)).metadata)
    if input.document_ids is not None:
        filter = replace(filter, ids=tuple(ids.read_all("Document", input.document_ids)))
    return None if filter.selects_all else filter


async def _rerank_passages(
    context: Context, input: SearchInput, project: models.Project, relevant: list[Passage]
) -> reranking.RankedPassages:
    """The passages in the reranker's order, unless reranking is ruled out or no reranker is configured."""
    projects = context.access.projects
    if input.rerank is False:
        return reranking.RankedPassages(tuple(relevant))
    if input.rerank and not projects.has_reranker:
        return reranking.RankedPassages(tuple(relevant), "No reranker is configured.")
    return await projects.rerank(project, input.query, relevant)
