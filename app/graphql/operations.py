"""A document and the context of a request or a socket in; one operation of it, with a context of its own, out."""

from collections.abc import Iterator

from graphql import GraphQLError, OperationDefinitionNode
from strawberry.extensions import SchemaExtension
from strawberry.types.execution import StreamExecutionResult

from app.graphql.context import Context


class OperationScope(SchemaExtension):
    """Strawberry makes one context per WebSocket, shared by all its operations for hours: give each its own."""

    def on_operation(self) -> Iterator[None]:
        """Fork the context."""
        context = self.execution_context.context
        if isinstance(context, Context):
            self.execution_context.context = context.for_operation()
        yield

    def on_stream_result(self, result: StreamExecutionResult) -> Iterator[None]:
        """Read anew for each event of a subscription."""
        yield
        if isinstance(self.execution_context.context, Context):
            self.execution_context.context.loaders.forget()


class OperationChoice(SchemaExtension):
    """Strawberry runs the first of several operations when none is named; the specification makes that an error."""

    _named = False

    def on_operation(self) -> Iterator[None]:
        """See whether the request names one: later the context gives the first one's name instead."""
        self._named = self.execution_context.operation_name is not None
        yield

    def on_validate(self) -> Iterator[None]:
        """Refuse to guess, where nothing else is wrong."""
        document = self.execution_context.graphql_document
        definitions = document.definitions if document else ()
        decided = self._named or self.execution_context.pre_execution_errors
        if not decided and sum(isinstance(part, OperationDefinitionNode) for part in definitions) > 1:
            message = "There are several operations in this document: name one with `operationName`."
            self.execution_context.pre_execution_errors = [GraphQLError(message)]
        yield
