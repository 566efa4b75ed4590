"""Set up everything that answers questions."""

from dataclasses import dataclass
from functools import partial

from app.answer_options import AnswerOptions
from app.chat.answer_log.compaction import Compaction
from app.chat.answer_log.integrity import LogIntegrityChecker
from app.chat.answer_log.journal import AnswerLog
from app.chat.calibrations import Calibrations
from app.chat.memories import Memories
from app.chat.previews import Previews
from app.chat.sessions import Defaults, Sessions
from app.chat.turn_store import RunningLimits
from app.chat.turns import Turns
from app.database.engine import Database
from app.database.leases import Owner
from app.providers.registry import ModelRegistry
from app.rag.pass_through import PassThrough
from app.rag.pipeline import Pipeline
from app.services.accounts import Accounts
from app.services.knowledge import Knowledge
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Chat:
    """Chat sessions, their answers, and answers outside of them."""

    pipeline: Pipeline
    pass_through: PassThrough
    sessions: Sessions
    memories: Memories
    previews: Previews
    turns: Turns
    answer_log: AnswerLog
    log_compaction: Compaction
    log_check: LogIntegrityChecker
    calibrations: Calibrations


async def open_chat(
    settings: Settings,
    database: Database,
    models: ModelRegistry,
    knowledge: Knowledge,
    accounts: Accounts,
    owner: Owner,
) -> Chat:
    """Everything about answers; `owner` is this process, for the answers it gives."""
    calibrations = Calibrations(database)
    await calibrations.load()
    pipeline = Pipeline(
        knowledge.search,
        knowledge.reranking,
        models,
        calibrations,
        rag_enabled=settings.rag_enabled,
        reformulation_seconds=settings.reformulation_seconds,
    )
    sessions = Sessions(database, _defaults(settings), models.find_problem)
    memories = Memories(database, settings.memory_min_importance, settings.memory_max_age_days)
    answer_log = AnswerLog(database)
    record_tokens = partial(accounts.usage.record, "tokens")
    return Chat(
        pipeline=pipeline,
        pass_through=PassThrough(models, calibrations),
        sessions=sessions,
        memories=memories,
        previews=Previews(database, sessions, memories, pipeline),
        turns=Turns(
            database, sessions, memories, pipeline, answer_log, owner, _running_limits(settings), record_tokens
        ),
        answer_log=answer_log,
        log_compaction=Compaction(database),
        log_check=LogIntegrityChecker(database, answer_log),
        calibrations=calibrations,
    )


def _running_limits(settings: Settings) -> RunningLimits:
    return RunningLimits(
        settings.max_running_answers_per_session,
        settings.max_running_answers_per_user,
        settings.max_running_answers,
    )


def _defaults(settings: Settings) -> Defaults:
    """The options of an answer where no project, session or question says anything."""
    options = AnswerOptions(
        model=settings.chosen_chat_model,
        enable_rag=settings.rag_enabled,
        rag_top_k=settings.rag_top_k,
        rag_threshold=settings.rag_threshold,
        include_citations=settings.include_citations,
        grounding=settings.grounding,
        context_token_ratio=settings.rag_context_token_fill_ratio,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
        reformulate=settings.enable_query_reformulation,
        search_mode=settings.search_mode,
        citation_style=settings.citation_style,
        context_placement=settings.context_placement,
    )
    return Defaults(options, settings.max_context_tokens, settings.rag_max_context_chars)
