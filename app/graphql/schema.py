"""The schema: all types and operations, its text, and the checks that requests pass before they run."""

from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import aclosing, contextmanager, suppress
from copy import copy
from functools import cache
from typing import Any, Self, TypeVar

import strawberry
from graphql import (
    GraphQLArgument,
    GraphQLError,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLSyntaxError,
    Undefined,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext
from strawberry.types.execution import ExecutionResult, PreExecutionError
from strawberry.types.graphql import OperationType

from app.graphql import errors, scalars
from app.graphql.api_config import GraphQLConfig
from app.graphql.context import Context
from app.graphql.execution.executor import Executor
from app.graphql.execution.operations import OperationCache
from app.graphql.execution.persisted import PersistedDocuments
from app.graphql.limits import arguments, written_text
from app.graphql.limits.operation_limits import Limiter
from app.graphql.mutations.accounts import AccountMutations
from app.graphql.mutations.chat import ChatMutations
from app.graphql.mutations.documents import DocumentMutations
from app.graphql.mutations.projects import ProjectMutations
from app.graphql.queries import Query
from app.graphql.subscriptions import Subscription
from app.graphql.types import ingestion
from app.graphql.types.chat import events
from app.observation import tracing
from app.services import require_caller

Result = TypeVar("Result", bound=ExecutionResult)


@strawberry.type(
    description="The root of all mutations. Except for `signOut`, each takes one `input` and returns a "
    "payload or an expected error."
)
class Mutation(ProjectMutations, DocumentMutations, ChatMutations, AccountMutations):
    """All mutations, collected from one class per concept."""


class Schema(strawberry.Schema):
    """Strawberry's schema with persisted documents, and with size checks before a request is parsed.

    Every request passes through here, whether by HTTP, event stream or WebSocket.
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
        """Execute a query or mutation."""
        try:
            query = self._admit_document(query, variable_values, operation_extensions)
        except GraphQLError as error:
            return self._with_client_errors(PreExecutionError(data=None, errors=[error]))
        self._check_caller(query, operation_name, context_value)
        context = _context_for_operation(context_value)
        with self._operation_span(query, operation_name, context_value), _forgetting_rows(context):
            return self._with_client_errors(
                await super().execute(
                    query,
                    variable_values,
                    context,
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
        """Execute any operation, and stream its results."""
        try:
            query = self._admit_document(query, variable_values, operation_extensions)
        except GraphQLError as error:
            return _single_result(self._with_client_errors(PreExecutionError(data=None, errors=[error])))
        self._check_caller(query, operation_name, context_value)
        context = _context_for_operation(context_value)
        source = await super().stream(
            query,
            variable_values,
            context,
            root_value,
            operation_name,
            operation_extensions,
            allowed_operation_types,
        )
        return self._translate_results(source, context, self._operation_span(query, operation_name, context_value))

    async def _translate_results(
        self, source: AsyncGenerator[Any], context: Any, span: tracing.SpanScope
    ) -> AsyncGenerator[Any]:
        with span:
            async with aclosing(source):
                async for result in source:
                    if isinstance(context, Context):
                        context.forget_rows()  # each event reads current rows, and keeps none while it waits to be sent
                    yield self._with_client_errors(result)

    def _with_client_errors(self, result: Result) -> Result:
        """The result with its errors translated for clients."""
        if result.errors:
            result.errors = errors.client_errors(result.errors, suggestions=self._suggestions)
        return result

    def _create_execution_context(self, query: str | None, *args: Any, **kwargs: Any) -> ExecutionContext:
        """Provide the parsed and validated document, so that Strawberry does neither again.

        An extension could do the same, but its hooks would run for every request and every event of a stream.
        """
        context = super()._create_execution_context(query, *args, **kwargs)
        context.parse_options["max_tokens"] = self.limiter.limits.tokens
        if query:
            with suppress(GraphQLSyntaxError):  # Strawberry parses it again and reports the error
                name, extensions = kwargs.get("operation_name"), kwargs.get("operation_extensions")
                context.graphql_document, context.pre_execution_errors = self._documents.read_document(query, name)
                if not context.pre_execution_errors:
                    self.persisted.remember_document(query, extensions)
        return context

    def _admit_document(
        self, query: str | None, variables: dict[str, Any] | None, extensions: dict[str, Any] | None
    ) -> str | None:
        """The document of a request, after the size checks. Raises GraphQLError."""
        text = self.persisted.find_document(query, extensions)
        self.limiter.check_request(text, variables)
        return text

    def _check_caller(self, query: str | None, operation_name: str | None, context: Any) -> None:
        """Raises Unauthenticated if the sender has no credential and the operation does anything but sign in."""
        if isinstance(context, Context) and context.caller is None:
            with suppress(GraphQLError):
                if query and self._documents.only_signs_in(query, operation_name):
                    return
            require_caller(context.caller)

    def _operation_span(self, query: str | None, operation_name: str | None, context: Any) -> tracing.SpanScope:
        """The span of an operation: a child of its request's or, on a WebSocket, the first of a trace."""
        tracer = context.services.tracer if isinstance(context, Context) else None
        if tracer is None or query is None:
            return tracing.SpanScope(None)
        described = self._documents.describe_operation(query, operation_name)
        if described is None:
            return tracing.SpanScope(None)
        kind, name = described
        attributes = {"graphql.operation.type": kind, "graphql.operation.name": name}
        span_kind = "INTERNAL" if tracing.current_span() else "SERVER"
        return tracing.trace(tracer, kind, span_kind, attributes, context.socket_headers)

    def operation_type(
        self, query: str | None, operation_name: str | None, operation_extensions: dict[str, Any] | None
    ) -> OperationType | None:
        """The type of an operation, according to its parsed document; None if it is not valid."""
        with suppress(GraphQLError):
            text = self._admit_document(query, None, operation_extensions)
            found = self._documents.find_type(text, operation_name) if text else None
            return None if found is None else OperationType(found.value)
        return None

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Do nothing: `errors.client_errors` logs what is needed."""

    def with_config(self, config: GraphQLConfig) -> Self:
        """Apply the configuration of the API."""
        self.execution_context_class = Executor
        self._documents = _open_documents(self._schema, config.introspection, config.suggestions)
        self.limiter = self._documents.limiter
        self.persisted = PersistedDocuments(
            automatic=config.persisted_queries,
            trusted=config.trusted_documents,
            trusted_only=config.trusted_documents_only,
        )
        self._suggestions = config.suggestions
        return self

    def with_rules(self) -> Self:
        """Enforce the limits of texts and arguments, and omit the noise of `= null` after optional arguments."""
        written_text.enforce_allowance(self._schema)
        arguments.enforce_bounds(self._schema)
        for kind in self._schema.type_map.values():
            if isinstance(kind, GraphQLInputObjectType):
                _forget_null(kind.fields.values())
            elif isinstance(kind, GraphQLObjectType):
                for field in kind.fields.values():
                    _forget_null(field.args.values())
        return self


def build_schema(config: GraphQLConfig) -> Schema:
    """The schema for this configuration."""
    return copy(_build_types()).with_config(config)


@cache
def _open_documents(schema: GraphQLSchema, introspection: bool, suggestions: bool) -> OperationCache:
    """The cache of valid documents, which all servers of a process with the same configuration share."""
    return OperationCache(schema, Limiter(schema), introspection=introspection, suggestions=suggestions)


@cache
def _build_types() -> Schema:
    """Build the types once for all servers of a process, because that takes a tenth of a second."""
    schema = Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        types=[*events.KINDS, *ingestion.KINDS],
        exception_handlers=errors.exception_handlers(),
        config=StrawberryConfig(scalar_map=scalars.scalar_definitions(), batching_config=None),
    )
    return schema.with_rules()


async def _single_result(result: PreExecutionError) -> AsyncGenerator[Any]:
    yield result


def _context_for_operation(context: Any) -> Any:
    """A context for one operation. Strawberry shares one among all operations on a WebSocket.

    https://github.com/strawberry-graphql/strawberry/issues/1754
    """
    return context.for_operation() if isinstance(context, Context) else context


@contextmanager
def _forgetting_rows(context: Any) -> Generator[None]:
    """Drop the rows of an operation at its end, not only when garbage is collected: they may be megabytes.

    graphql-core's executor refers to itself (3.3; no upstream issue), and to the context.
    """
    try:
        yield
    finally:
        if isinstance(context, Context):
            context.forget_rows()


def _forget_null(places: Iterable[GraphQLInputField | GraphQLArgument]) -> None:
    for place in places:
        if place.default_value is None:
            place.default_value = Undefined


def schema_text() -> str:
    """The schema as text, ending in one line break. The same schema always gives the same text."""
    return build_schema(GraphQLConfig(max_upload_bytes=0)).as_str().strip() + "\n"
