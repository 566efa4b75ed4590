"""The schema: all types and operations, and how requests are admitted to it."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, suppress
from typing import Any, Self, TypeVar

import strawberry
from graphql import (
    GraphQLArgument,
    GraphQLError,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSyntaxError,
    Undefined,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext
from strawberry.types.execution import ExecutionResult, PreExecutionError
from strawberry.types.graphql import OperationType

from app.graphql import errors, scalars
from app.graphql.context import Context
from app.graphql.execution.executor import Executor
from app.graphql.execution.operations import Documents
from app.graphql.execution.persisted import PersistedDocuments
from app.graphql.limits import arguments
from app.graphql.limits.operation_limits import Limiter
from app.graphql.mutations.accounts import AccountMutations
from app.graphql.mutations.chat import ChatMutations
from app.graphql.mutations.documents import DocumentMutations
from app.graphql.mutations.memories import MemoryMutations
from app.graphql.mutations.projects import ProjectMutations
from app.graphql.options import GraphQLOptions
from app.graphql.queries import Query
from app.graphql.subscriptions import Subscription
from app.graphql.types import ingestion
from app.graphql.types.chat import events
from app.services import require_asker

Result = TypeVar("Result", bound=ExecutionResult)


@strawberry.type(
    description="The root of all mutations. Each takes one `input` and returns either a payload or an error that "
    "clients are expected to handle."
)
class Mutation(ProjectMutations, DocumentMutations, ChatMutations, MemoryMutations, AccountMutations):
    """All mutations, gathered from one class per concept."""


class Schema(strawberry.Schema):
    """Strawberry's schema that takes documents by their ids, and looks at the size of requests before it reads them.

    This is the one place that every request comes through: by HTTP, as an event stream, or on a socket.
    """

    persisted: PersistedDocuments
    limiter: Limiter

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any | None = None,
        root_value: Any | None = None,
        operation_name: str | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        """The result of a query or mutation."""
        try:
            query = self._admitted(query, variable_values, operation_extensions)
        except GraphQLError as error:
            return self._told(PreExecutionError(data=None, errors=[error]))
        self._check_asker(query, operation_name, context_value)
        return self._told(
            await super().execute(
                query,
                variable_values,
                _own(context_value),
                root_value,
                operation_name,
                allowed_operation_types,
                operation_extensions,
            )
        )

    async def stream(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any | None = None,
        root_value: Any | None = None,
        operation_name: str | None = None,
        operation_extensions: dict[str, Any] | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
    ) -> AsyncGenerator[Any]:
        """The results of any operation."""
        try:
            query = self._admitted(query, variable_values, operation_extensions)
        except GraphQLError as error:
            return _only(self._told(PreExecutionError(data=None, errors=[error])))
        self._check_asker(query, operation_name, context_value)
        context = _own(context_value)
        source = await super().stream(
            query,
            variable_values,
            context,
            root_value,
            operation_name,
            operation_extensions,
            allowed_operation_types,
        )
        return self._results(source, context)

    async def _results(self, source: AsyncGenerator[Any], context: Any) -> AsyncGenerator[Any]:
        async with aclosing(source):
            async for result in source:
                if isinstance(context, Context):
                    context.forget()  # rows are read anew for each event, and not kept while it waits for its reader
                yield self._told(result)

    def _told(self, result: Result) -> Result:
        """The result with its errors as clients may see them."""
        if result.errors:
            result.errors = errors.client_errors(result.errors, suggestions=self._suggestions)
        return result

    def _create_execution_context(self, query: str | None, *given: Any, **named: Any) -> ExecutionContext:
        """With a document that we have read and checked: Strawberry then does neither.

        An extension could do the same, but each costs every request and every event of a stream its hooks.
        """
        context = super()._create_execution_context(query, *given, **named)
        context.parse_options["max_tokens"] = self.limiter.limits.tokens
        if query:
            with suppress(GraphQLSyntaxError):  # Strawberry parses it again, and tells
                name, extensions = named.get("operation_name"), named.get("operation_extensions")
                context.graphql_document, context.pre_execution_errors = self._documents.read(query, name)
                if not context.pre_execution_errors:
                    self.persisted.learn(query, extensions)
        return context

    def _admitted(
        self, query: str | None, variables: dict[str, Any] | None, extensions: dict[str, Any] | None
    ) -> str | None:
        """The document of a request. Raises GraphQLError."""
        text = self.persisted.text(query, extensions)
        self.limiter.check_request(text, variables)
        return text

    def _check_asker(self, query: str | None, operation_name: str | None, context: Any) -> None:
        """Raises Unauthenticated for who has shown nothing and does more than sign in."""
        if isinstance(context, Context) and context.asker is None:
            with suppress(GraphQLError):
                if query and self._documents.only_signs_in(query, operation_name):
                    return
            require_asker(context.asker)

    def subscribes(
        self, query: str | None, operation_name: str | None, operation_extensions: dict[str, Any] | None
    ) -> bool:
        """Whether an operation is a subscription that may run, by its document and not by a word in its text."""
        with suppress(GraphQLError):
            text = self._admitted(query, None, operation_extensions)
            return bool(text) and self._documents.subscribes(text, operation_name)
        return False

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Log nothing here: `errors.client_errors` logs what needs to be."""

    def prepared(self, options: GraphQLOptions) -> Self:
        """With what the operator decides."""
        self.execution_context_class = Executor
        arguments.enforce(self._schema)
        self.limiter = Limiter(self._schema)
        self.persisted = PersistedDocuments(
            automatic=options.persisted_queries,
            trusted=options.trusted_documents,
            trusted_only=options.trusted_documents_only,
        )
        self._suggestions = options.suggestions
        self._documents = Documents(
            self._schema, self.limiter, introspection=options.introspection, suggestions=options.suggestions
        )
        return self.without_null_defaults()

    def without_null_defaults(self) -> Self:
        """An optional argument is just optional: `= null` after each would only be noise to its readers."""
        for kind in self._schema.type_map.values():
            if isinstance(kind, GraphQLInputObjectType):
                _forget_null(kind.fields.values())
            elif isinstance(kind, GraphQLObjectType):
                for field in kind.fields.values():
                    _forget_null(field.args.values())
        return self


def build_schema(options: GraphQLOptions) -> Schema:
    """The schema with its own caches."""
    schema = Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        types=[*events.KINDS, *ingestion.KINDS],
        exception_handlers=errors.exception_handlers(),
        config=StrawberryConfig(scalar_map=scalars.definitions(), batching_config=None),
    )
    return schema.prepared(options)


async def _only(result: PreExecutionError) -> AsyncGenerator[Any]:
    yield result


def _own(context: Any) -> Any:
    """Strawberry has one context per WebSocket, shared by all its operations for hours: each gets its own."""
    return context.for_operation() if isinstance(context, Context) else context


def _forget_null(places: Iterable[GraphQLInputField | GraphQLArgument]) -> None:
    for place in places:
        if place.default_value is None:
            place.default_value = Undefined
