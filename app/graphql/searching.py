"""Search for a client: one page of the ranking, with the row of each chunk."""

from collections.abc import Sequence

from app import errors
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Context
from app.graphql.highlights import Highlighter
from app.graphql.inputs import input_values
from app.graphql.inputs.search import SearchInput
from app.graphql.types.chat.answers import NoticeCodeType, NoticeType
from app.graphql.types.search import SearchResultConnectionType, SearchResultEdgeType, rank_of_cursor
from app.knowledge.search import hybrid, reranking
from app.knowledge.search.filters import DocumentCriteria
from app.rag import retrieval

# As many as both legs of a search can find.
MAX_RESULTS = 2 * hybrid.DEFAULT_DEPTH


async def find(context: Context, wanted: SearchInput, first: int, after: str | None) -> SearchResultConnectionType:
    """One page of what fits. Raises NotFound for a project or document, BadUserInput for a value out of range."""
    _check(wanted, first)
    project_id, start = ids.read("Project", wanted.project_id), rank_of_cursor(after)
    project = await context.loaders.projects.load(project_id)
    if project is None:
        raise errors.NotFound("project", project_id)
    documents = await _documents(context, project_id, wanted)
    # As many as a reranker looks at, whatever the page: pages are cut from one ranking.
    least = reranking.MAX_CANDIDATES if context.access.projects.reranks else 0
    limit = min(max(start + first + 1, least), MAX_RESULTS)
    query = hybrid.SearchQuery(wanted.query, mode=wanted.mode.name, document_ids=documents, limit=limit)
    found = await context.access.projects.search(project_id, query)
    passing = [passage for passage in found.passages if passage.score >= (wanted.threshold or 0)]
    ordered = await _ordered(context, wanted, project, passing)
    passages = ordered.passages
    shown = passages[start : start + first]
    rows = await _rows(context, shown)
    highlighter = Highlighter(wanted.query)
    edges = [
        SearchResultEdgeType.from_model(passage, row, rank, highlighter)
        for rank, (passage, row) in enumerate(zip(shown, rows, strict=True), start + 1)
        if row is not None
    ]
    more = len(passages) > start + first
    return SearchResultConnectionType.from_model(
        edges, start=start, more=more, took_ms=found.took_ms, notices=_notices(found, ordered)
    )


async def _rows(context: Context, shown: Sequence[hybrid.Passage]) -> list[models.Chunk | None]:
    """The chunks of passages; None for one that went since it was found, alone or with its document.

    The documents are asked for here, for a chunk has one: who selects them gets these.
    """
    rows = await context.loaders.chunks.load_many([passage.chunk_id for passage in shown])
    of_rows = list({row.document_id for row in rows if row is not None})
    there = {document.id for document in await context.loaders.documents.load_many(of_rows) if document is not None}
    return [row if row is not None and row.document_id in there else None for row in rows]


def _check(wanted: SearchInput, first: int) -> None:
    if not 0 <= first <= pages.MAX_SIZE:
        raise errors.BadUserInput("first", f"`first` must be between 0 and {pages.MAX_SIZE}.")
    if not wanted.query.strip():
        raise errors.BadUserInput("query", "A search needs some words.")
    if len(wanted.query) > hybrid.MAX_QUERY_LENGTH:
        raise errors.BadUserInput("query", f"A search query has at most {hybrid.MAX_QUERY_LENGTH:,} characters.")
    if wanted.threshold is not None and not 0 <= wanted.threshold <= 1:
        raise errors.BadUserInput("threshold", "`threshold` must be between 0 and 1.")


async def _documents(context: Context, project_id: str, wanted: SearchInput) -> tuple[str, ...] | None:
    """The documents to search, if not all."""
    named = None if wanted.document_ids is None else ids.read_all("Document", wanted.document_ids)
    for id, row in zip(named or (), await context.loaders.documents.load_many(named or ()), strict=True):
        if row is None or row.project_id != project_id:
            raise errors.NotFound("document", id)
    if wanted.metadata is None:
        return None if named is None else tuple(named)
    which = DocumentCriteria(metadata=input_values.require_json_object("metadata", wanted.metadata))
    matching: list[str] = []
    after: str | None = None
    more = True
    while more:
        page = (await context.access.documents.page([project_id], which, pages.Window(pages.MAX_SIZE, after)))[0]
        matching += [row.id for row in page.rows if named is None or row.id in named]
        more, after = page.has_next, page.cursors[-1] if page.cursors else None
    return tuple(matching)


async def _ordered(
    context: Context, wanted: SearchInput, project: models.Project, passing: list[hybrid.Passage]
) -> reranking.RankedPassages:
    """In the reranker's order: when it is asked for, and when nothing is said and there is one, as for answers."""
    projects = context.access.projects
    if wanted.rerank is False:
        return reranking.RankedPassages(tuple(passing))
    if wanted.rerank and not projects.reranks:
        return reranking.RankedPassages(tuple(passing), "No reranker is configured.")
    return await projects.rerank(project, wanted.query, passing)


def _notices(found: hybrid.SearchResult, ordered: reranking.RankedPassages) -> list[NoticeType]:
    told = [
        (
            NoticeCodeType.EMBEDDER_UNAVAILABLE,
            "Vectors could not be searched, so only words were.",
            found.vector_problem,
        ),
        (
            NoticeCodeType.RETRIEVAL_FAILED,
            "Full text could not be searched, so only vectors were.",
            found.keyword_problem,
        ),
        (NoticeCodeType.RERANKER_UNAVAILABLE, "The results keep the order of the search.", ordered.problem),
    ]
    pending = [NoticeType.from_model(notice) for notice in retrieval.pending_notices(found.pending_documents)]
    return pending + [NoticeType(code=code, message=f"{what} {why}") for code, what, why in told if why is not None]
