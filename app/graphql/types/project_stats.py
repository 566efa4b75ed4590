"""What a project holds and is asked, how its answers are rated, and how often its searches are repeated."""

import strawberry

from app.chat.messages import QuestionTotals
from app.knowledge.library import DocumentTotals
from app.knowledge.search.search_cache import CacheUse


@strawberry.type(
    name="ProjectStats",
    description="What a project holds, what it is asked, how answers are rated, and how often its searches are "
    "repeated.",
)
class ProjectStatsType:
    document_count: int = strawberry.field(description="Number of documents.")
    chunk_count: int = strawberry.field(description="Number of chunks that can be searched.")
    bytes: float = strawberry.field(description="Size of the documents, as they were added.")
    stored_bytes: float = strawberry.field(
        description="What counts against the limit of its first owner (`maxStoredBytes`): the documents as they were "
        "added, and a byte per character of their chunks."
    )
    outdated_document_count: int = strawberry.field(
        description="Number of documents that were read by an earlier version of the parsers. They can be searched; "
        "`rereadDocuments` reads them again."
    )
    question_count: int = strawberry.field(
        description="Number of questions in its chat sessions, by anybody; edited ones count again."
    )
    average_similarity: float | None = strawberry.field(
        description="Mean cosine similarity of questions and the passages that were selected for their answers, in "
        "[-1, 1]. Null before the first such answer; answers of version 0.1 are left out."
    )
    helpful_rate: float | None = strawberry.field(
        description="Fraction of the ratings of answers that say that they helped. Null before the first rating."
    )
    cache_hit_rate: float | None = strawberry.field(
        description="Fraction of the searches whose result this server still had, since it started. Null before the "
        "first search."
    )
    vector_cache_hit_rate: float | None = strawberry.field(
        description="Fraction of the other searches for which this server still had the vectors of the question, since "
        "it started. Null before the first such search, and for models that are faster than the cache, such as "
        "`embedded/wordllama`."
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
        """`results` and `vectors`: how often searches found them again."""
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
