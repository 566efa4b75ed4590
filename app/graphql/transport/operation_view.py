"""Run operations over HTTP, with the status codes and media types of GraphQL over HTTP.

Strawberry answers most of these requests with 200 or with an exception, and keeps to that
(https://github.com/strawberry-graphql/strawberry/issues/2813). tests/graphql/transport/test_upstream.py fails when it
does not.
"""

from typing import Any, cast

from cross_web import AsyncHTTPRequestAdapter, HTTPException
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response
from strawberry.asgi import GraphQL
from strawberry.exceptions import MissingQueryError
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types.execution import ExecutionResult
from strawberry.types.graphql import OperationType

from app.graphql.context import Context
from app.graphql.schema import Schema
from app.graphql.transport.content_negotiation import GRAPHQL_RESPONSE
from app.graphql.transport.error_responses import is_request_error, knows_media_type
from app.graphql.transport.operation_slots import OperationSlots

_NO_STREAM = "A subscription needs a WebSocket (graphql-transport-ws) or `Accept: text/event-stream`."


class OperationView(GraphQL[Context, None]):
    """Strawberry's view, strict about what a request may run and how its result is returned."""

    schema: Schema
    slots: OperationSlots

    async def execute_operation(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        request_data: GraphQLRequestData | list[GraphQLRequestData],
        context: Context,
        root_value: None,
        sub_response: Response,
    ) -> Any:
        """Run an operation when it is its turn.

        For clients that accept GraphQL's media type, an invalid request has a status of 4xx.
        Raises Unauthenticated if the credential has ended while the request arrived, or Unavailable.
        """
        if context.caller is not None and not self._subscribes(cast("GraphQLRequestData", request_data)):
            await self.slots.take(request)  # strangers can only sign in
        await context.recheck_credential()
        result = await super().execute_operation(
            request, request_adapter, request_data, context, root_value, sub_response
        )
        if isinstance(result, ExecutionResult) and not is_request_error(result):
            request.state.executed = request_data
        if isinstance(result, ExecutionResult) and knows_media_type(request):
            sub_response.headers["content-type"] = f"{GRAPHQL_RESPONSE}; charset=utf-8"
            if is_request_error(result):
                sub_response.status_code = 400
        return result

    async def execute_single(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        sub_response: Response,
        context: Context,
        root_value: None,
        request_data: GraphQLRequestData,
    ) -> ExecutionResult:
        """Run a query or, by POST, a mutation. Raises HTTPException for anything else."""
        allowed = {OperationType.QUERY}
        if request_adapter.method == "POST":
            allowed.add(OperationType.MUTATION)
        try:
            return await self.schema.execute(
                request_data.query,
                variable_values=request_data.variables,
                context_value=context,
                root_value=root_value,
                operation_name=request_data.operation_name,
                operation_extensions=request_data.extensions,
                allowed_operation_types=allowed,
            )
        except InvalidOperationTypeError as error:
            if error.operation_type is OperationType.SUBSCRIPTION:
                raise HTTPException(406, _NO_STREAM) from error
            raise HTTPException(405, error.as_http_error_reason(request_adapter.method)) from error
        except CannotGetOperationTypeError as error:
            raise HTTPException(400, error.as_http_error_reason()) from error
        except MissingQueryError as error:
            raise HTTPException(400, "The request contains no operation.") from error

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """The result as JSON, without `data` if nothing was executed."""
        out: GraphQLHTTPResponse = {}
        if result.errors:
            out["errors"] = [error.formatted for error in result.errors]
        if not (is_request_error(result) and knows_media_type(request)):
            out["data"] = result.data
        if result.extensions:
            out["extensions"] = result.extensions
        return out

    def has_mutated(self, request: Request) -> bool:
        """Whether a mutation was executed for this request."""
        data: GraphQLRequestData | None = getattr(request.state, "executed", None)
        return data is not None and self._find_type(data) is OperationType.MUTATION

    def _subscribes(self, data: GraphQLRequestData) -> bool:
        return self._may_subscribe(data) and self._find_type(data) is OperationType.SUBSCRIPTION

    def _find_type(self, data: GraphQLRequestData) -> OperationType | None:
        return self.schema.operation_type(data.query, data.operation_name, data.extensions)

    def _may_subscribe(self, data: GraphQLRequestData) -> bool:
        # The word is enough: a query that merely contains it becomes a stream of one event, which is harmless.
        try:
            return "subscription" in (self.schema.persisted.find_document(data.query, data.extensions) or "")
        except GraphQLError:
            return False
