"""The composition root: opens every long-lived object once, and closes it once, in order."""

import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Literal

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app import addresses, errors
from app.chat.calibrations import Calibrations
from app.database import engine, upgrade
from app.database.leases import RENEW_SECONDS, Owner
from app.services import first_start
from app.services.access import Services
from app.services.accounts import open_accounts
from app.services.authentication import RequestAuthentication
from app.services.authorization.watching import FollowerRegistry
from app.services.backend import Backend
from app.services.background import repeat, run_in_background
from app.services.chat import open_chat
from app.services.knowledge import open_knowledge
from app.services.model_providers import open_models
from app.settings import Settings
from app.signals import LocalSignal

log = logging.getLogger(__name__)

# How long running answers get when the server stops.
DRAIN_SECONDS = 5.0
_SWITCH_SECONDS = 0.0005

Role = Literal["serve", "ingest", "ask"]
"""What a process is there for: to do all work, to process documents too, or only to answer."""


@asynccontextmanager
async def open_services(settings: Settings, role: Role) -> AsyncGenerator[Services]:
    """The services that APIs call, over a backend of their own. Raises StartError."""
    async with open_backend(settings, role) as backend:
        yield Services(backend)


@asynccontextmanager
async def open_backend(settings: Settings, role: Role) -> AsyncGenerator[Backend]:
    """Open everything, and take up the work of the role that dead processes left behind.

    At the end running answers get a few seconds, and what they have become is written. Raises StartError.
    """
    # Threads that embed or wait for the database hand work to the event loop; at Python's default of 5 ms it would wait
    # that long for each of them whenever one is busy.
    sys.setswitchinterval(_SWITCH_SECONDS)
    async with AsyncExitStack() as stack:
        backend = await _build(settings, role, stack)
        await _start_background_work(backend, role, stack)
        stack.push_async_callback(backend.chat.turns.drain, DRAIN_SECONDS)
        yield backend


async def _build(settings: Settings, role: Role, stack: AsyncExitStack) -> Backend:
    models = open_models(settings)
    stack.push_async_callback(models.close)
    database = engine.open_database(settings.database_url or engine.DEFAULT_URL)
    stack.push_async_callback(database.close)
    await _upgrade(database)
    signal, process = LocalSignal(), Owner()
    knowledge = open_knowledge(settings, database, models, signal, process)
    stack.push_async_callback(knowledge.reranking.close)
    accounts = await stack.enter_async_context(open_accounts(settings, database))
    sample = role == "serve" and _wants_sample_project(settings)
    owner = await first_start.find_or_create_owner(database, sample_project=sample)
    chat = await open_chat(settings, database, models, knowledge, accounts, process)
    stack.push_async_callback(_save_calibrations, chat.calibrations)
    return Backend(
        settings=settings,
        database=database,
        signal=signal,
        models=models,
        knowledge=knowledge,
        chat=chat,
        accounts=accounts,
        owner=owner,
        authentication=RequestAuthentication(
            accounts.authentication, accounts.usage, owner, required=settings.signs_in
        ),
        followers=FollowerRegistry(database),
    )


def _wants_sample_project(settings: Settings) -> bool:
    """Whether the first start makes the sample project: only where whoever starts the server is alone with it."""
    return settings.sample_project and not settings.signs_in and addresses.is_loopback(settings.host)


async def _start_background_work(backend: Backend, role: Role, stack: AsyncExitStack) -> None:
    chat, tasks = backend.chat, backend.background_tasks
    await stack.enter_async_context(run_in_background(tasks, "journal", chat.answer_log.run()))
    if role != "ask":
        await _take_up(backend, role)
        await stack.enter_async_context(run_in_background(tasks, "ingestion", backend.knowledge.ingestion.run()))
    await stack.enter_async_context(run_in_background(tasks, "cancellations", chat.turns.watch()))
    await stack.enter_async_context(run_in_background(tasks, "access", backend.followers.run()))
    leases = repeat(RENEW_SECONDS, partial(_renew, backend, role))
    await stack.enter_async_context(run_in_background(tasks, "leases", leases))
    # Beside the leases: it may take longer than they last.
    tidying = [chat.log_compaction.run, backend.accounts.prune] if role == "serve" else []
    upkeep = repeat(RENEW_SECONDS, chat.calibrations.save, *tidying)
    await stack.enter_async_context(run_in_background(tasks, "upkeep", upkeep))


async def _upgrade(database: engine.Database) -> None:
    try:
        upgraded = await upgrade.upgrade(database)
    except DBAPIError as error:
        name = database.url.database
        raise errors.StartError(f"The database {name} (DATABASE_URL) cannot be used: {error.orig}.") from error
    if upgraded.backup is not None:
        log.info("database migrated from %s to %s, backup=%s", upgraded.before, upgraded.now, upgraded.backup)


async def _take_up(backend: Backend, role: Role) -> None:
    """Take up what dead processes have left: documents, and answers if this process serves."""
    answers = await backend.chat.turns.recover() if role == "serve" else 0  # crash guard: start.answers
    documents = await backend.knowledge.ingestion.queue.recover_abandoned()  # crash guard: start.documents
    if answers or documents:
        log.info("recovered after a stop: %d answers interrupted, %d documents queued again", answers, documents)


async def _renew(backend: Backend, role: Role) -> None:
    """Renew the leases of this process, then take up what others have left since."""
    await backend.chat.turns.renew()
    if role != "ask":
        await backend.knowledge.ingestion.queue.renew_leases()
        await _take_up(backend, role)


async def _save_calibrations(calibrations: Calibrations) -> None:
    """Save at the end what was learnt; if that fails, it is learnt again."""
    with suppress(errors.Unavailable, SQLAlchemyError):
        await calibrations.save()
