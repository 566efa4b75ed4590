"""Run a search and build one page of its results."""

from collections.abc import Sequence

from app import errors
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Context
from app.graphql.highlights import Highlighter
from app.graphql.inputs import input_values
from app.graphql.inputs.search import SearchInput
from app.graphql.types.chat.answers import NoticeType
from app.graphql.types.search import SearchResultConnectionType, SearchResultEdgeType, rank_of_cursor
from app.knowledge.search import hybrid, queries, reranking
from app.knowledge.search.filters import DocumentCriteria
from app.rag import retrieval

# Full text and vectors each find at most this many.
MAX_RESULTS = 2 * queries.DEFAULT_DEPTH


async def find_page(context: Context, input: SearchInput, first: int, after: str | None) -> SearchResultConnectionType:
    """One page of the results. Raises NotFound for a project or document, BadUserInput for a value out of range."""
    _check_input(input, first)
    project_id, start = ids.read("Project", input.project_id), rank_of_cursor(after)
    project = await context.loaders.projects.load(project_id)
    if project is None:
        raise errors.NotFound("project", project_id)
    documents = await _documents_to_search(context, project_id, input)
    # Always as many as the reranker considers, so that all pages come from one ranking.
    least = reranking.MAX_CANDIDATES if context.access.projects.reranks else 0
    limit = min(max(start + first + 1, least), MAX_RESULTS)
    query = hybrid.SearchQuery(input.query, mode=input.mode.name, document_ids=documents, limit=limit)
    found = await context.access.projects.search(project_id, query)
    relevant = [passage for passage in found.passages if passage.score >= (input.threshold or 0)]
    ordered = await _rerank_passages(context, input, project, relevant)
    passages = ordered.passages
    shown = passages[start : start + first]
    rows = await _load_rows(context, shown)
    highlighter = Highlighter(input.query)
    edges = [
        SearchResultEdgeType.from_model(passage, row, rank, highlighter)
        for rank, (passage, row) in enumerate(zip(shown, rows, strict=True), start + 1)
        if row is not None
    ]
    more = len(passages) > start + first
    notices = [*retrieval.search_notices(found), *retrieval.reranking_notices(ordered)]
    return SearchResultConnectionType.from_model(
        edges, start=start, more=more, took_ms=found.took_ms, notices=list(map(NoticeType.from_model, notices))
    )


async def _load_rows(context: Context, shown: Sequence[hybrid.Passage]) -> list[models.Chunk | None]:
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
    if input.threshold is not None and not 0 <= input.threshold <= 1:
        raise errors.BadUserInput("threshold", "`threshold` must be between 0 and 1.")


async def _documents_to_search(context: Context, project_id: str, input: SearchInput) -> tuple[str, ...] | None:
    """The ids of the documents to search; None for all."""
    named = None if input.document_ids is None else ids.read_all("Document", input.document_ids)
    for id, row in zip(named or (), await context.loaders.documents.load_many(named or ()), strict=True):
        if row is None or row.project_id != project_id:
            raise errors.NotFound("document", id)
    if input.metadata is None:
        return None if named is None else tuple(named)
    which = DocumentCriteria(metadata=input_values.require_json_object("metadata", input.metadata))
    matching: list[str] = []
    after: str | None = None
    more = True
    while more:
        page = (
            await context.access.documents.list_documents([project_id], which, pages.PageRequest(pages.MAX_SIZE, after))
        )[0]
        matching += [row.id for row in page.rows if named is None or row.id in named]
        more, after = page.has_next, page.cursors[-1] if page.cursors else None
    return tuple(matching)


async def _rerank_passages(
    context: Context, input: SearchInput, project: models.Project, relevant: list[hybrid.Passage]
) -> reranking.RankedPassages:
    """The passages in the reranker's order, unless reranking is ruled out or no reranker is configured."""
    projects = context.access.projects
    if input.rerank is False:
        return reranking.RankedPassages(tuple(relevant))
    if input.rerank and not projects.reranks:
        return reranking.RankedPassages(tuple(relevant), "No reranker is configured.")
    return await projects.rerank(project, input.query, relevant)
