"""A chat request in; which way it goes, and the chunks or the completion of its answer, out.

Checked in this order: index, ratio, route, user prompt, window. (Credential and shape come before.)
"""

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Literal, cast

from app import errors
from app.database import models
from app.openai_api import sources
from app.openai_api.asked import Asked
from app.openai_api.options import Options
from app.openai_api.refusals import Refused
from app.providers import base, completions
from app.rag import events, outcome, query, routing
from app.rag.budget import Ledger
from app.rag.passing import Measured
from app.rag.pipeline import Happenings
from app.rag.request import Request, Settings
from app.services import Allowed, Services

log = logging.getLogger(__name__)

_NOTHING_FOUND = "No passage of the project's documents was relevant or had room, so the request goes as it is."


@dataclass(frozen=True, slots=True)
class Routed:
    """The way that a request has taken: the value of the header."""

    way: Literal["rag", "pass-through", "no-sources"]


Replies = AsyncGenerator[Routed | base.Json]
"""First which way, then the chunks of a stream or one completion."""


class Answering:
    """Answers chat requests over the services of one server; keeps nothing between two of them."""

    def __init__(self, services: Services, allowed: Allowed, options: Options) -> None:
        self._services = services
        self._allowed = allowed
        self._options = options
        self.spent = 0
        """Tokens that the model took: as it says, else of the passages' prompt and one for each piece that came."""

    async def replies(self, asked: Asked) -> Replies:
        """The answer. Raises Refused or a FootnoteError, as a rule before anything has come."""
        project = await self._project(asked.index_name)
        asked.check_ratio()
        model = self.model(asked.model)
        local_only = project is not None and project.local_providers_only
        route = routing.route(
            "",
            enabled=self._options.rag_enabled,
            has_index=project is not None,
            has_tools=asked.has_tools,
            foreign_roles=asked.foreign_roles,
            non_text=asked.non_text,
            small_talk=False,
        )
        request = asked.relayed
        passed = Routed("pass-through")
        if project is not None and route.route == "RAG":
            query.read(asked.messages)  # raises where there is no user prompt
            measured = await self._services.passing.measure(model, asked.messages, local_only=local_only)
            measured.check()
            async with aclosing(self._from_documents(asked, project, model, measured)) as replies:
                came = False
                async for reply in replies:
                    came = True
                    yield reply
            if came:
                return
            limit = measured.limit(asked.limit)
            if limit != asked.limit:
                log.warning("MAX_TOKENS_REDUCED: %s tokens were asked for the answer, %s are left", asked.limit, limit)
            passed, request = Routed("no-sources"), asked.limited(limit)
        reason = route.reason if passed.way == "pass-through" else _NOTHING_FOUND
        log.info("%s, asked of %s: %s", passed.way, model, reason)
        yield passed
        async with aclosing(self._services.passing.relay(model, request, local_only=local_only)) as chunks:
            async for chunk in chunks:
                self._meter(chunk)
                yield chunk

    def _meter(self, chunk: base.Json) -> None:
        usage = chunk.get("usage")
        total = cast("base.Json", usage).get("total_tokens") if isinstance(usage, Mapping) else None
        self.spent = total if isinstance(total, int) else self.spent + 1

    def model(self, name: str | None) -> str:
        """`provider/model`; the chat model of this server may be called without its provider, or not at all."""
        default = self._options.chat_model
        return default if name is None or name == default.partition("/")[2] else name

    async def _project(self, name: str | None) -> models.Project | None:
        if name is None:
            return None
        id = sources.project_id(name)
        project = (await self._allowed.projects.by_ids([id]))[0] if id else None
        project = project or await self._allowed.projects.by_name(name)
        if project is None:
            raise Refused(
                f"There is no project “{name[:100]}”; `index_name` is a project's id or its name.",
                parameter="index_name",
                code="index_not_found",
                status=404,
            )
        return project

    async def _from_documents(
        self, asked: Asked, project: models.Project, model: str, measured: Measured
    ) -> AsyncGenerator[Routed | base.Json]:
        """The answer with passages in its prompt. Nothing at all when none were found, or none has a place."""
        if asked.relayed.get("logprobs") is True:
            raise Refused("`logprobs` cannot be had with `index_name`: markers are rewritten.", parameter="logprobs")
        telling = _Telling(completions.Answering(asked.relayed, model))
        async with aclosing(self._services.pipeline.answer(self._request(asked, project, model, measured))) as steps:
            telling.nodes = await self._in_the_prompt(steps, telling)
            if not telling.nodes:
                return
            log.info("rag: %d passages, asked of %s", len(telling.nodes), model)
            yield Routed("rag")
            read = self.spent
            try:
                async for step in steps:
                    if isinstance(step, events.Delta | events.Reasoning):
                        self.spent += 1
                    elif isinstance(step, events.Completed):
                        self.spent = step.usage.input_tokens + step.usage.output_tokens
                    for chunk in telling.chunks(step):
                        yield chunk
            except errors.AnswerError:
                if self.spent == read:  # the model has said nothing, so it may have read nothing
                    self.spent = 0
                raise

    async def _in_the_prompt(self, steps: Happenings, telling: "_Telling") -> Sequence[base.Json]:
        """The passages that have a place, when the prompt is ready and the model not yet asked; else none."""
        passages: tuple[events.PassageSnapshot, ...] = ()
        try:
            async for step in steps:
                match step:
                    case events.RetrievalCompleted():
                        passages = step.passages
                    case events.BudgetNegotiated():
                        nodes = await self._nodes(passages, step.budget)
                        self.spent = step.budget.input_tokens if nodes else 0
                        return nodes
                    case _:
                        telling.chunks(step)
        except errors.ContextTooLong:
            # The client's messages fit, as was measured: with the least of what an answer from documents takes they
            # do not, so they go without.
            log.info("no room for passages beside the client's messages")
        return ()

    async def _nodes(self, passages: Sequence[events.PassageSnapshot], ledger: Ledger) -> Sequence[base.Json]:
        """Read before the model speaks: what is cited is told of, whatever becomes of it meanwhile."""
        by_id = {passage.chunk_id: passage for passage in passages}
        ids = [id for id in sources.included(ledger) if id in by_id]
        documents = self._allowed.documents
        chunks = {chunk.id: chunk for chunk in await documents.chunks_by_ids(ids) if chunk}
        document_ids = list({chunk.document_id for chunk in chunks.values()})
        found = {document.id: document for document in await documents.by_ids(document_ids) if document}
        return sources.nodes([by_id[id] for id in ids], chunks, found)

    def _request(self, asked: Asked, project: models.Project, model: str, measured: Measured) -> Request:
        options = self._options
        return Request(
            project_id=project.id,
            messages=asked.messages,
            local_only=project.local_providers_only,
            settings=Settings(
                model=model,
                enable_rag=True,
                top_k=measured.top_k(options.tokens_per_passage, options.most_passages),
                threshold=None,
                ratio=options.ratio if asked.ratio is None else asked.ratio,
                max_tokens=asked.limit,
                temperature=asked.temperature,
                grounding="OPEN",
                include_citations=True,
                citation_style="NUMBERED",
                placement="SYSTEM",
                mode="HYBRID",
                max_context_tokens=measured.window,
                max_context_chars=options.max_context_chars,
                no_sources_text=project.no_sources_text or outcome.NO_SOURCES_TEXT,
                rejected_text=project.rejected_text or outcome.REJECTED_TEXT,
                keep_history=True,
                more=asked.more,
                small_talk=False,
            ),
        )


class _Telling:
    """What happens in the pipeline in, chunks out; the last has the sources, the citations and the notices."""

    def __init__(self, answer: completions.Answering) -> None:
        self.nodes: Sequence[base.Json] = ()
        self._answer = answer
        self._notices: list[base.Json] = []

    def chunks(self, step: events.Happening | events.Completed) -> list[base.Json]:
        """What a client is told of one step."""
        match step:
            case events.Delta():
                return self._answer.text(step.text)
            case events.Reasoning():
                return self._answer.reasoning(step.text)
            case events.NoticeGiven():
                log.warning("%s: %s", step.notice.code, step.notice.message)
                self._notices.append({"code": step.notice.code, "message": step.notice.message})
                return []
            case events.Completed():
                more = {
                    "source_nodes": self.nodes,
                    "citations": sources.citations(step.citations),
                    "notices": self._notices,
                }
                reason = cast("base.FinishReason", step.finish_reason)
                return self._answer.end(reason, step.usage.input_tokens, step.usage.output_tokens, more)
            case _:
                return []
