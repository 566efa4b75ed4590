"""Measure how long a prompt takes beside its search alone, as projects and conversations grow."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from app.knowledge.search.queries import SearchQuery
from app.providers.base import PromptMessage
from app.rag.request import AnswerRequest, PipelineOptions
from app.services import Backend
from tests.bench.measured import Row, compare_times, timed
from tests.bench.search.searching import SIZES
from tests.bench.texts import questions

_MESSAGES = (10, 100, 1_000)
_TURN = (
    "How do the parts of this work together, and why?",
    "They call each other in order, as the page says [1]. " * 4,
)


async def measure(footnote: Backend, sizes: Sequence[int] = SIZES) -> list[Row]:
    """From request to prompt, beside a search for the same words."""
    rows: list[Row] = []
    for size in sizes:
        [project] = await footnote.knowledge.projects.find_projects(f"{size} chunks")
        for count in _MESSAGES:
            history = [PromptMessage("assistant" if i % 2 else "user", f"{i}. {_TURN[i % 2]}") for i in range(count)]
            searches: list[float] = []
            prompts: list[float] = []
            for question in questions():
                request = AnswerRequest(
                    project.id, footnote.owner.id, (*history, PromptMessage("user", question)), _settings(footnote)
                )
                earlier = "\n\n".join(message.content for message in history[-4::2])
                search = partial(
                    footnote.knowledge.search.search_project,
                    project.id,
                    SearchQuery(question, earlier=earlier, limit=50),
                )
                await search()
                searches.append(await timed(search))
                prompts.append(await timed(partial(footnote.chat.pipeline.preview, request)))
            rows.append(compare_times(f"{size:,} chunks, {count:,} messages", prompts, "its search", searches))
    return rows


def _settings(footnote: Backend) -> PipelineOptions:
    settings = footnote.settings
    return PipelineOptions(
        **replace(settings.answer_options, rag_threshold=0.0).values(),
        max_context_tokens=settings.max_context_tokens,
        max_context_chars=None,
        no_sources_text=None,
        rejected_text=None,
    )
