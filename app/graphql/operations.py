"""The context of a request or a socket in; one of its own for each operation out."""

from collections.abc import Iterator

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
