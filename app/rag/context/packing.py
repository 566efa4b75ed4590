"""Pack a conversation and passages into a prompt that fits the model's window. Pure.

Everything is counted in the form in which it is sent, and the assembled messages are counted again as a check.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app import addresses, errors, language
from app.knowledge.search.passages import Passage
from app.providers import base
from app.providers.tokens import TokenCounter
from app.rag.citations import escaping
from app.rag.citations.citation_types import CitableSource
from app.rag.context import budget, profiles, prompt
from app.rag.context import ledger as ledgers
from app.rag.context.prompt import trim_overlaps
from app.rag.context.selection import Selection
from app.rag.conversation import Conversation, render_turn
from app.rag.request import PipelineOptions

Turns = list[tuple[base.PromptMessage, ...]]


@dataclass(frozen=True, slots=True)
class PackedPrompt:
    """The prompt to send, the sources it offers for citation, the limit of the answer, and the ledgers."""

    prompt: base.Prompt
    sources: tuple[CitableSource, ...]
    max_tokens: int | None
    ledger: ledgers.BudgetLedger


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of the prompt as they are rendered. `turns` are oldest first, `turn_tokens` newest first."""

    system: str
    question: base.PromptMessage
    turns: Turns
    turn_tokens: list[int]
    blocks: list[str]
    block_tokens: list[int]
    memory_lines: list[str]


@dataclass(frozen=True, slots=True)
class _Assembly:
    """The messages to send, the text shown of each passage, and the tokens of each part."""

    messages: tuple[base.PromptMessage, ...]
    shown: list[tuple[Passage, str]]
    tokens: ledgers.SegmentTokens


class PromptPacker:
    """Packs the prompt of one request; may pack again with a better counter.

    Without candidates there is nothing to cite: the policy is left out, and brackets stay unchanged. They also stay
    unchanged if the answer is to have no markers.
    """

    def __init__(
        self,
        conversation: Conversation,
        selection: Selection,
        options: PipelineOptions,
        *,
        window: int,
        parameters: int | None,
        delimiter: str,
        memories: Sequence[str],
    ) -> None:
        self._conversation = conversation
        self._selection = selection
        self._options = options
        self._window = window
        self._delimiter = delimiter
        self._memories = memories
        self._to_cite = bool(selection.candidates) and options.has_markers
        self._profile = profiles.choose_profile(options.prompt_profile, parameters)
        # Without passages to cite there is nothing to show by an example.
        self._example = self._profile.example_turn(delimiter) if self._to_cite else ()

    def pack(self, counter: TokenCounter) -> PackedPrompt:
        """Negotiate the budget and assemble the prompt. Raises ContextTooLong if the fixed parts do not fit."""
        parts = self._render_parts(counter)
        grant = self._negotiate(parts, counter)
        assembly = self._assemble(parts, grant, counter)
        return PackedPrompt(
            prompt=base.Prompt(
                assembly.messages,
                self._conversation.question,
                _prompt_passages(assembly.shown),
                earlier_questions=self._conversation.earlier_questions,
            ),
            sources=tuple(
                _build_source(number, passage, text) for number, (passage, text) in enumerate(assembly.shown, 1)
            ),
            max_tokens=None if self._options.max_tokens is None else grant.completion,
            ledger=self._write_ledger(parts, grant, assembly, counter),
        )

    def _render_parts(self, counter: TokenCounter) -> _Parts:
        options, conversation = self._options, self._conversation
        system_prompt = (options.system_prompt,) if options.system_prompt else ()
        question = escaping.escape_markers(conversation.question) if self._to_cite else conversation.question
        turns, turn_tokens = self._newest_turns(counter)
        blocks = [self._render_passage(number, passage) for number, passage in enumerate(self._selection.candidates, 1)]
        return _Parts(
            system=prompt.system_text((*system_prompt, *conversation.system), self._policy()),
            question=base.PromptMessage("user", question),
            turns=turns,
            turn_tokens=turn_tokens,
            blocks=blocks,
            block_tokens=[_block_tokens(counter, block) for block in blocks],
            memory_lines=[prompt.render_memory(memory, to_cite=self._to_cite) for memory in self._memories],
        )

    def _policy(self) -> str | None:
        if self._to_cite:
            return self._profile.policies[self._options.grounding]
        return prompt.FORM_POLICY if self._selection.candidates else None

    def _render_passage(self, number: int, passage: Passage, text: str | None = None) -> str:
        brief, has_markers = self._profile.is_small, self._options.has_markers
        return prompt.render_passage(number, passage, self._delimiter, text, brief=brief, has_markers=has_markers)

    def _newest_turns(self, counter: TokenCounter) -> tuple[Turns, list[int]]:
        """Earlier turns as rendered in the prompt, oldest first, and their tokens, newest first.

        Stops one turn after the window is full, so that a long history is not rendered for nothing; with
        `keep_history` all turns are returned.
        """
        turns: Turns = []
        tokens: list[int] = []
        left = None if self._options.keep_history else self._window
        for turn in reversed(self._conversation.turns):
            if left is not None and left < 0:
                break
            turns.append(render_turn(turn, to_cite=self._to_cite) if self._options.has_markers else tuple(turn))
            tokens.append(sum(map(counter.count_message, turns[-1])))
            left = None if left is None else left - tokens[-1]
        return turns[::-1], tokens

    def _negotiate(self, parts: _Parts, counter: TokenCounter) -> budget.BudgetGrant:
        options = self._options
        fixed_history = sum(parts.turn_tokens) if options.keep_history else 0
        grant = budget.negotiate_budget(
            budget.BudgetDemand(
                window=self._window,
                system=counter.count_messages([base.PromptMessage("system", parts.system), *self._example])
                + fixed_history,
                question=counter.count_message(parts.question),
                turns=() if options.keep_history else parts.turn_tokens,
                candidates=[
                    budget.CandidateSize(tokens, len(passage.text))
                    for tokens, passage in zip(parts.block_tokens, self._selection.candidates, strict=True)
                ],
                max_tokens=self._window if options.max_tokens is None else options.max_tokens,
                ratio=options.context_token_ratio,
                max_context_tokens=min(
                    options.max_context_tokens, self._profile.max_context_tokens or options.max_context_tokens
                ),
                max_context_chars=options.max_context_chars,
                memories=[counter.count(f"\n{line}") for line in parts.memory_lines],
                memory_heading=counter.count(f"\n\n{prompt.MEMORIES_HEADING}"),
            )
        )
        return replace(grant, turns=len(parts.turns)) if options.keep_history else grant

    def _assemble(self, parts: _Parts, grant: budget.BudgetGrant, counter: TokenCounter) -> _Assembly:
        shown = self._shown_passages(grant, counter)
        if self._selection.candidates and not shown and self._options.grounding == "GROUNDED":
            raise errors.ContextTooLong(
                "Not even the first sentence of the best passage fits the model's context window."
            )
        blocks, block_tokens = self._render_blocks(shown, parts, grant, counter)
        memories = prompt.render_memories([parts.memory_lines[index] for index in grant.memories])
        messages = prompt.assemble_messages(
            "\n\n".join(part for part in (parts.system, memories) if part),
            blocks,
            parts.turns[len(parts.turns) - grant.turns :],
            parts.question.content,
            self._profile.placement or self._options.context_placement,
            self._example,
        )
        total = counter.count_messages(messages)
        if total + grant.completion > self._window:
            raise errors.ContextTooLong(
                f"The prompt takes {total:,} tokens and the answer {grant.completion:,}; the window has "
                f"{self._window:,}."
            )
        tokens = ledgers.SegmentTokens(
            total=total,
            context=sum(block_tokens),
            history=sum(parts.turn_tokens[: grant.turns]),
            question=counter.count_message(parts.question),
            memories=counter.count(f"\n\n{memories}") if memories else 0,
        )
        return _Assembly(messages, shown, tokens)

    def _render_blocks(
        self,
        shown: Sequence[tuple[Passage, str]],
        parts: _Parts,
        grant: budget.BudgetGrant,
        counter: TokenCounter,
    ) -> tuple[list[str], list[int]]:
        """The passages as they are sent, and their tokens; rendered again if any got another number or text."""
        whole = all(text == passage.text for passage, text in shown)
        if whole and list(grant.candidates) == list(range(len(shown))):
            return parts.blocks[: len(shown)], parts.block_tokens[: len(shown)]
        blocks = [self._render_passage(number, passage, text) for number, (passage, text) in enumerate(shown, 1)]
        return blocks, [_block_tokens(counter, block) for block in blocks]

    def _shown_passages(self, grant: budget.BudgetGrant, counter: TokenCounter) -> list[tuple[Passage, str]]:
        """The passages that fit, each with the part of its text that is shown."""
        candidates, max_characters = self._selection.candidates, self._options.max_context_chars
        if grant.shortened is None:
            return trim_overlaps([candidates[index] for index in grant.candidates])
        passage = candidates[grant.shortened]
        shown: str | None = None
        for _, end in language.sentence_spans(passage.text):
            text = passage.text[:end]
            tokens = _block_tokens(counter, self._render_passage(1, passage, text))
            if tokens > grant.context_limit or (max_characters is not None and end > max_characters):
                break
            shown = text
        return [(passage, shown)] if shown else []

    def _write_ledger(
        self, parts: _Parts, grant: budget.BudgetGrant, assembly: _Assembly, counter: TokenCounter
    ) -> ledgers.BudgetLedger:
        items = ledgers.ItemCounts(
            candidates=len(self._selection.candidates),
            shown=len(assembly.shown),
            turns=len(self._conversation.turns),
            memories=len(self._memories),
        )
        shortened = grant.shortened is not None and bool(assembly.shown)
        return ledgers.BudgetLedger(
            context_window=self._window,
            input_tokens=assembly.tokens.total,
            requested_max_tokens=self._options.max_tokens,
            adjusted_max_tokens=grant.completion,
            segments=ledgers.build_segments(self._window, assembly.tokens, items, grant),
            candidates=ledgers.candidate_decisions(self._selection, grant, parts.block_tokens, shortened=shortened),
            counting=counter.counting,
            over_characters=grant.over_characters,
        )


def _block_tokens(counter: TokenCounter, block: str) -> int:
    return counter.count("\n\n" + block)


def _prompt_passages(shown: Sequence[tuple[Passage, str]]) -> tuple[base.PromptPassage, ...]:
    numbers = {(passage.document_id, passage.position): number for number, (passage, _) in enumerate(shown, 1)}
    return tuple(_prompt_passage(number, passage, text, numbers) for number, (passage, text) in enumerate(shown, 1))


def _prompt_passage(
    number: int, passage: Passage, text: str, numbers: Mapping[tuple[str, int], int]
) -> base.PromptPassage:
    """`numbers` are those of all passages, by document and position."""
    before = numbers.get((passage.document_id, passage.position - 1))
    continues_after = (passage.document_id, passage.position + 1) in numbers
    return base.PromptPassage(
        number,
        prompt.passage_title(passage),
        escaping.escape_markers(text),
        passage.score,
        passage.heading,
        continues=before,
        cut_before=before is None and passage.position > 0,
        # The shown text ends early where the next passage repeats the rest, or where tokens run short.
        cut_after=not continues_after and not (passage.is_last and len(text) == len(passage.text)),
    )


def _build_source(number: int, passage: Passage, text: str) -> CitableSource:
    """`text` is the shown beginning of the passage, so offsets in it are valid in the chunk."""
    return CitableSource(
        number=number,
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        document_title=passage.document_title,
        source_url=addresses.link_or_none(passage.url),
        page=passage.page,
        heading=passage.heading,
        position=passage.position,
        text=text,
        page_breaks=passage.page_breaks,
    )
