"""A receiver of traces, by OTLP over HTTP."""

from dataclasses import dataclass
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.servers.running import StandIn


@dataclass(frozen=True)
class SentSpan:
    """A span as it arrived; ids are hexadecimal, and `parent` is empty for the first of a trace."""

    name: str
    trace: str
    id: str
    parent: str
    kind: int
    attributes: dict[str, Any]
    resource: dict[str, Any]
    is_failed: bool


class OtlpReceiver(StandIn):
    """Keeps the spans that it is sent."""

    def __init__(self) -> None:
        super().__init__(None, (), byte_by_byte=False)
        self.spans: list[SentSpan] = []

    def routes(self) -> list[Route]:
        return [Route("/v1/traces", self._receive, methods=["POST"])]

    async def _receive(self, request: Request) -> Response:
        assert request.headers["content-type"] == "application/x-protobuf"
        sent = ExportTraceServiceRequest.FromString(await request.body())
        for resource in sent.resource_spans:
            about = _values(resource.resource.attributes)
            for scope in resource.scope_spans:
                for span in scope.spans:
                    self.spans.append(
                        SentSpan(
                            span.name,
                            span.trace_id.hex(),
                            span.span_id.hex(),
                            span.parent_span_id.hex(),
                            span.kind,
                            _values(span.attributes),
                            about,
                            span.status.code == span.status.STATUS_CODE_ERROR,
                        )
                    )
        return Response(b"", media_type="application/x-protobuf")

    def named(self, name: str) -> SentSpan:
        """The only span of this name."""
        (found,) = [span for span in self.spans if span.name == name]
        return found

    def tree(self, span: SentSpan) -> list[Any]:
        """A span's name, followed by the trees of its children in the order of their names."""
        children = sorted((each for each in self.spans if each.parent == span.id), key=lambda each: each.name)
        return [span.name, *(self.tree(child) for child in children)]


def _values(attributes: Any) -> dict[str, Any]:
    return {each.key: _value(each.value) for each in attributes}


def _value(sent: Any) -> Any:
    kind = sent.WhichOneof("value")
    return [_value(each) for each in sent.array_value.values] if kind == "array_value" else getattr(sent, kind)
