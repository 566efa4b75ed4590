"""Open the indexes of a database."""

from typing import Literal

from app.knowledge.index.postgres import messages as postgres_messages
from app.knowledge.index.postgres.texts import PostgresTextIndex
from app.knowledge.index.postgres.vectors import PostgresVectorIndex
from app.knowledge.index.postings_cache import PostingsCache
from app.knowledge.index.protocol import Index
from app.knowledge.index.scored_texts import MessageIndex
from app.knowledge.index.sqlite import messages as sqlite_messages
from app.knowledge.index.sqlite.texts import SQLiteTextIndex
from app.knowledge.index.sqlite.vectors import SQLiteVectorIndex
from app.knowledge.index.vector_cache import VectorCache

Dialect = Literal["sqlite", "postgresql"]


def open_index(
    dialect: Dialect,
    postings: PostingsCache | None = None,
    vectors: VectorCache | None = None,
    min_graph_chunks: int = 0,
) -> Index:
    """The indexes of chunks; without caches, nothing is kept in memory.

    `min_graph_chunks`: from how many chunks on a project gets approximate search, if the database has it; 0: never.
    """
    if dialect == "postgresql":
        return Index(PostgresTextIndex(postings), PostgresVectorIndex(vectors, min_graph_chunks))
    return Index(SQLiteTextIndex(postings), SQLiteVectorIndex(vectors))


def open_message_index(dialect: Dialect) -> MessageIndex:
    """The index of messages."""
    messages = postgres_messages if dialect == "postgresql" else sqlite_messages
    return messages.open_message_index()
