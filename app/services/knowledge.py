"""Set up everything that stores, parses and searches documents."""

from dataclasses import dataclass
from functools import partial

import anyio

from app.database.leases import LeaseOwner
from app.database.protocol import Database
from app.events.outbox import Outbox
from app.knowledge.index.opening import open_index, open_message_index
from app.knowledge.index.postings_cache import PostingsCache
from app.knowledge.index.protocol import Index
from app.knowledge.index.scored_texts import MessageIndex
from app.knowledge.index.vector_cache import VectorCache
from app.knowledge.ingestion.embedding import DocumentEmbedder
from app.knowledge.ingestion.indexing import DocumentIndexer
from app.knowledge.ingestion.queue import IngestionQueue
from app.knowledge.ingestion.queue_limits import QueueLimits
from app.knowledge.ingestion.relevance_meter import RelevanceMeter
from app.knowledge.ingestion.space_builder import SpaceBuilder
from app.knowledge.ingestion.space_builds import SpaceBuilds
from app.knowledge.ingestion.space_requests import SpaceRequests
from app.knowledge.ingestion.workers import IngestionWorkers
from app.knowledge.integrity import IntegrityChecker
from app.knowledge.library import Library
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.pdf_pages import PdfPages
from app.knowledge.parsing.processor_time import max_elapsed_seconds
from app.knowledge.parsing.splitter import Splitter
from app.knowledge.projects.deletion import ProjectDeletion
from app.knowledge.projects.projects import Projects
from app.knowledge.search.hybrid import HybridSearch
from app.knowledge.search.reranking import PassageReranker
from app.knowledge.spaces import EmbeddingSpaces
from app.knowledge.storage_limits import StorageLimits
from app.notifier.protocol import Notifier
from app.observation.observer import Observer
from app.observation.tracing import Tracer
from app.providers.registry import ModelRegistry
from app.services.model_providers import open_reranking
from app.settings import Settings

# A project uses at most two of these. Server processes that share an address share them.
_PARSERS = 3
# Memory for the postings of recently searched terms: five million, each of which is a chunk that has a term.
_POSTINGS_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Projects, their documents, and search."""

    projects: Projects
    project_deletion: ProjectDeletion
    library: Library
    storage_limits: StorageLimits
    ingestion: IngestionWorkers
    relevance: RelevanceMeter
    spaces: EmbeddingSpaces
    space_requests: SpaceRequests
    space_builder: SpaceBuilder
    search: HybridSearch
    reranking: PassageReranker
    check: IntegrityChecker
    index: Index
    messages: MessageIndex
    pdf_pages: PdfPages


def open_knowledge(
    settings: Settings,
    database: Database,
    models: ModelRegistry,
    notifier: Notifier,
    outbox: Outbox,
    process: LeaseOwner,
    observer: Observer,
    tracer: Tracer | None,
) -> Knowledge:
    """Everything about documents; `process` owns the leases of its documents."""
    index = _open_index(settings, database)
    spaces = EmbeddingSpaces(database, index, models, settings.embedding_model)
    storage = StorageLimits(settings.max_stored_bytes_per_user or None)
    library = _open_library(settings, database, index, spaces, notifier, outbox, storage)
    indexing, embedding = DocumentIndexer(database, index, library, storage, outbox), DocumentEmbedder(database, spaces)
    relevance = RelevanceMeter(database, index, spaces)
    parsers = max(1, _PARSERS // settings.workers)
    splitter = _create_splitter(settings, parsers)
    queue = IngestionQueue(database, notifier, process, parsers)
    ingestion = IngestionWorkers(queue, indexing, embedding, relevance, library, notifier, splitter, observer, tracer)
    return Knowledge(
        projects=Projects(database, notifier, partial(models.find_problem, kind="CHAT")),
        project_deletion=ProjectDeletion(database, index, spaces, notifier, outbox),
        library=library,
        storage_limits=storage,
        ingestion=ingestion,
        relevance=relevance,
        spaces=spaces,
        space_requests=SpaceRequests(database, index, spaces, models, notifier),
        space_builder=SpaceBuilder(SpaceBuilds(database, index, process), spaces, relevance, notifier),
        search=HybridSearch(database, index, spaces, cache_seconds=settings.search_cache_seconds),
        reranking=open_reranking(settings, observer),
        check=IntegrityChecker(database, index, notifier),
        index=index,
        messages=open_message_index(database.dialect),
        pdf_pages=PdfPages(library, splitter.limits),
    )


def _open_library(
    settings: Settings,
    database: Database,
    index: Index,
    spaces: EmbeddingSpaces,
    notifier: Notifier,
    outbox: Outbox,
    storage: StorageLimits,
) -> Library:
    return Library(
        database,
        index,
        spaces,
        notifier,
        outbox,
        max_bytes=settings.max_upload_bytes,
        queue_limits=QueueLimits(settings.max_queued_documents, settings.max_queued_documents_per_project),
        storage_limits=storage,
    )


def _open_index(settings: Settings, database: Database) -> Index:
    postings, vectors = PostingsCache(_POSTINGS_BYTES), VectorCache(settings.vector_memory_mb * 1_000_000)
    return open_index(database.dialect, postings, vectors, settings.vector_index_min_passages)


def _create_splitter(settings: Settings, workers: int) -> Splitter:
    seconds = settings.parse_seconds
    limits = ParsingLimits(
        seconds=seconds,
        elapsed_seconds=max_elapsed_seconds(seconds),
        memory_bytes=settings.parse_memory_bytes,
    )
    return Splitter(limits, anyio.CapacityLimiter(workers))
