"""The composition root: opens every long-lived object once, and closes it once, in order."""

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Literal

from sqlalchemy.exc import SQLAlchemyError

from app import addresses, errors
from app.chat.calibrations import Calibrations
from app.database import opening, upgrade
from app.database.leases import RENEW_SECONDS, LeaseOwner
from app.database.protocol import Database
from app.notifier.opening import open_notifier
from app.observation.log_observer import LogObserver
from app.observation.metrics import Metrics
from app.observation.observer import GuardedObservers, Observer
from app.services import first_start
from app.services.access import Services
from app.services.accounts import open_accounts
from app.services.authentication import RequestAuthentication
from app.services.authorization.followers import FollowerRegistry
from app.services.authorization.project_changes import ProjectChangesReader
from app.services.backend import Backend
from app.services.background import repeat_steps, run_in_background
from app.services.chat import open_chat
from app.services.health import OwnHealthCheck
from app.services.knowledge import open_knowledge
from app.services.metrics import OtherProcesses
from app.services.model_providers import open_models
from app.services.outgoing.events import open_events
from app.services.tracing import open_tracer
from app.settings import Settings

log = logging.getLogger(__name__)

# How long running answers may take to finish when the server stops.
DRAIN_SECONDS = 5.0
# How long all work may take to end, running answers included. Those who stop a server in `deploy/` and
# `compose.yaml` wait for 20 s, and a supervisor of several workers for 15 s.
_END_SECONDS = DRAIN_SECONDS + 4
_SWITCH_SECONDS = 0.0005
# How often to check whether a project has grown so large that a graph speeds up its search.
_GRAPHS_SECONDS = 30.0

ProcessRole = Literal["serve", "ingest", "ask"]
"""The work that a process does: all of it, or documents and answers but no upkeep, or only answers."""


@asynccontextmanager
async def open_services(
    settings: Settings, role: ProcessRole, observer: Observer | None = None, others: OtherProcesses | None = None
) -> AsyncGenerator[Services]:
    """The services that APIs call, over a backend of their own. Raises StartError.

    `others` are the processes that share the server's address, if there are any.
    """
    async with open_backend(settings, role, observer) as backend:
        own_health = OwnHealthCheck(backend)
        try:
            yield Services(backend, others, own_health)
        finally:
            await own_health.close()


@asynccontextmanager
async def open_backend(
    settings: Settings, role: ProcessRole, observer: Observer | None = None
) -> AsyncGenerator[Backend]:
    """Open everything, and recover work that dead processes left behind, if it belongs to the role.

    At the end, running answers get a few seconds to finish, then their state is written. What then still waits for a
    database server that hangs is cut off. Without `observer`, records go to the log. Raises StartError.
    """
    # Threads for embedding and the database pass work to the event loop. At Python's default of 5 ms, the loop would
    # wait that long for each busy thread.
    sys.setswitchinterval(_SWITCH_SECONDS)
    end_limit = _EndLimit()
    async with AsyncExitStack() as stack:
        stack.callback(end_limit.stop)
        metrics = Metrics() if role != "ask" and settings.metrics else None
        observers = [observer or LogObserver(requests=settings.access_log), *([metrics] if metrics else [])]
        backend = await _build(settings, role, GuardedObservers(*observers), metrics, stack)
        await _start_background_work(backend, role, stack)
        stack.push_async_callback(backend.chat.unstored_answers.drain)
        stack.push_async_callback(backend.chat.turns.tasks.drain, DRAIN_SECONDS)
        stack.callback(end_limit.start, backend.database)
        yield backend


class _EndLimit:
    """Limits how long all work may take to end, even if the database hangs."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def start(self, database: Database) -> None:
        """Start the time limit."""
        self._timer = asyncio.get_running_loop().call_later(_END_SECONDS, database.cut_off)

    def stop(self) -> None:
        """Stop it: all work has ended."""
        if self._timer is not None:
            self._timer.cancel()


async def _build(
    settings: Settings, role: ProcessRole, observer: Observer, metrics: Metrics | None, stack: AsyncExitStack
) -> Backend:
    tracer = await stack.enter_async_context(open_tracer(settings))
    models = open_models(settings, observer)
    stack.push_async_callback(models.close)
    database = opening.open_database(settings.database_url)
    stack.push_async_callback(database.close)
    upgraded = await upgrade.upgrade_database(database)
    if upgraded.backup is not None:
        log.info("database migrated from %s to %s, backup=%s", upgraded.before, upgraded.now, upgraded.backup)
    # Closed just before the database, so that the last writes are notified too.
    notifier = await stack.enter_async_context(open_notifier(database.location))
    process = LeaseOwner()
    events = open_events(settings, database, notifier, process, observer)
    knowledge = open_knowledge(settings, database, models, notifier, events.outbox, process, observer, tracer)
    stack.push_async_callback(knowledge.reranking.close)
    accounts = await stack.enter_async_context(open_accounts(settings, database, notifier))
    owner = await first_start.find_or_create_owner(database, sample_project=_wants_sample_project(settings, role))
    chat = await open_chat(settings, database, models, knowledge, accounts, notifier, events.outbox, process, observer)
    stack.push_async_callback(_save_calibrations, chat.calibrations)
    return Backend(
        settings=settings,
        database=database,
        notifier=notifier,
        events=events,
        models=models,
        knowledge=knowledge,
        chat=chat,
        accounts=accounts,
        owner=owner,
        authentication=RequestAuthentication(
            accounts.authentication, accounts.links, accounts.usage, owner, required=settings.signs_in
        ),
        followers=FollowerRegistry(database, notifier, accounts.credential_cache.forget_all),
        project_changes=ProjectChangesReader(database),
        observer=observer,
        metrics=metrics,
        tracer=tracer,
    )


def _wants_sample_project(settings: Settings, role: ProcessRole) -> bool:
    """Whether the first start creates the sample project: only if no one else can reach the server."""
    is_private = not settings.signs_in and addresses.is_loopback(settings.host)
    return role == "serve" and settings.sample_project and is_private


async def _start_background_work(backend: Backend, role: ProcessRole, stack: AsyncExitStack) -> None:
    chat, work = backend.chat, backend.background_work
    await stack.enter_async_context(run_in_background(work, "journal", chat.answer_log.write_groups))
    if role != "ask":
        await _recover_abandoned(backend, role)
    if role == "ingest" or (role == "serve" and backend.settings.process_documents):
        await stack.enter_async_context(run_in_background(work, "ingestion", backend.knowledge.ingestion.run))
        await stack.enter_async_context(run_in_background(work, "spaces", backend.knowledge.space_builder.run))
        graphs = partial(backend.knowledge.index.vectors.update_graphs, backend.database)
        await stack.enter_async_context(
            run_in_background(work, "vector indexes", partial(repeat_steps, _GRAPHS_SECONDS, graphs))
        )
    await stack.enter_async_context(run_in_background(work, "cancellations", chat.turns.tasks.stop_ended_answers))
    await stack.enter_async_context(run_in_background(work, "access", backend.followers.run))
    leases = partial(repeat_steps, RENEW_SECONDS, partial(_renew_leases, backend, role))
    await stack.enter_async_context(run_in_background(work, "leases", leases))
    if role == "serve":
        await stack.enter_async_context(run_in_background(work, "retention", chat.retention.run))
        if backend.events.relay.publishers:
            await stack.enter_async_context(run_in_background(work, "events", backend.events.relay.run))
    # Not together with the leases: upkeep may take longer than they last.
    saving = partial(repeat_steps, RENEW_SECONDS, chat.calibrations.save)
    await stack.enter_async_context(run_in_background(work, "calibrations", saving))
    if role == "serve":
        # Done by one process for all that share the database.
        tidying = partial(
            repeat_steps,
            RENEW_SECONDS,
            chat.log_compaction.compact_old_logs,
            chat.message_search.index_waiting,
            backend.accounts.prune,
            backend.events.upkeep.delete_old_events,
            backend.knowledge.project_deletion.finish_deletions,
            allowed=backend.database.hold_upkeep,
        )
        await stack.enter_async_context(run_in_background(work, "upkeep", tidying))


async def _recover_abandoned(backend: Backend, role: ProcessRole) -> None:
    """Recover what dead processes left behind: documents, and answers if this process serves."""
    answers = await backend.chat.turns.interrupt_abandoned() if role == "serve" else 0  # crash guard: start.answers
    documents = await backend.knowledge.ingestion.queue.recover_abandoned()  # crash guard: start.documents
    if answers or documents:
        log.info("recovered after a stop: %d answers interrupted, %d documents queued again", answers, documents)


async def _renew_leases(backend: Backend, role: ProcessRole) -> None:
    """Renew the leases of this process, then recover what others have left behind since."""
    backend.notifier.ensure_reachable()
    await backend.chat.turns.renew_leases()
    if role != "ask":
        await backend.knowledge.ingestion.queue.renew_leases()
        await backend.knowledge.space_builder.builds.renew_leases()
        await _recover_abandoned(backend, role)


async def _save_calibrations(calibrations: Calibrations) -> None:
    """Save the calibrations at the end. If that fails, they are learned again."""
    with suppress(errors.Unavailable, SQLAlchemyError):
        await calibrations.save()
