"""One user's access to language models outside chat sessions. Their tokens are counted."""

from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TypeVar

from app import errors
from app.accounts.members import Role
from app.chat.analytics.unstored_answers import UnstoredAnswer, UnstoredQuestion
from app.database import models
from app.providers import base, request_fields
from app.providers.registry import ListedModel
from app.rag import events
from app.rag.pass_through import PromptMeasurement
from app.rag.pipeline import AnswerStream
from app.rag.request import AnswerRequest
from app.services.authorization import token_metering
from app.services.authorization.followers import CredentialCheck
from app.services.authorization.roles import Roles
from app.services.authorization.text_allowance import TextAllowance
from app.services.authorization.token_allowance import TokenAllowance
from app.services.backend import Backend

T = TypeVar("T")


class ModelAccess:
    """Answers one request of a user, from a project's documents or from a model alone. Nothing is stored."""

    def __init__(self, backend: Backend, tokens: TokenAllowance, text: TextAllowance, roles: Roles) -> None:
        self._registry = backend.models
        self._followers = backend.followers
        self._pass_through = backend.chat.pass_through
        self._pipeline = backend.chat.pipeline
        self._unstored_answers = backend.chat.unstored_answers
        self._tokens = tokens
        self._text = text
        self._roles = roles
        self._meter: token_metering.Meter | None = None
        self._answer_tokens = 0
        self._answer = UnstoredAnswer()

    async def list_models(self) -> list[ListedModel]:
        """The models that this server can use, as their servers currently list them."""
        return await self._registry.list_models()

    def find_problem(self, name: str) -> str | None:
        """What is wrong with a chat model's name, in one sentence; None if nothing is."""
        return self._registry.find_problem(name, "CHAT")

    async def measure_prompt(
        self, model: str, messages: Sequence[base.PromptMessage], max_tokens: int | None, *, local_only: bool
    ) -> PromptMeasurement:
        """The length of a conversation for this model. Raises ModelNotFound or ModelRefused."""
        return await self._pass_through.measure_prompt(
            self._roles.user_id, model, messages, max_tokens, local_only=local_only
        )

    @asynccontextmanager
    async def record_tokens(self) -> AsyncGenerator[None]:
        """Record the tokens of the answer in the block, however it ends. Raises RateLimited if none are left.

        Token counts come from the model if it reports them, otherwise from the server.
        """
        await self._tokens.require()
        try:
            yield
        finally:
            await self._tokens.record(self._answer_tokens if self._meter is None else self._meter.tokens)

    @asynccontextmanager
    async def report_answer(self, query: str, project_id: str | None, model: str) -> AsyncGenerator[None]:
        """Write the events about the question and the end of the answer in the block.

        The text that they store counts toward what the user may write. Raises RateLimited.
        """
        if (length := self._unstored_answers.stored_length(query)) is not None:
            await self._text.spend(length)
        question = UnstoredQuestion(query, project_id, self._roles.user_id, model)
        async with self._unstored_answers.report_answer(question) as self._answer:
            yield

    async def yield_while_allowed(
        self, replies: AsyncGenerator[T], project_id: str | None, check: CredentialCheck
    ) -> AsyncGenerator[T]:
        """Yield the replies while the user sees the project, if any, and is signed in.

        Once that ends, close `replies`, which ends the model's request, and raise NotFound, or what `check` raises.
        """
        with self._followers.follow(self._roles.seen_by, project_id, check) as follower:
            kind, id = ("user", self._roles.user_id) if project_id is None else ("project", project_id)
            async with aclosing(follower.yield_while_visible(replies, kind, id)) as visible:
                async for reply in visible:
                    yield reply

    async def answer(self, request: AnswerRequest) -> AnswerStream:
        """The events of an answer from a project's documents. Raises NotFound, or an AnswerError if it fails."""
        await self._roles.require(Role.VIEWER, request.project_id)
        prompt_tokens = 0
        async with aclosing(self._pipeline.answer(replace(request, user_id=self._roles.user_id))) as steps:
            try:
                async for step in steps:
                    self._answer.add_step(step)
                    if isinstance(step, events.DeltaEvent | events.ReasoningEvent):
                        self._answer_tokens += 1
                    elif isinstance(step, events.CompletedEvent):
                        self._answer_tokens = step.usage.input_tokens + step.usage.output_tokens
                    yield step
                    # If the caller continues, the prompt is sent to the model.
                    if isinstance(step, events.BudgetNegotiatedEvent):
                        self._answer_tokens = prompt_tokens = step.budget.input_tokens
            except errors.AnswerError:
                # There was no output, so the model may not have read the prompt.
                if self._answer_tokens == prompt_tokens:
                    self._answer_tokens = 0
                raise

    async def relay(
        self, model: str, request: base.JsonObject, adaptable: Collection[str], project: models.Project | None
    ) -> AsyncGenerator[base.JsonObject]:
        """Relay a request, which may name a project; yields the chunks of the model's answer, or its one completion.

        Only `adaptable` fields may be changed, see `LanguageModel.relay_request`. Raises an AnswerError if the answer
        fails.
        """
        self._answer_tokens = 0  # a prompt with passages may have been prepared before, but was not sent
        relay = self._relay_metered if self._tokens.is_limited else self._relay
        async with aclosing(relay(model, request, adaptable, project)) as chunks:
            async for chunk in chunks:
                self._answer.add_relayed(chunk)
                yield chunk

    def _relay(
        self, model: str, request: base.JsonObject, adaptable: Collection[str], project: models.Project | None
    ) -> AsyncGenerator[base.JsonObject]:
        on_behalf = (self._roles.user_id, "" if project is None else project.id)
        local_only = project is not None and project.local_providers_only
        return self._pass_through.relay_request(model, request, on_behalf, adaptable, local_only=local_only)

    async def _relay_metered(
        self, model: str, request: base.JsonObject, adaptable: Collection[str], project: models.Project | None
    ) -> AsyncGenerator[base.JsonObject]:
        """Relay and count tokens. Streams request the model's own count; clients see it only if they asked for it."""
        is_added = request.get("stream") is True and not request_fields.includes_usage(request)
        if is_added:
            request, adaptable = token_metering.request_usage(request), {*adaptable, request_fields.USAGE_FIELD}
        async with aclosing(self._relay_counted(model, request, adaptable, project)) as chunks:
            async for chunk in chunks:
                if (shown := token_metering.strip_usage(chunk) if is_added else chunk) is not None:
                    yield shown

    async def _relay_counted(
        self, model: str, request: base.JsonObject, adaptable: Collection[str], project: models.Project | None
    ) -> AsyncGenerator[base.JsonObject]:
        text, others = token_metering.split_prompt(request)
        user_id = self._roles.user_id
        size = await self._pass_through.count_long_text(user_id, model, text)
        count = partial(self._pass_through.count_tokens, user_id, model)
        meter = self._meter = token_metering.Meter(count, size + others)
        try:
            async with aclosing(self._relay(model, request, adaptable, project)) as chunks:
                async for chunk in chunks:
                    meter.record_chunk(chunk)
                    yield chunk
        except errors.AnswerError:
            if not meter.has_answer:  # there was no output, so the model may not have read the prompt
                self._meter = None
            raise
