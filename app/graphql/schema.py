"""All types and operations in; the schema that the door executes out."""

from collections.abc import AsyncGenerator, Iterable
from typing import Any, Self

import strawberry
from graphql import (
    GraphQLArgument,
    GraphQLError,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLObjectType,
    Undefined,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext
from strawberry.types.execution import ExecutionResult, PreExecutionError
from strawberry.types.graphql import OperationType

from app.graphql import errors, scalars
from app.graphql.documents import DocumentCache, Documents
from app.graphql.limits import Limiter
from app.graphql.mutations.chat import ChatMutations
from app.graphql.mutations.documents import DocumentMutations
from app.graphql.mutations.projects import ProjectMutations
from app.graphql.operations import OperationChoice, OperationScope
from app.graphql.options import Options
from app.graphql.persisted import PersistedDocuments
from app.graphql.queries import Query
from app.graphql.subscriptions import Subscription
from app.graphql.types import events, ingestion


@strawberry.type(
    description="Everything that can be changed. Each takes one `input` and returns a payload or an expected error."
)
class Mutation(ProjectMutations, DocumentMutations, ChatMutations):
    """See its description."""


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
            return PreExecutionError(data=None, errors=[error])
        return await super().execute(
            query,
            variable_values,
            context_value,
            root_value,
            operation_name,
            allowed_operation_types,
            operation_extensions,
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
            return _only(PreExecutionError(data=None, errors=[error]))
        return await super().stream(
            query,
            variable_values,
            context_value,
            root_value,
            operation_name,
            operation_extensions,
            allowed_operation_types,
        )

    def _admitted(
        self, query: str | None, variables: dict[str, Any] | None, extensions: dict[str, Any] | None
    ) -> str | None:
        """The document of a request. Raises GraphQLError."""
        text = self.persisted.text(query, extensions)
        self.limiter.check_request(text, variables)
        return text

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Log nothing here: `errors.TopLevelErrors` logs what needs to be."""

    def prepared(self, options: Options) -> Self:
        """With what the operator decides."""
        self.limiter = Limiter(self._schema)
        self.persisted = PersistedDocuments(
            automatic=options.persisted_queries,
            trusted=options.trusted_documents,
            trusted_only=options.trusted_documents_only,
        )
        self._documents = Documents(
            self._schema, self.limiter, introspection=options.introspection, suggestions=options.suggestions
        )
        return self.without_null_defaults()

    def document_cache(self) -> DocumentCache:
        """For one operation."""
        return DocumentCache(self._documents, self.persisted)

    def without_null_defaults(self) -> Self:
        """An optional argument is just optional: `= null` after each would only be noise to its readers."""
        for kind in self._schema.type_map.values():
            if isinstance(kind, GraphQLInputObjectType):
                _forget_null(kind.fields.values())
            elif isinstance(kind, GraphQLObjectType):
                for field in kind.fields.values():
                    _forget_null(field.args.values())
        return self


def build_schema(options: Options) -> Schema:
    """The schema with its own caches."""
    extensions: list[Any] = [
        lambda: errors.TopLevelErrors(suggestions=options.suggestions),
        OperationScope,
        lambda: schema.document_cache(),
        OperationChoice,
    ]
    schema = Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        types=[*events.KINDS, *ingestion.KINDS],
        extensions=extensions,
        exception_handlers=errors.handlers(),
        config=StrawberryConfig(scalar_map=scalars.definitions(), batching_config=None),
    )
    return schema.prepared(options)


async def _only(result: PreExecutionError) -> AsyncGenerator[Any]:
    yield result


def _forget_null(places: Iterable[GraphQLInputField | GraphQLArgument]) -> None:
    for place in places:
        if place.default_value is None:
            place.default_value = Undefined
