"""Set up everything that answers questions."""

from dataclasses import dataclass
from functools import partial

from app.chat.analytics.unstored_answers import UnstoredAnswers
from app.chat.answer_log.compaction import Compaction
from app.chat.answer_log.integrity import LogIntegrityChecker
from app.chat.answer_log.log import AnswerLog
from app.chat.branches.integrity import BranchIntegrityChecker
from app.chat.calibrations import Calibrations
from app.chat.feedback import Feedback
from app.chat.memories import Memories
from app.chat.message_search.search import MessageSearch
from app.chat.messages import Messages
from app.chat.previews import Previews
from app.chat.quote_erasure import QuoteErasure
from app.chat.retention import Retention
from app.chat.session_lists import SessionLists
from app.chat.sessions import Defaults, Sessions
from app.chat.turn_limits import RunningLimits
from app.chat.turn_store import TurnStore
from app.chat.turns import Turns
from app.database.leases import LeaseOwner
from app.database.protocol import Database
from app.events.outbox import Outbox
from app.notifier.protocol import Notifier
from app.observation.observer import Observer
from app.providers.registry import ModelRegistry
from app.rag.pass_through import PassThrough
from app.rag.pipeline import Pipeline
from app.services.accounts import Accounts
from app.services.knowledge import Knowledge
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Chat:
    """Chat sessions and their answers, and answers outside sessions."""

    pipeline: Pipeline
    pass_through: PassThrough
    unstored_answers: UnstoredAnswers
    sessions: Sessions
    session_lists: SessionLists
    message_search: MessageSearch
    messages: Messages
    memories: Memories
    feedback: Feedback
    quote_erasure: QuoteErasure
    retention: Retention
    previews: Previews
    turns: Turns
    answer_log: AnswerLog
    log_compaction: Compaction
    log_check: LogIntegrityChecker
    branch_check: BranchIntegrityChecker
    calibrations: Calibrations


async def open_chat(
    settings: Settings,
    database: Database,
    models: ModelRegistry,
    knowledge: Knowledge,
    accounts: Accounts,
    notifier: Notifier,
    outbox: Outbox,
    process: LeaseOwner,
    observer: Observer,
) -> Chat:
    """Everything about answers; `process` owns the leases of its answers."""
    calibrations = Calibrations(database)
    await calibrations.load()
    pipeline = _build_pipeline(settings, models, knowledge, calibrations, observer)
    sessions = Sessions(database, notifier, _build_defaults(settings), partial(models.find_problem, kind="CHAT"))
    memories = Memories(database, settings.memory_min_importance, settings.memory_max_age_days)
    answer_log, spend = AnswerLog(database, notifier, outbox, observer), partial(accounts.usage.record, "tokens")
    turn_store = TurnStore(database, sessions, memories, outbox, process, _build_running_limits(settings))
    turns = Turns(database, notifier, turn_store, pipeline, answer_log, outbox, process, spend)
    return Chat(
        pipeline=pipeline,
        pass_through=PassThrough(models, calibrations),
        unstored_answers=UnstoredAnswers(database, outbox),
        sessions=sessions,
        session_lists=SessionLists(database),
        message_search=MessageSearch(database, knowledge.messages),
        messages=Messages(database),
        memories=memories,
        feedback=Feedback(database, outbox),
        quote_erasure=QuoteErasure(database),
        retention=Retention(database, notifier),
        previews=Previews(database, sessions, memories, pipeline),
        turns=turns,
        answer_log=answer_log,
        log_compaction=Compaction(database),
        log_check=LogIntegrityChecker(database, answer_log),
        branch_check=BranchIntegrityChecker(database),
        calibrations=calibrations,
    )


def _build_pipeline(
    settings: Settings,
    models: ModelRegistry,
    knowledge: Knowledge,
    calibrations: Calibrations,
    observer: Observer,
) -> Pipeline:
    return Pipeline(
        knowledge.search,
        knowledge.reranking,
        models,
        calibrations,
        observer,
        rag_enabled=settings.answer_options.enable_rag,
        reformulation_seconds=settings.reformulation_seconds,
    )


def _build_running_limits(settings: Settings) -> RunningLimits:
    return RunningLimits(
        settings.max_running_answers_per_session,
        settings.max_running_answers_per_user,
        settings.max_running_answers,
    )


def _build_defaults(settings: Settings) -> Defaults:
    return Defaults(settings.answer_options, settings.max_context_tokens, settings.rag_max_context_chars)
