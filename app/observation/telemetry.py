"""The tracer that sends spans by OTLP over HTTP (OpenTelemetry). Loaded only if the settings name a receiver."""

import asyncio
import os
import threading
from collections.abc import Mapping, Sequence

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from app import __version__
from app.observation.tracing import Attributes, Span, SpanKind

_KINDS: Mapping[SpanKind, trace.SpanKind] = {
    "INTERNAL": trace.SpanKind.INTERNAL,
    "SERVER": trace.SpanKind.SERVER,
    "CLIENT": trace.SpanKind.CLIENT,
}
# How long the end of the process waits for the last spans to be sent.
_CLOSE_SECONDS = 2.0
_PROPAGATOR = TraceContextTextMapPropagator()


class OtlpTracer:
    """A Tracer. Everything but the receiver's address comes from the standard environment variables OTEL_….

    `endpoint` is the address that traces are sent to; `keeps_texts`: whether attributes may hold texts.
    """

    def __init__(self, endpoint: str, *, keeps_texts: bool) -> None:
        named = {"service.name": "footnote", "service.version": __version__, "service.instance.id": str(os.getpid())}
        # Names from the environment (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES) take precedence.
        resource = Resource.create(named).merge(OTELResourceDetector().detect())
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._exporter = OTLPSpanExporter(endpoint=endpoint)
        self._processor = BatchSpanProcessor(self._exporter)
        self._provider.add_span_processor(self._processor)
        self._tracer = self._provider.get_tracer("footnote", __version__)
        self._keeps_texts = keeps_texts

    def start_trace(self, name: str, kind: SpanKind, attributes: Attributes, headers: Mapping[str, str]) -> Span:
        """The first span of a trace in this process, or of the part of a trace that is here."""
        context = _PROPAGATOR.extract(dict(headers))
        return OtlpSpan(self._tracer, _start(self._tracer, name, kind, attributes, context), self._keeps_texts)

    async def close(self) -> None:
        """Send the remaining spans, for at most two seconds, because the receiver may be gone."""
        # A daemon, because the library waits for half a minute, and the end of the process would wait for it.
        closing = threading.Thread(target=self._processor.shutdown, name="traces: close", daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, _CLOSE_SECONDS)
        if closing.is_alive():
            self._exporter.shutdown()  # gives up the remaining attempts


class OtlpSpan:
    """A Span of OpenTelemetry."""

    def __init__(self, tracer: trace.Tracer, span: trace.Span, keeps_texts: bool) -> None:
        self._tracer = tracer
        self._span = span
        self._context = span.get_span_context()
        self._keeps_texts = keeps_texts

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits."""
        return trace.format_trace_id(self._context.trace_id)

    @property
    def span_id(self) -> str:
        """16 hexadecimal digits."""
        return trace.format_span_id(self._context.span_id)

    @property
    def headers(self) -> Mapping[str, str]:
        """`traceparent`, and `tracestate` if there is one."""
        carrier: dict[str, str] = {}
        _PROPAGATOR.inject(carrier, trace.set_span_in_context(self._span))
        return carrier

    @property
    def keeps_texts(self) -> bool:
        """Whether texts are wanted, and this span will be sent."""
        return self._keeps_texts and self._span.is_recording()

    def start_child(self, name: str, kind: SpanKind, attributes: Attributes) -> Span:
        """A child span for a part of this work."""
        parent = trace.set_span_in_context(self._span)
        return OtlpSpan(self._tracer, _start(self._tracer, name, kind, attributes, parent), self._keeps_texts)

    def set_attributes(self, attributes: Attributes) -> None:
        """Add attributes."""
        self._span.set_attributes(_drop_unknown(attributes))

    def fail(self, code: str) -> None:
        """Mark the work as failed."""
        self._span.set_attribute("error.type", code)
        self._span.set_status(trace.StatusCode.ERROR, code)

    def end(self) -> None:
        """End the span."""
        self._span.end()


def _start(tracer: trace.Tracer, name: str, kind: SpanKind, attributes: Attributes, context: Context) -> trace.Span:
    return tracer.start_span(name, context, _KINDS[kind], _drop_unknown(attributes))


def _drop_unknown(attributes: Attributes) -> dict[str, str | int | float | bool | Sequence[str]]:
    return {name: value for name, value in attributes.items() if value is not None}
