"""Results of requests: encoded while other tasks run, bounded, and sent in pieces."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.graphql.limits.operation_limits import describe_large_result
from app.graphql.transport import error_responses
from app.graphql.transport.streams import SLICE_BYTES
from app.http.json_pieces import encode_with_pauses

# Most characters beyond ASCII take six bytes.
_MAX_BYTES = 64_000_000


class OperationResult(Response):
    """The result of an operation; it can be sent once `encode` has been awaited.

    It is sent in pieces: a large one has been sent once its client has read most of it, and not before.
    """

    def __init__(self, data: object, status_code: int, content_type: str) -> None:
        headers = {"content-type": content_type, "vary": "Accept", "cache-control": "no-store"}
        super().__init__(None, status_code, headers)
        self._data = data

    async def encode(self) -> None:
        """Encode it as JSON, in pieces if it is large. Raises EncodedTooLarge."""
        self.body = await encode_with_pauses(self._data, max_bytes=_MAX_BYTES)
        self.headers["content-length"] = str(len(self.body))
        self._data = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the result; the server aborts it if the client reads nothing."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for start in range(0, len(self.body), SLICE_BYTES):
            more = start + SLICE_BYTES < len(self.body)
            piece = self.body[start : start + SLICE_BYTES]
            await send({"type": "http.response.body", "body": piece, "more_body": more})


def too_large(request: Request, *, has_mutated: bool) -> Response:
    """The response in place of a result that is too large to be sent."""
    message = describe_large_result(f"The result has more than {_MAX_BYTES:,} bytes.", has_mutated=has_mutated)
    if has_mutated:
        return error_responses.execution_error(request, message, "QUERY_TOO_EXPENSIVE")
    return error_responses.top_level_error(request, 400, message, "QUERY_TOO_EXPENSIVE")
