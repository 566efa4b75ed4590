"""Full-text search of chunks, ranked by bm25, and of messages, newest first; shared by both databases."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlalchemy import Connection, TextClause, text
from sqlalchemy.orm import Session

from app.knowledge.index import bm25, postings, terms
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.postings_cache import PostingsCache
from app.knowledge.index.postings_reader import PostingsReader, PostingsSource
from app.knowledge.index.protocol import TextIndex

COUNTS = (1, 2, 3, 4, 5, 6, 8, 11, 16)
"""The term frequencies that are distinguished: in bm25, each further occurrence counts less."""

# Higher than any message's number.
_NEWEST = 2**63 - 1
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
    """A full-text index that stores each term with its project's number as a prefix (`17xfox`).

    So a project's entries lie together, those of others are never read, and the number of chunks with a term is the
    project's own. `cache` holds the postings of the most recently searched terms.
    """

    def __init__(self, cache: PostingsCache | None = None) -> None:
        self._cache = cache or PostingsCache(0)

    def _open_postings(self, connection: Connection) -> PostingsSource:
        """The postings as the transaction of `connection` sees them."""
        raise NotImplementedError

    def search_texts(
        self, db: Session, project_id: str, query: str, limit: int, among: ChunkFilter | None = None
    ) -> dict[int, float]:
        """Rank by bm25 with the project's own counts, as a share of the highest possible score."""
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


class MessageIndex:
    """The full text of messages.

    Each term is stored with its user's number as a prefix (`17xfox`), so other users' messages are never read. The
    newest messages come first and no scores are computed, so the cost depends only on the size of the page.
    """

    def __init__(
        self,
        add: TextClause,
        find: TextClause,
        to_stored: Callable[[Sequence[str]], object],
        to_wanted: Callable[[Sequence[str]], object],
    ) -> None:
        """The statements of a database, and functions that convert a message's and a query's terms to parameters."""
        self._add = add
        self._find = find
        self._to_stored = to_stored
        self._to_wanted = to_wanted

    def add_texts(self, db: Session, user_number: int, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Add a user's messages, given as numbers and terms."""
        prefix = term_prefix(user_number)
        values = [
            {"number": number, "terms": self._to_stored([prefix + term for term in of_row])} for number, of_row in rows
        ]
        if values:
            db.connection().execute(self._add, values)

    def find_messages(
        self,
        db: Session,
        user_id: str,
        user_number: int,
        query: str,
        *,
        project_id: str | None,
        member_id: str | None,
        before: int | None,
        limit: int,
    ) -> list[tuple[int, str]]:
        """Numbers and ids of messages in the user's own sessions with all terms of `query`, newest first.

        `query` is plain text without any syntax. `member_id`: only in projects of this member.
        """
        wanted, prefix = terms.query_terms(query), term_prefix(user_number)
        if not wanted:
            return []
        values = {
            "terms": self._to_wanted([prefix + term for term in wanted]),
            "before": _NEWEST if before is None else before,
            "user_id": user_id,
            "project_id": project_id,
            "member_id": member_id,
            "limit": limit,
        }
        return [(row.number, row.message_id) for row in db.connection().execute(self._find, values)]


def add_to_totals(connection: Connection, project_id: str, chunks: int, length: int) -> tuple[int, int]:
    """Add chunks with `length` terms in total to their project's totals; returns its number and new chunk count."""
    values = {"project_id": project_id, "chunks": chunks, "terms": length}
    number, total = connection.execute(_COUNT_CHUNKS, values).one()
    return number, total


def subtract_from_totals(connection: Connection, project_id: str, chunks: int, length: int) -> None:
    """Subtract chunks with `length` terms in total from their project's totals."""
    connection.execute(_SUBTRACT_CHUNKS, {"project_id": project_id, "chunks": chunks, "terms": length})


def prefixed_terms(number: int, counted: terms.CountedTerms) -> Iterator[tuple[str, int]]:
    """The terms of a chunk, prefixed with its project's number, each with the index of its count in COUNTS."""
    prefix = term_prefix(number)
    for term, count in counted.counts.items():
        yield prefix + term, bisect_right(COUNTS, count) - 1


def term_prefix(number: int) -> str:
    """The prefix of a project's or user's terms. It ends with a letter, so that no prefix begins with another."""
    return f"{int(number)}x"
