"""Answer a chat request: choose its route, then return its chunks or its whole completion.

The order of the checks is: index, ratio, route, user prompt, window. Credential and shape are checked before.
"""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Literal

from app.answer_options import AnswerOptions
from app.database import models
from app.openai_api import sources
from app.openai_api.api_config import OpenAIConfig
from app.openai_api.chat_request import ChatRequest
from app.openai_api.project_names import ProjectName, find_project
from app.openai_api.refusals import RequestRefused
from app.openai_api.reply_builder import ReplyBuilder
from app.providers import base, completions
from app.rag import conversation, events, routing
from app.rag.context.ledger import BudgetLedger
from app.rag.pass_through import PromptMeasurement
from app.rag.pipeline import AnswerStream
from app.rag.request import AnswerRequest, PipelineOptions
from app.services import UserAccess
from app.services.authorization.followers import CredentialCheck
from app.statuses import Route, TokenCounting

log = logging.getLogger(__name__)

_NOTHING_FOUND = (
    "No passage of the project's documents is relevant and fits the window, so the request is passed on unchanged."
)


@dataclass(frozen=True, slots=True)
class Routed:
    """The route of a request, and how its tokens were counted, if they were: the values of the response headers."""

    route: Literal["rag", "pass-through", "no-sources"]
    counting: TokenCounting | None = None


Replies = AsyncGenerator[Routed | base.JsonObject]
"""First the route, then the chunks of a stream or one completion."""


class ChatAnswerer:
    """Answers chat requests of one user. Nothing is stored.

    An answer ends when its user loses access: `check` raises Unauthenticated once the credential has ended.
    """

    def __init__(self, access: UserAccess, config: OpenAIConfig, check: CredentialCheck) -> None:
        self._access = access
        self._config = config
        self._check_credential = check

    async def stream_replies(self, request: ChatRequest, named: ProjectName | None) -> Replies:
        """Answer a request, from the documents of the project that it names, if it names one.

        Raises RequestRefused or a FootnoteError, usually before the first reply.
        """
        project = None if named is None else await find_project(self._access, named)
        request.check_options()
        model = None if request.model is None else self._config.resolve_model(request.model)
        documents = await self._find_documents(project, request.options.get("document_ids"))
        overrides = {**request.options, "document_ids": documents, "model": model, "grounding": "OPEN"}
        # Read again: without sign-in the user object lives as long as the server.
        [user] = await self._access.people.by_ids([self._access.user.id]) if model is None else [None]
        answer = self._access.chats.resolve_options(project, user, overrides)
        route = routing.choose_route(
            "",
            enabled_on_server=self._config.rag_enabled,
            enabled_for_request=answer.enable_rag,
            has_index=project is not None,
            has_tools=request.has_tools,
            has_unknown_roles=request.has_unknown_roles,
            has_non_text=request.has_non_text,
            detect_small_talk=False,
        )
        searched = project if route.route is Route.RAG else None
        if searched is not None:
            _check_answerable_from_documents(request)
            replies = self._answer_from_project(searched, request, answer)
        else:
            log.info("pass-through, model %s: %s", answer.model, route.reason)
            yield Routed("pass-through")
            replies = self._access.models.relay(answer.model, request.relayed, request.adaptable, project)
        replies = self._access.models.yield_while_allowed(replies, project and project.id, self._check_credential)
        reported = self._access.models.report_answer(request.question, searched and searched.id, answer.model)
        async with reported, aclosing(replies):
            async for reply in replies:
                yield reply

    async def _answer_from_project(
        self, project: models.Project, request: ChatRequest, answer: AnswerOptions
    ) -> Replies:
        """An answer from the project's documents, or from the model alone if no passage is usable."""
        model = answer.model
        measured = await self._access.models.measure_prompt(
            model, request.messages, request.max_tokens, local_only=project.local_providers_only
        )
        measured.check_fits()
        answered = False
        builder = ReplyBuilder(
            completions.CompletionBuilder(request.relayed, answer.model), with_budget=request.with_budget
        )
        async with aclosing(self._answer_with_passages(request, project, answer, measured, builder)) as replies:
            async for reply in replies:
                answered = True
                yield reply
        if answered:
            return
        log.info("no-sources, model %s: %s", model, _NOTHING_FOUND)
        yield Routed("no-sources", measured.counting)
        max_tokens = measured.grant_max_tokens(request.max_tokens)
        ledger = builder.ledger if request.with_budget else None
        extra = sources.response_fields(
            (), (), [*builder.search_notices(), *sources.reduction_notices(request.max_tokens, max_tokens)], ledger
        )
        relayed = self._access.models.relay(
            model, request.relay_with_max_tokens(max_tokens), request.adaptable, project
        )
        async with aclosing(completions.extend_last_chunk(relayed, extra, streams=request.streams)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _find_documents(self, project: models.Project | None, names: Sequence[str] | None) -> list[str] | None:
        """The ids of the documents to search; None for all."""
        if names is None or project is None:
            return None
        ids = [sources.row_id("Document", name) or "" for name in names]
        for name, document in zip(names, await self._access.documents.by_ids(ids), strict=True):
            if document is None or document.project_id != project.id:
                raise RequestRefused(
                    f"There is no document “{name[:100]}” in this project.",
                    parameter="document_ids",
                    code="document_not_found",
                    status=404,
                )
        return ids

    async def _answer_with_passages(
        self,
        request: ChatRequest,
        project: models.Project,
        answer: AnswerOptions,
        measured: PromptMeasurement,
        builder: ReplyBuilder,
    ) -> Replies:
        """The answer with passages in its prompt. Yields nothing if no passage was found, or none fits."""
        async with aclosing(
            self._access.models.answer(self._build_request(request, project, answer, measured))
        ) as steps:
            await self._read_prompt(steps, builder)
            if not builder.nodes:
                return
            log.info("rag: %d passages, model %s", len(builder.nodes), answer.model)
            yield Routed("rag", builder.counting)
            async for step in steps:
                for chunk in builder.to_chunks(step):
                    yield chunk

    async def _read_prompt(self, steps: AnswerStream, builder: ReplyBuilder) -> None:
        """Run the pipeline until the prompt is ready, before the model is called, and note the passages in it."""
        passages: tuple[events.RetrievedPassage, ...] = ()
        async for step in steps:
            match step:
                case events.RetrievalCompletedEvent():
                    passages = step.passages
                case events.BudgetNegotiatedEvent():
                    builder.nodes = await self._load_nodes(passages, step.budget)
                    builder.counting = step.budget.counting
                    builder.ledger = step.budget
                    if sources.included_chunk_ids(step.budget):
                        return
                case _:
                    builder.to_chunks(step)

    async def _load_nodes(
        self, passages: Sequence[events.RetrievedPassage], ledger: BudgetLedger
    ) -> Sequence[base.JsonObject]:
        """The source nodes, read before the model is called, so that documents deleted meanwhile are still shown."""
        by_id = {passage.chunk_id: passage for passage in passages}
        ids = [id for id in sources.included_chunk_ids(ledger) if id in by_id]
        documents = self._access.documents
        chunks = {chunk.id: chunk for chunk in await documents.chunks_by_ids(ids) if chunk}
        document_ids = list({chunk.document_id for chunk in chunks.values()})
        found = {document.id: document for document in await documents.by_ids(document_ids) if document}
        return sources.source_nodes([by_id[id] for id in ids], chunks, found)

    def _build_request(
        self, request: ChatRequest, project: models.Project, answer: AnswerOptions, measured: PromptMeasurement
    ) -> AnswerRequest:
        """The request for the pipeline. The client's own settings and messages apply, and no system prompt of ours."""
        own = replace(
            answer,
            rag_top_k=measured.candidate_limit(self._config.tokens_per_passage, self._config.max_passages),
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            system_prompt=None,
            reformulate=False,
        )
        return AnswerRequest(
            project_id=project.id,
            user_id=self._access.user.id,
            messages=request.messages,
            local_only=project.local_providers_only,
            options=PipelineOptions.extend(
                own,
                max_context_tokens=measured.window,
                max_context_chars=self._config.max_context_chars,
                no_sources_text=project.no_sources_text,
                rejected_text=project.rejected_text,
                keep_history=True,
                has_markers=not request.asks_for_format,
                extra_fields=request.extra_fields,
                detect_small_talk=False,
                passages_required=True,
            ),
        )


def _check_answerable_from_documents(request: ChatRequest) -> None:
    """Raises Invalid without a user prompt, and RequestRefused for what only a relayed answer can have."""
    conversation.read_conversation(request.messages)
    if request.relayed.get("logprobs") is True:
        raise RequestRefused(
            "`logprobs` is not available in answers from documents, because markers are rewritten.",
            parameter="logprobs",
        )
