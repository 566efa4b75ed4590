"""Search the full text of chunks by bm25, whichever database keeps the postings."""

from bisect import bisect_right
from collections.abc import Iterator

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

from app.knowledge.index import bm25, postings, terms
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.postings_cache import PostingsCache
from app.knowledge.index.postings_reader import PostingsReader, PostingsSource
from app.knowledge.index.protocol import TextIndex

COUNTS = (1, 2, 3, 4, 5, 6, 8, 11, 16)
"""The numbers of times a chunk has a term that are told apart: bm25 counts each further occurrence less."""

_PROJECT_TOTALS = text(
    "SELECT totals.number, totals.chunks, totals.terms, projects.index_version FROM keyword_totals AS totals "
    "JOIN projects ON projects.id = totals.project_id WHERE project_id = :id"
)
_COUNT_CHUNKS = text(
    "INSERT INTO keyword_totals(project_id, chunks, terms) VALUES (:project_id, :chunks, :terms) "
    "ON CONFLICT(project_id) DO UPDATE SET chunks = keyword_totals.chunks + excluded.chunks, "
    "terms = keyword_totals.terms + excluded.terms RETURNING number, chunks"
)
_SUBTRACT_CHUNKS = text(
    "UPDATE keyword_totals SET chunks = chunks - :chunks, terms = terms - :terms WHERE project_id = :project_id"
)


class ScoredTextIndex(TextIndex):
    """Each term is stored with its project's number as a prefix (`17xfox`).

    So all entries of a project lie together and those of others are never read, and the number of chunks with a term
    is the project's own. `cache` holds the postings of the terms that were searched last.
    """

    def __init__(self, cache: PostingsCache | None = None) -> None:
        self._cache = cache or PostingsCache(0)

    def _open_postings(self, connection: Connection) -> PostingsSource:
        """The postings as the transaction of `connection` sees them."""
        raise NotImplementedError

    def search_texts(
        self, db: Session, project_id: str, query: str, limit: int, among: ChunkFilter | None = None
    ) -> dict[int, float]:
        """BM25 with the project's own counts, as a share of the highest possible score."""
        wanted, connection = terms.query_terms(query), db.connection()
        row = connection.execute(_PROJECT_TOTALS, {"id": project_id}).one_or_none()
        if row is None or not wanted:
            return {}
        totals = bm25.ProjectTotals(row.chunks, row.terms)
        source = self._open_postings(connection)
        reader = PostingsReader(source, self._cache, term_prefix(row.number), row.index_version)
        shares = bm25.term_shares(wanted, reader.count_chunks(wanted), totals)
        found = [(share, reader.read(term)) for term, share in shares.items()]
        weights = postings.Weights(bm25.K1 * (1 - bm25.B), bm25.K1 * bm25.B / totals.average_length)
        chunk_ids = None if among is None else among.read_ids(db, row.index_version)
        return postings.find_best(found, weights, limit, chunk_ids)


def add_to_totals(connection: Connection, project_id: str, chunks: int, length: int) -> tuple[int, int]:
    """Add chunks with so many terms together to their project's totals; returns its number and its chunks now."""
    values = {"project_id": project_id, "chunks": chunks, "terms": length}
    number, total = connection.execute(_COUNT_CHUNKS, values).one()
    return number, total


def subtract_from_totals(connection: Connection, project_id: str, chunks: int, length: int) -> None:
    """Subtract chunks with so many terms together from their project's totals."""
    connection.execute(_SUBTRACT_CHUNKS, {"project_id": project_id, "chunks": chunks, "terms": length})


def prefixed_terms(number: int, counted: terms.CountedTerms) -> Iterator[tuple[str, int]]:
    """The terms of a chunk of the project of this number, each with its place in COUNTS."""
    prefix = term_prefix(number)
    for term, count in counted.counts.items():
        yield prefix + term, bisect_right(COUNTS, count) - 1


def term_prefix(number: int) -> str:
    """The prefix of a project's or a user's terms; its digits end at the letter, so none begins with another."""
    return f"{int(number)}x"
