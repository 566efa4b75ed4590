"""Build the context of an answer: select passages, allocate the window, write the prompt."""

import asyncio
import hmac
import secrets
import string
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from app import language
from app.answer_options import AnswerOptions
from app.knowledge.search import hybrid, reranking
from app.knowledge.search.passages import Passage
from app.knowledge.search.question import find_question
from app.language import typing_errors
from app.providers import base, tokens
from app.rag import events, retrieval
from app.rag.citations import escaping
from app.rag.citations.citation_types import CitableSource
from app.rag.context import exact_count, injection, packing, selection
from app.rag.context.ledger import BudgetLedger
from app.rag.conversation import Conversation
from app.rag.judgement import answerability as answerabilities
from app.rag.request import AnswerRequest
from app.statuses import BudgetSegmentKind, Decision, NoticeCode

Result = TypeVar("Result")
Rerank = Callable[[Sequence[Passage]], Awaitable[reranking.RankedPassages]]
"""Puts passages in the reranker's order, if there is one."""

_DELIMITER_LETTERS = 10
# Prompts of longer conversations are built in separate threads, at most this many at once.
_LONG_CHARACTERS, _LONG_AT_ONCE = 20_000, 2


@dataclass(frozen=True, slots=True)
class SelectedPassages:
    """The candidates for the prompt, the threshold that they passed, and a notice if the reranker failed."""

    selection: selection.Selection
    threshold: float
    notices: tuple[events.AnswerNotice, ...]


@dataclass(frozen=True, slots=True)
class BuiltContext:
    """The prompt as it will be sent, the probability that it contains the answer, and the notices about it.

    `answerability` None: there are no passages.
    """

    packed: packing.PackedPrompt
    answerability: float | None
    notices: tuple[events.AnswerNotice, ...]


class ContextBuilder:
    """Turns found passages and a conversation into a prompt; keeps no state between prompts but a secret."""

    def __init__(self, reranker: reranking.PassageReranker) -> None:
        self._reranker = reranker
        self._secret = secrets.token_bytes(32)
        self._running_long = CapacityLimiter(_LONG_AT_ONCE)

    async def select_passages(
        self, request: AnswerRequest, search_query: str, found: hybrid.SearchResult
    ) -> SelectedPassages:
        """Select the candidates for the prompt among the found passages."""

        async def rerank(passages: Sequence[Passage]) -> reranking.RankedPassages:
            return await self._reranker.rerank_passages(search_query, passages, local_only=request.local_only)

        return await select_passages(found, request.options, rerank if self._reranker.is_available else None)

    def _delimiter(self, session_id: str | None) -> str:
        """A word that no passage can guess, so none can end itself.

        It is the same in all turns of a session, so that a server can reuse what it has read of the prompt. Letters
        only, for the same token count every time.
        """
        session = session_id.encode() if session_id else secrets.token_bytes(32)
        digest = hmac.digest(self._secret, session, "sha256")
        return "".join(string.ascii_lowercase[byte % 26] for byte in digest[:_DELIMITER_LETTERS])

    async def build_prompt(
        self,
        request: AnswerRequest,
        conversation: Conversation,
        selected: selection.Selection,
        model: base.LanguageModel,
        counter: tokens.TokenCounter,
        search_query: str | None,
    ) -> BuiltContext:
        """Pack what fits the model's window. Raises ContextTooLong if the parts that cannot shrink do not fit."""
        packer = packing.PromptPacker(
            conversation,
            selected,
            request.options,
            window=await model.context_window(),
            parameters=model.parameters,
            delimiter=self._delimiter(request.session_id),
            memories=request.memories,
        )
        is_long = sum(len(message.content) for message in request.messages) > _LONG_CHARACTERS

        async def pack(counter: tokens.TokenCounter) -> packing.PackedPrompt:
            return await self._run_long(partial(packer.pack, counter)) if is_long else packer.pack(counter)

        packed = await exact_count.pack_by_exact_count(pack, model, counter, request.messages)
        notices = _budget_notices(packed.ledger)
        if not packed.sources:
            return BuiltContext(packed, None, tuple(notices))
        # In a thread: the OpenAI API may send hundreds of passages.
        questions = (conversation.question, search_query)
        judge = partial(_judge_sources, questions, packed.sources, selected)
        in_sources, answerability = await (self._run_long(judge) if is_long else asyncio.to_thread(judge))
        prompt = replace(packed.prompt, is_answerable=answerability >= answerabilities.REFUSED_BELOW)
        return BuiltContext(replace(packed, prompt=prompt), answerability, (*notices, *in_sources))

    async def _run_long(self, work: Callable[[], Result]) -> Result:
        """Run work that may take seconds, with megabytes of text, in separate threads: nobody else waits for it."""
        return await to_thread.run_sync(work, limiter=self._running_long, abandon_on_cancel=True)


async def select_passages(
    found: hybrid.SearchResult, options: AnswerOptions, rerank: Rerank | None
) -> SelectedPassages:
    """The best passages: deduplicated, above the threshold, reranked if there is a reranker, at most `rag_top_k`."""
    threshold = found.threshold if options.rag_threshold is None else options.rag_threshold
    wanted = None if rerank else options.rag_top_k
    relevant = selection.filter_relevant(found.passages, threshold=threshold, wanted=wanted)
    ranked = await rerank(relevant.candidates) if rerank else reranking.RankedPassages(relevant.candidates)
    selected = selection.take_top_k(ranked.passages, relevant.left_out, top_k=options.rag_top_k)
    return SelectedPassages(selected, threshold, tuple(retrieval.reranking_notices(ranked)))


def _judge_sources(
    questions: Sequence[str | None], sources: Sequence[CitableSource], selected: selection.Selection
) -> tuple[list[events.AnswerNotice], float]:
    """Notices of instructions in the sources, and the probability that these contain the answer.

    The probability is that for the question's best wording.
    """
    texts = [source.text for source in sources]
    correct = partial(typing_errors.correct_typing_errors, texts=texts)
    wordings = {
        wording: None
        for question in map(escaping.strip_markers, filter(None, questions))
        for part in (question, find_question(question), *language.split_questions(question), correct(question))
        if part is not None
        for wording in (part, *language.name_attributes(part))
    }
    found = [*selected.candidates, *(passage for passage, _ in selected.left_out)]
    best = sorted(found, key=lambda passage: -passage.score)[: answerabilities.COMPARED]
    answerability = answerabilities.estimate_answerability(
        wordings,
        [(source.text, source.described) for source in sources],
        [(passage.text, passage.lexical_score or 0.0) for passage in best],
    )
    return injection.instruction_notices(sources), answerability


def _budget_notices(ledger: BudgetLedger) -> list[events.AnswerNotice]:
    """Notices about what was left out or reduced to fit the window."""
    notices: list[events.AnswerNotice] = []
    segments = {segment.kind: segment for segment in ledger.segments}
    if dropped := segments[BudgetSegmentKind.HISTORY].items_dropped:
        turns = "turn was" if dropped == 1 else "turns were"
        notices.append(
            events.AnswerNotice(NoticeCode.HISTORY_SHORTENED, f"{dropped} earlier {turns} left out to fit the window.")
        )
    if ledger.requested_max_tokens is not None and ledger.adjusted_max_tokens < ledger.requested_max_tokens:
        requested, left = ledger.requested_max_tokens, ledger.adjusted_max_tokens
        message = f"{requested:,} tokens were requested for the answer, but only {left:,} are left."
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
