"""Statistics of a project: its documents, questions, ratings of answers, and search caches."""

import strawberry

from app.chat.messages import QuestionTotals
from app.knowledge.library import DocumentTotals
from app.knowledge.search.search_cache import CacheUse


@strawberry.type(
    name="ProjectStats",
    description="Statistics about a project: its documents, questions, ratings and repeated searches.",
)
class ProjectStatsType:
    document_count: int = strawberry.field(description="Number of documents.")
    chunk_count: int = strawberry.field(description="Number of chunks that can be searched.")
    bytes: float = strawberry.field(description="Size of the documents, as they were added.")
    stored_bytes: float = strawberry.field(
        description="Bytes that count toward the limit of the project's first owner (`maxStoredBytes`): the documents "
        "as they were added, and one byte per character of their chunks."
    )
    outdated_document_count: int = strawberry.field(
        description="Number of documents that were read by an earlier version of the parsers. They can be searched; "
        "`rereadDocuments` reads them again."
    )
    question_count: int = strawberry.field(
        description="Number of questions that all users asked in the project's chat sessions; edited versions count "
        "separately."
    )
    average_similarity: float | None = strawberry.field(
        description="Mean cosine similarity of questions and the passages selected for their answers, between -1 and "
        "1. Null before the first such answer. Answers that version 0.1 generated do not count."
    )
    helpful_rate: float | None = strawberry.field(
        description="Fraction of ratings that say that the answer helped. Null before the first rating."
    )
    cache_hit_rate: float | None = strawberry.field(
        description="Fraction of searches, since this server started, whose results it still had in its cache. Null "
        "before the first search."
    )
    vector_cache_hit_rate: float | None = strawberry.field(
        description="Fraction of the other searches, since this server started, for which it still had the vector of "
        "the question in its cache. Null before the first such search, and for models that are faster than the cache, "
        "such as `embedded/wordllama`."
    )

    @classmethod
    def from_model(
        cls,
        documents: DocumentTotals,
        stored_bytes: int,
        questions: QuestionTotals,
        helpful_rate: float | None,
        results: CacheUse,
        vectors: CacheUse,
    ) -> "ProjectStatsType":
        """`results` and `vectors` are the uses of the caches of searches."""
        return cls(
            document_count=documents.documents,
            chunk_count=documents.chunks,
            bytes=float(documents.bytes),
            stored_bytes=float(stored_bytes),
            outdated_document_count=documents.outdated,
            question_count=questions.questions,
            average_similarity=questions.similarity,
            helpful_rate=helpful_rate,
            cache_hit_rate=results.hit_rate,
            vector_cache_hit_rate=vectors.hit_rate,
        )
