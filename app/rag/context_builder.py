"""Build the context of an answer: select passages, allocate the window, write the prompt."""

import asyncio
import secrets
import string
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.answer_options import AnswerOptions
from app.knowledge.search import hybrid, reranking
from app.providers import base, tokens
from app.rag import events, retrieval
from app.rag.context import exact_count, injection, packing, selection
from app.rag.context.ledger import BudgetLedger
from app.rag.conversation import Conversation
from app.rag.request import AnswerRequest
from app.statuses import BudgetSegmentKind, Decision, NoticeCode

Rerank = Callable[[Sequence[hybrid.Passage]], Awaitable[reranking.RankedPassages]]
"""Puts passages in the reranker's order, if there is one."""


@dataclass(frozen=True, slots=True)
class SelectedPassages:
    """The candidates for the prompt, the threshold that they passed, and a notice if the reranker failed."""

    selection: selection.Selection
    threshold: float
    notices: tuple[events.AnswerNotice, ...]


@dataclass(frozen=True, slots=True)
class BuiltContext:
    """The prompt as it will be sent, and the notices about it."""

    packed: packing.PackedPrompt
    notices: tuple[events.AnswerNotice, ...]


class ContextBuilder:
    """Turns found passages and a conversation into a prompt; keeps no state between prompts."""

    def __init__(self, reranker: reranking.PassageReranker) -> None:
        self._reranker = reranker

    async def select_passages(
        self, request: AnswerRequest, search_query: str, found: hybrid.SearchResult
    ) -> SelectedPassages:
        """Select the candidates for the prompt among the found passages."""

        async def rerank(passages: Sequence[hybrid.Passage]) -> reranking.RankedPassages:
            return await self._reranker.rerank_passages(search_query, passages, local_only=request.local_only)

        return await select_passages(found, request.options, rerank)

    async def build_prompt(
        self,
        request: AnswerRequest,
        conversation: Conversation,
        selected: selection.Selection,
        model: base.LanguageModel,
        counter: tokens.EstimatedCounter,
    ) -> BuiltContext:
        """Pack what fits the model's window. Raises ContextTooLong if the parts that cannot shrink do not fit."""
        packer = packing.PromptPacker(
            conversation,
            selected,
            request.options,
            window=await model.context_window(),
            delimiter=_random_delimiter(),
            memories=request.memories,
        )
        packed = await exact_count.pack_by_exact_count(packer, model, counter, request.messages)
        notices = _budget_notices(packed.ledger)
        # In a thread: the OpenAI API may send hundreds of passages.
        in_sources = await asyncio.to_thread(injection.instruction_notices, packed.sources)
        return BuiltContext(packed, (*notices, *in_sources))


async def select_passages(found: hybrid.SearchResult, options: AnswerOptions, rerank: Rerank) -> SelectedPassages:
    """The best passages: deduplicated, above the threshold, reranked, at most `rag_top_k`."""
    threshold = found.threshold if options.rag_threshold is None else options.rag_threshold
    relevant = selection.filter_relevant(found.passages, threshold=threshold)
    ranked = await rerank(relevant.candidates)
    selected = selection.take_top_k(ranked.passages, relevant.left_out, top_k=options.rag_top_k)
    return SelectedPassages(selected, threshold, tuple(retrieval.reranking_notices(ranked)))


def _random_delimiter() -> str:
    """A word that no passage can guess, so none can end itself. Letters only, for the same token count every time."""
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(10))


def _budget_notices(ledger: BudgetLedger) -> list[events.AnswerNotice]:
    """What was left out or reduced to fit the window."""
    notices: list[events.AnswerNotice] = []
    segments = {segment.kind: segment for segment in ledger.segments}
    if dropped := segments[BudgetSegmentKind.HISTORY].items_dropped:
        turns = "turn was" if dropped == 1 else "turns were"
        notices.append(
            events.AnswerNotice(NoticeCode.HISTORY_SHORTENED, f"{dropped} earlier {turns} left out to fit the window.")
        )
    if ledger.requested_max_tokens is not None and ledger.adjusted_max_tokens < ledger.requested_max_tokens:
        requested, left = ledger.requested_max_tokens, ledger.adjusted_max_tokens
        message = f"{requested:,} tokens were requested for the answer, {left:,} are left."
        notices.append(events.AnswerNotice(NoticeCode.MAX_TOKENS_REDUCED, message))
    if over := ledger.over_characters:
        passages = "1 passage was" if over == 1 else f"{over} passages were"
        message = f"{passages} left out or cut to stay within RAG_MAX_CONTEXT_CHARS."
        return [*notices, events.AnswerNotice(NoticeCode.CONTEXT_SHORTENED, message)]
    context = segments[BudgetSegmentKind.CONTEXT]
    shortened = any(candidate.decision is Decision.SHORTENED for candidate in ledger.candidates)
    if shortened or (context.items_dropped and not context.items_kept):
        message = "No whole passage fits the window; the context was shortened."
        notices.append(events.AnswerNotice(NoticeCode.CONTEXT_SHORTENED, message))
    return notices
