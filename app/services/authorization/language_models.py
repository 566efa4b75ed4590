"""Language models as one user may use them outside chat sessions; their tokens are counted."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial

from app import errors
from app.accounts.members import Role
from app.providers import base, completions
from app.providers.registry import ListedModel, ModelRegistry
from app.rag import events
from app.rag.pass_through import PromptMeasurement
from app.rag.pipeline import AnswerStream
from app.rag.request import AnswerRequest
from app.services.authorization import token_metering
from app.services.authorization.roles import Roles
from app.services.authorization.token_allowance import TokenAllowance
from app.services.chat import Chat


class ModelAccess:
    """Answers one request of a user, from a project's documents or as a model gives it; nothing is stored."""

    def __init__(self, registry: ModelRegistry, chat: Chat, tokens: TokenAllowance, roles: Roles) -> None:
        self._registry = registry
        self._pass_through = chat.pass_through
        self._pipeline = chat.pipeline
        self._tokens = tokens
        self._roles = roles
        self._meter: token_metering.Meter | None = None
        self._answer_tokens = 0

    async def list_models(self) -> list[ListedModel]:
        """The models that this server can use; their servers are asked now."""
        return await self._registry.list_models()

    def find_problem(self, name: str) -> str | None:
        """What is wrong with a model's name, in one sentence."""
        return self._registry.find_problem(name)

    async def measure(
        self, model: str, messages: Sequence[base.PromptMessage], limit: int | None, *, local_only: bool
    ) -> PromptMeasurement:
        """The length of a conversation for this model. Raises ModelNotFound or ModelRefused."""
        return await self._pass_through.measure_prompt(model, messages, limit, local_only=local_only)

    @asynccontextmanager
    async def spending(self) -> AsyncGenerator[None]:
        """For the time of an answer: its tokens are counted at the end, however it ends.

        Tokens are as the model reports them, else as they are counted here. Raises RateLimited.
        """
        await self._tokens.require()
        try:
            yield
        finally:
            await self._tokens.record(self._answer_tokens if self._meter is None else self._meter.tokens)

    async def answer(self, request: AnswerRequest) -> AnswerStream:
        """The events of an answer from a project's documents. Raises NotFound, or an AnswerError when it breaks off."""
        await self._roles.require(request.project_id, Role.VIEWER, "project")
        prompt_tokens = 0
        async with aclosing(self._pipeline.answer(replace(request, user_id=self._roles.user_id))) as steps:
            try:
                async for step in steps:
                    if isinstance(step, events.DeltaEvent | events.ReasoningEvent):
                        self._answer_tokens += 1
                    elif isinstance(step, events.CompletedEvent):
                        self._answer_tokens = step.usage.input_tokens + step.usage.output_tokens
                    yield step
                    # Whoever reads on lets the model read the prompt.
                    if isinstance(step, events.BudgetNegotiatedEvent):
                        self._answer_tokens = prompt_tokens = step.budget.input_tokens
            except errors.AnswerError:
                if self._answer_tokens == prompt_tokens:  # the model has said nothing, so it may have read nothing
                    self._answer_tokens = 0
                raise

    async def relay(self, model: str, request: base.JsonObject, *, local_only: bool) -> AsyncGenerator[base.JsonObject]:
        """A model's own answer to a request as it is: its chunks, or its one completion.

        Raises an AnswerError when it breaks off.
        """
        relay = self._relay_metered if self._tokens.limited else self._relay
        async with aclosing(relay(model, request, local_only=local_only)) as chunks:
            async for chunk in chunks:
                yield chunk

    def _relay(self, model: str, request: base.JsonObject, *, local_only: bool) -> AsyncGenerator[base.JsonObject]:
        return self._pass_through.relay_request(model, request, (self._roles.user_id, ""), local_only=local_only)

    async def _relay_metered(
        self, model: str, request: base.JsonObject, *, local_only: bool
    ) -> AsyncGenerator[base.JsonObject]:
        """The answer, counted. A stream is asked for the model's own count, which only clients get that asked for it
        too.
        """
        if request.get("stream") is True and not completions.includes_usage(request):
            try:
                with_usage = self._count(model, token_metering.asking_for_usage(request), local_only=local_only)
                async with aclosing(with_usage) as chunks:
                    async for chunk in chunks:
                        if (shown := token_metering.without_usage(chunk)) is not None:
                            yield shown
                return
            except errors.ModelRefused:  # by a server that cannot be asked for it
                if self._meter is not None:
                    raise
        async with aclosing(self._count(model, request, local_only=local_only)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _count(
        self, model: str, request: base.JsonObject, *, local_only: bool
    ) -> AsyncGenerator[base.JsonObject]:
        text, others = token_metering.prompt(request)
        size = await self._pass_through.count_long_text(model, text)
        meter = self._meter = token_metering.Meter(partial(self._pass_through.count_tokens, model), size + others)
        try:
            async with aclosing(self._relay(model, request, local_only=local_only)) as chunks:
                async for chunk in chunks:
                    meter.note(chunk)
                    yield chunk
        except errors.AnswerError:
            if not meter.heard:  # the model has said nothing, so it may have read nothing
                self._meter = None
            raise
