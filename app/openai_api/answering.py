"""Answer a chat request: choose its route, then return its chunks or its whole completion.

Checked in this order: index, ratio, route, user prompt, window. (Credential and shape come before.)
"""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Literal, cast

from app import errors
from app.answer_options import AnswerOptions
from app.database import models
from app.openai_api import sources
from app.openai_api.chat_request import Asked
from app.openai_api.options import OpenAIOptions
from app.openai_api.refusals import Refused
from app.providers import base, completions
from app.providers.tokens import Counting
from app.rag import conversation, events, routing
from app.rag.context.budget import BudgetLedger
from app.rag.judgement import outcome
from app.rag.pass_through import PromptMeasurement
from app.rag.pipeline import AnswerStream
from app.rag.request import AnswerRequest, PipelineOptions
from app.services import UserAccess

log = logging.getLogger(__name__)

_NOTHING_FOUND = (
    "No passage of the project's documents was relevant or fit the window, so the request is passed on unchanged."
)

_OF_SEARCH = ("DOCUMENTS_PENDING", "EMBEDDER_UNAVAILABLE", "RERANKER_UNAVAILABLE", "RETRIEVAL_FAILED")


@dataclass(frozen=True, slots=True)
class Routed:
    """The way that a request has taken, and how its tokens were counted, if they were: the values of the headers."""

    way: Literal["rag", "pass-through", "no-sources"]
    counting: Counting | None = None


Replies = AsyncGenerator[Routed | base.JsonObject]
"""First which way, then the chunks of a stream or one completion."""


class Answering:
    """Answers a chat request of one user, and stores nothing."""

    def __init__(self, access: UserAccess, options: OpenAIOptions) -> None:
        self._access = access
        self._options = options

    async def replies(self, asked: Asked) -> Replies:
        """The answer. Raises Refused or a FootnoteError, as a rule before anything has come."""
        project = await self._project(asked.index_name)
        asked.check_ratio()
        model = None if asked.model is None else self.model(asked.model)
        said = {"model": model, "context_token_ratio": asked.ratio, "grounding": "OPEN"}
        # Read anew, as whoever need not sign in is the same all the time.
        [user] = await self._access.people.by_ids([self._access.user.id]) if model is None else [None]
        answer = self._access.chats.options(project, user, said)
        local_only = project is not None and project.local_providers_only
        route = routing.choose_route(
            "",
            enabled_on_server=self._options.rag_enabled,
            enabled_for_request=answer.enable_rag,
            has_index=project is not None,
            has_tools=asked.has_tools,
            has_unknown_roles=asked.foreign_roles,
            has_non_text=asked.non_text,
            detect_small_talk=False,
        )
        if project is not None and route.route == "RAG":
            replies = self._asked_of(project, asked, answer)
        else:
            log.info("pass-through, asked of %s: %s", answer.model, route.reason)
            yield Routed("pass-through")
            replies = self._access.models.relay(answer.model, asked.relayed, local_only=local_only)
        async with aclosing(replies):
            async for reply in replies:
                yield reply

    async def _asked_of(self, project: models.Project, asked: Asked, answer: AnswerOptions) -> Replies:
        """An answer from the project's documents; the model's own where none of them helps."""
        conversation.read_conversation(asked.messages)  # raises where there is no user prompt
        model, local_only = answer.model, project.local_providers_only
        measured = await self._access.models.measure(model, asked.messages, asked.limit, local_only=local_only)
        measured.check_fits()
        came = False
        telling = _Telling(completions.CompletionBuilder(asked.relayed, answer.model), with_budget=asked.with_budget)
        async with aclosing(self._from_documents(asked, project, answer, measured, telling)) as replies:
            async for reply in replies:
                came = True
                yield reply
        if came:
            return
        log.info("no-sources, asked of %s: %s", model, _NOTHING_FOUND)
        yield Routed("no-sources", measured.counting)
        limit = measured.answer_limit(asked.limit)
        ledger = telling.ledger if asked.with_budget else None
        more = sources.fields((), (), [*telling.of_search(), *sources.reduction_notices(asked.limit, limit)], ledger)
        relayed = self._access.models.relay(model, asked.limited(limit), local_only=local_only)
        async with aclosing(completions.extend_last_chunk(relayed, more, streams=asked.streams)) as chunks:
            async for chunk in chunks:
                yield chunk

    def model(self, name: str) -> str:
        """`provider/model`; the chat model of this server may be called without its provider."""
        default = self._options.chat_model
        return default if name == default.partition("/")[2] else name

    async def _project(self, name: str | None) -> models.Project | None:
        if name is None:
            return None
        id = sources.project_id(name)
        project = (await self._access.projects.by_ids([id]))[0] if id else None
        project = project or await self._access.projects.by_name(name)
        if project is None:
            raise Refused(
                f"There is no project “{name[:100]}”; `index_name` is a project's id or its name.",
                parameter="index_name",
                code="index_not_found",
                status=404,
            )
        return project

    async def _from_documents(
        self,
        asked: Asked,
        project: models.Project,
        answer: AnswerOptions,
        measured: PromptMeasurement,
        telling: "_Telling",
    ) -> Replies:
        """The answer with passages in its prompt. Nothing at all when none were found, or none has a place."""
        if asked.relayed.get("logprobs") is True:
            raise Refused(
                "`logprobs` is not available with `index_name`, because markers are rewritten.", parameter="logprobs"
            )
        async with aclosing(self._access.models.answer(self._request(asked, project, answer, measured))) as steps:
            await self._read_prompt(steps, telling)
            if not telling.nodes:
                return
            log.info("rag: %d passages, asked of %s", len(telling.nodes), answer.model)
            yield Routed("rag", telling.counting)
            async for step in steps:
                for chunk in telling.chunks(step):
                    yield chunk

    async def _read_prompt(self, steps: AnswerStream, telling: "_Telling") -> None:
        """Note the passages that have a place, if any, when the prompt is ready and the model not yet asked."""
        passages: tuple[events.RetrievedPassage, ...] = ()
        try:
            async for step in steps:
                match step:
                    case events.RetrievalCompletedEvent():
                        passages = step.passages
                    case events.BudgetNegotiatedEvent():
                        telling.nodes = await self._nodes(passages, step.budget)
                        telling.counting = step.budget.counting
                        telling.ledger = step.budget
                        return
                    case _:
                        telling.chunks(step)
        except errors.ContextTooLong:
            # The client's messages fit, as was measured: with the least of what an answer from documents takes they
            # do not, so they go without.
            log.info("no room for passages beside the client's messages")

    async def _nodes(
        self, passages: Sequence[events.RetrievedPassage], ledger: BudgetLedger
    ) -> Sequence[base.JsonObject]:
        """Read before the model speaks: what is cited is told of, whatever becomes of it meanwhile."""
        by_id = {passage.chunk_id: passage for passage in passages}
        ids = [id for id in sources.included(ledger) if id in by_id]
        documents = self._access.documents
        chunks = {chunk.id: chunk for chunk in await documents.chunks_by_ids(ids) if chunk}
        document_ids = list({chunk.document_id for chunk in chunks.values()})
        found = {document.id: document for document in await documents.by_ids(document_ids) if document}
        return sources.nodes([by_id[id] for id in ids], chunks, found)

    def _request(
        self, asked: Asked, project: models.Project, answer: AnswerOptions, measured: PromptMeasurement
    ) -> AnswerRequest:
        """What the request says itself holds, and what it leaves to the model: the conversation is the client's."""
        own = replace(
            answer,
            rag_top_k=measured.candidate_limit(self._options.tokens_per_passage, self._options.most_passages),
            max_tokens=asked.limit,
            temperature=asked.temperature,
            system_prompt=None,
            reformulate=False,
        )
        return AnswerRequest(
            project_id=project.id,
            user_id=self._access.user.id,
            messages=asked.messages,
            local_only=project.local_providers_only,
            settings=PipelineOptions(
                **own.values(),
                max_context_tokens=measured.window,
                max_context_chars=self._options.max_context_chars,
                no_sources_text=project.no_sources_text or outcome.NO_SOURCES_TEXT,
                rejected_text=project.rejected_text or outcome.REJECTED_TEXT,
                keep_history=True,
                extra_fields=asked.more,
                detect_small_talk=False,
            ),
        )


class _Telling:
    """What happens in the pipeline in, chunks out; the last has the sources, the citations and the notices."""

    def __init__(self, answer: completions.CompletionBuilder, *, with_budget: bool) -> None:
        self.nodes: Sequence[base.JsonObject] = ()
        self.counting: Counting | None = None
        self.ledger: BudgetLedger | None = None
        self._with_budget = with_budget
        self._answer = answer
        self._notices: list[base.JsonObject] = []

    def of_search(self) -> list[base.JsonObject]:
        """The notices that hold also where the model answers without passages: why there may be none."""
        return [notice for notice in self._notices if notice["code"] in _OF_SEARCH]

    def chunks(self, step: events.ProgressEvent | events.CompletedEvent) -> list[base.JsonObject]:
        """What a client is told of one step."""
        match step:
            case events.DeltaEvent():
                return self._answer.add_text(step.text)
            case events.ReasoningEvent():
                return self._answer.add_reasoning(step.text)
            case events.NoticeEvent():
                log.warning("%s: %s", step.notice.code, step.notice.message)
                self._notices.append({"code": step.notice.code, "message": step.notice.message})
                return []
            case events.CompletedEvent():
                ledger = self.ledger if self._with_budget else None
                more = sources.fields(self.nodes, sources.citations(step.citations), self._notices, ledger)
                reason = cast("base.FinishReason", step.finish_reason)
                return self._answer.finish(reason, step.usage.input_tokens, step.usage.output_tokens, more)
            case _:
                return []
