"""Set up everything that keeps, reads and searches documents."""

from dataclasses import dataclass

import anyio

from app.database.engine import Database
from app.database.leases import Owner
from app.knowledge import parsing
from app.knowledge.index.sqlite import SQLiteIndex
from app.knowledge.ingestion.embedding import DocumentEmbedder
from app.knowledge.ingestion.indexing import DocumentIndexer
from app.knowledge.ingestion.queue_limits import QueueLimits
from app.knowledge.ingestion.workers import IngestionWorkers, SplitFile
from app.knowledge.integrity import IntegrityChecker
from app.knowledge.library import Library
from app.knowledge.parsed import SplitDocument
from app.knowledge.projects import Projects
from app.knowledge.search.hybrid import HybridSearch
from app.knowledge.search.reranking import PassageReranker
from app.knowledge.spaces import EmbeddingSpaces
from app.providers.registry import ModelRegistry
from app.services.model_providers import open_reranking
from app.settings import Settings
from app.signals import Signal

# Of these a project has at most two.
_PARSERS = 3


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Projects, their documents, and the search of them."""

    projects: Projects
    library: Library
    ingestion: IngestionWorkers
    spaces: EmbeddingSpaces
    search: HybridSearch
    reranking: PassageReranker
    check: IntegrityChecker


def open_knowledge(
    settings: Settings, database: Database, models: ModelRegistry, signal: Signal, owner: Owner
) -> Knowledge:
    """Everything about documents; `owner` is this process, for the documents it works on."""
    index = SQLiteIndex()
    spaces = EmbeddingSpaces(database, index, models, settings.embedding_model)
    limits = QueueLimits(settings.max_queued_documents, settings.max_queued_documents_per_project)
    library = Library(database, index, spaces, signal, max_bytes=settings.max_upload_bytes, queue_limits=limits)
    indexing, embedding = DocumentIndexer(database, index, library), DocumentEmbedder(database, spaces)
    split = _splitter(settings, _PARSERS)
    return Knowledge(
        projects=Projects(database, index, spaces, signal, models.find_problem),
        library=library,
        ingestion=IngestionWorkers(database, indexing, embedding, library, signal, split, owner, workers=_PARSERS),
        spaces=spaces,
        search=HybridSearch(database, index, spaces, settings.embedding_model),
        reranking=open_reranking(settings),
        check=IntegrityChecker(database, index, signal),
    )


def _splitter(settings: Settings, workers: int) -> SplitFile:
    """Reads and splits documents in processes of their own, `workers` at once."""
    limits = parsing.ParsingLimits(seconds=settings.parse_seconds, memory_bytes=settings.parse_memory_bytes)
    capacity = anyio.CapacityLimiter(workers)

    async def split(data: bytes, name: str | None, media_type: str) -> SplitDocument:
        return await parsing.split_safely(data, name=name, media_type=media_type, limits=limits, limiter=capacity)

    return split
