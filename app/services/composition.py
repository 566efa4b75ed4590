"""The composition root: settings in; every long-lived object out, opened once and closed once, in order."""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app import errors
from app.accounts.redis_client import Remote
from app.chat.answer_log.compaction import Compaction
from app.chat.answer_log.integrity import LogChecking
from app.chat.answer_log.journal import Journal
from app.chat.calibrations import Calibrations
from app.chat.memories import Memories
from app.chat.previews import Previews
from app.chat.sessions import Sessions
from app.chat.turn_store import RunningLimits
from app.chat.turns import Turns
from app.database import engine, upgrade
from app.database.leases import RENEW_SECONDS, Owner
from app.database.models import User
from app.knowledge.index.sqlite import SQLiteIndex
from app.knowledge.ingestion.embedding import DocumentEmbedder
from app.knowledge.ingestion.indexing import DocumentIndexer
from app.knowledge.ingestion.queue_limits import QueueLimits
from app.knowledge.ingestion.workers import IngestionWorkers
from app.knowledge.integrity import IntegrityChecker
from app.knowledge.library import Library
from app.knowledge.projects import Projects
from app.knowledge.search.hybrid import HybridSearch
from app.knowledge.search.reranking import PassageReranker
from app.knowledge.spaces import EmbeddingSpaces
from app.providers.registry import ModelRegistry, ProviderHealth
from app.rag.pass_through import PassThrough
from app.rag.pipeline import Pipeline
from app.services import first_start, from_settings
from app.services.accounts import Accounts, open_accounts
from app.services.authentication import Doorkeeper
from app.services.authorization import Allowed
from app.services.authorization.watching import Watching
from app.services.background import again_and_again, running
from app.settings import Settings
from app.signals import LocalSignal

log = logging.getLogger(__name__)

# How long running answers get when the server stops.
DRAIN_SECONDS = 5.0
# One project has at most two of them.
_PARSERS = 3
_SWITCH_SECONDS = 0.0005
_HEALTH_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the server and how it is: OK, DEGRADED or DOWN."""

    name: str
    status: str
    detail: str | None
    latency_ms: float | None


@dataclass(frozen=True, slots=True)
class Services:
    """What the doors call. Everything here lives as long as the server."""

    settings: Settings
    database: engine.Database
    signal: LocalSignal
    models: ModelRegistry
    projects: Projects
    library: Library
    ingestion: IngestionWorkers
    spaces: EmbeddingSpaces
    search: HybridSearch
    reranking: PassageReranker
    pipeline: Pipeline
    passing: PassThrough
    sessions: Sessions
    memories: Memories
    previews: Previews
    turns: Turns
    journal: Journal
    calibrations: Calibrations
    compaction: Compaction
    checking: IntegrityChecker
    log_checking: LogChecking
    owner: User
    accounts: Accounts
    doorkeeper: Doorkeeper
    watching: Watching
    work: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, "asyncio.Task[None]"])

    def allowed(self, user: User) -> Allowed:
        """What a user may do. Where nobody has to sign in, the owner of the server may do everything."""
        return Allowed(self, user, everything=not self.doorkeeper.required and user.id == self.owner.id)

    def operator(self) -> Allowed:
        """Everything, as the owner: for commands, whose users can read and write the database file itself."""
        return Allowed(self, self.owner, everything=True)

    async def health(self) -> list[Component]:
        """What every part says of itself when asked now."""
        own = [await self._database_health(), await self._work_health()]
        if self.accounts.remote is not None:
            own.append(await self._sign_ins_health(self.accounts.remote))
        return [*own, *map(_provider, await self.models.check_health())]

    async def _database_health(self) -> Component:
        start = time.perf_counter()
        try:
            async with asyncio.timeout(_HEALTH_SECONDS):
                await self.database.probe()
        except TimeoutError:
            return Component("database", "DEGRADED", "The database is busy writing.", None)
        except (errors.Unavailable, SQLAlchemyError) as error:
            return Component("database", "DOWN", str(error), None)
        return Component("database", "OK", None, (time.perf_counter() - start) * 1000)

    async def _sign_ins_health(self, remote: Remote) -> Component:
        """Without Redis nobody signs in, and who did is not known; who has an access token goes on."""
        start = time.perf_counter()
        try:
            await remote.ping()
        except errors.Unavailable as error:
            return Component("redis", "DEGRADED", error.message, None)
        return Component("redis", "OK", None, (time.perf_counter() - start) * 1000)

    async def _work_health(self) -> Component:
        """Whether the background work goes on; without it answers and documents wait for ever."""
        ended = [name for name, task in self.work.items() if task.done()]
        if ended:
            return Component(
                "work", "DOWN", f"Background work has ended: {', '.join(ended)}. Restart the server.", None
            )
        try:
            waiting = await self.ingestion.queue.count_queued()
        except (errors.Unavailable, SQLAlchemyError):
            return Component("work", "DEGRADED", "Waiting documents cannot be counted now.", None)
        if waiting and (reason := self.ingestion.queue.pauses.pause_reason()):
            return Component("work", "DEGRADED", f"{waiting} documents wait for their embedding model: {reason}", None)
        return Component("work", "OK", f"{waiting} documents wait." if waiting else None, None)


def worst(parts: Sequence[Component]) -> str:
    """The state of the whole: that of its worst part."""
    return next((state for state in ("DOWN", "DEGRADED") if any(part.status == state for part in parts)), "OK")


def _provider(reached: ProviderHealth) -> Component:
    """A provider that does not answer degrades the server: documents can still be read and searched by words."""
    waiting = f"{reached.waiting_requests} requests wait for their turn." if reached.waiting_requests else None
    status = "DEGRADED" if reached.problem else "OK"
    return Component(reached.provider, status, reached.problem or waiting, reached.latency_ms)


Role = Literal["serve", "ingest", "ask"]
"""What a process is there for: to do all work, to process documents too, or only to answer."""


@asynccontextmanager
async def open_services(settings: Settings, role: Role) -> AsyncGenerator[Services]:
    """Open everything, and take up the work of the role that dead processes left behind.

    At the end running answers get a few seconds, and what they have become is written. Raises StartError.
    """
    # Threads that embed or wait for the database hand work to the event loop; at Python's default of 5 ms it would wait
    # that long for each of them whenever one is busy.
    sys.setswitchinterval(_SWITCH_SECONDS)
    async with AsyncExitStack() as stack:
        providers = from_settings.providers(settings)
        named = [settings.chosen_chat_model, settings.embedding_model]
        registry = ModelRegistry(providers, named, from_settings.guards(settings, providers))
        stack.push_async_callback(registry.close)
        from_settings.check_models(settings, registry)
        database = engine.open_database(settings.database_url or engine.DEFAULT_URL)
        stack.push_async_callback(database.close)
        upgraded = await _upgraded(database)
        if upgraded.backup is not None:
            log.info("database migrated from %s to %s, backup=%s", upgraded.before, upgraded.now, upgraded.backup)
        signal = LocalSignal()
        index = SQLiteIndex()
        spaces = EmbeddingSpaces(database, index, registry, settings.embedding_model)
        library = Library(
            database,
            index,
            spaces,
            signal,
            max_bytes=settings.max_upload_bytes,
            queue_limits=QueueLimits(settings.max_queued_documents, settings.max_queued_documents_per_project),
        )
        search = HybridSearch(database, index, spaces, settings.embedding_model)
        reranking = PassageReranker(from_settings.reranker(settings))
        stack.push_async_callback(reranking.close)
        accounts = await stack.enter_async_context(open_accounts(settings, database))
        sample = role == "serve" and from_settings.wants_sample_project(settings)
        owner_user = await first_start.find_or_create_owner(database, sample_project=sample)
        calibrations = Calibrations(database)
        await calibrations.load()
        stack.push_async_callback(_saved, calibrations)
        pipeline = Pipeline(
            search,
            reranking,
            registry,
            calibrations,
            rag_enabled=settings.rag_enabled,
            reformulation_seconds=settings.reformulation_seconds,
        )
        sessions = Sessions(database, from_settings.defaults(settings), registry.find_problem)
        memories = Memories(database, settings.memory_min_importance, settings.memory_max_age_days)
        journal = Journal(database)
        owner = Owner()
        limits = RunningLimits(
            settings.max_running_answers_per_session,
            settings.max_running_answers_per_user,
            settings.max_running_answers,
        )
        usage = partial(accounts.usage.record, "tokens")
        turns = Turns(database, sessions, memories, pipeline, journal, owner, limits, usage)
        ingestion = IngestionWorkers(
            database,
            DocumentIndexer(database, index, library),
            DocumentEmbedder(database, spaces),
            library,
            signal,
            from_settings.splitter(settings, _PARSERS),
            owner,
            workers=_PARSERS,
        )
        services = Services(
            settings=settings,
            database=database,
            signal=signal,
            models=registry,
            projects=Projects(database, index, spaces, signal, registry.find_problem),
            library=library,
            ingestion=ingestion,
            spaces=spaces,
            search=search,
            reranking=reranking,
            pipeline=pipeline,
            passing=PassThrough(registry, calibrations),
            sessions=sessions,
            memories=memories,
            previews=Previews(database, sessions, memories, pipeline),
            turns=turns,
            journal=journal,
            calibrations=calibrations,
            compaction=Compaction(database),
            checking=IntegrityChecker(database, index, signal),
            log_checking=LogChecking(database, journal),
            owner=owner_user,
            accounts=accounts,
            doorkeeper=Doorkeeper(accounts.authentication, accounts.usage, owner_user, required=settings.signs_in),
            watching=Watching(database),
        )
        work = services.work
        await stack.enter_async_context(running(work, "journal", journal.run()))
        if role != "ask":
            await _take_up(services, role)
            await stack.enter_async_context(running(work, "ingestion", ingestion.run()))
        await stack.enter_async_context(running(work, "cancellations", turns.watch()))
        await stack.enter_async_context(running(work, "access", services.watching.run()))
        leases = again_and_again(RENEW_SECONDS, partial(_renew, services, role))
        await stack.enter_async_context(running(work, "leases", leases))
        # Beside the leases: it may take longer than they last.
        tidying = [services.compaction.run, services.accounts.prune] if role == "serve" else []
        upkeep = again_and_again(RENEW_SECONDS, calibrations.save, *tidying)
        await stack.enter_async_context(running(work, "upkeep", upkeep))
        stack.push_async_callback(turns.drain, DRAIN_SECONDS)
        yield services


async def _upgraded(database: engine.Database) -> upgrade.Upgraded:
    try:
        return await upgrade.upgrade(database)
    except DBAPIError as error:
        name = database.url.database
        raise errors.StartError(f"The database {name} (DATABASE_URL) cannot be used: {error.orig}.") from error


async def _take_up(services: Services, role: Role) -> None:
    answers = await services.turns.recover() if role == "serve" else 0  # crash guard: start.answers
    documents = await services.ingestion.queue.recover_abandoned()  # crash guard: start.documents
    if answers or documents:
        log.info("taken up after a stop: %d answers interrupted, %d documents queued again", answers, documents)


async def _renew(services: Services, role: Role) -> None:
    """Renew what is worked on here, then take up what others have left since."""
    await services.turns.renew()
    if role != "ask":
        await services.ingestion.queue.renew_leases()
        await _take_up(services, role)


async def _saved(calibrations: Calibrations) -> None:
    """At the end; nothing that was learnt is worth a failure."""
    with suppress(errors.Unavailable, SQLAlchemyError):
        await calibrations.save()
