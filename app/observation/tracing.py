"""Traces: spans of the work that a request or a batch of documents leads to.

Work belongs to the current span of its task; tasks that it starts inherit it. Without tracing there is no span: a child
span is then an object that does nothing, and no library is loaded.
"""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from types import TracebackType
from typing import Literal, Protocol, TypeVar

from app import errors

Result = TypeVar("Result")
Argument = TypeVar("Argument")
Attributes = Mapping[str, str | int | float | bool | Sequence[str] | None]
"""Named as in OpenTelemetry's conventions, or `footnote.…`. None: unknown, so it is left out."""
SpanKind = Literal["INTERNAL", "SERVER", "CLIENT"]


class Span(Protocol):
    """A piece of work with a beginning and an end."""

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits."""
        ...

    @property
    def span_id(self) -> str:
        """16 hexadecimal digits."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of a request that continues the trace, as specified by W3C Trace Context."""
        ...

    @property
    def keeps_texts(self) -> bool:
        """Whether attributes may hold texts of questions, documents and answers."""
        ...

    def start_child(self, name: str, kind: SpanKind, attributes: Attributes) -> "Span":
        """A child span for a part of this work."""
        ...

    def set_attributes(self, attributes: Attributes) -> None:
        """Add attributes."""
        ...

    def fail(self, code: str) -> None:
        """Mark the work as failed; `code` is one of a few codes that say how."""
        ...

    def end(self) -> None:
        """End the span."""
        ...


class Tracer(Protocol):
    """Begins traces, and sends them."""

    def start_trace(self, name: str, kind: SpanKind, attributes: Attributes, headers: Mapping[str, str]) -> Span:
        """The first span of a trace in this process. It continues the trace that the request's `headers` name."""
        ...

    async def close(self) -> None:
        """Send the remaining spans, within seconds, whatever the receiver does."""
        ...


_current: ContextVar[Span | None] = ContextVar("span", default=None)


class SpanScope:
    """Makes a span the current one for a `with` block, and ends it there. Without a span, it does nothing."""

    __slots__ = ("_before", "span")

    def __init__(self, span: Span | None) -> None:
        self.span = span
        self._before: Span | None = None

    def __enter__(self) -> "SpanScope":
        if self.span is not None:
            self._before = _current.get()
            _current.set(self.span)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.span is None:
            return
        if isinstance(error, Exception):
            self.span.fail(errors.failure_code(error))
        self.span.end()
        # Not by a token: an asynchronous generator may be closed in another context than it began in.
        _current.set(self._before)

    def set_attributes(self, attributes: Attributes) -> None:
        """Add attributes."""
        if self.span is not None:
            self.span.set_attributes(attributes)

    def set_text(self, name: str, text: Callable[[], str]) -> None:
        """Add an attribute with a text, if texts may be kept; otherwise `text` is not called."""
        if self.span is not None and self.span.keeps_texts:
            self.span.set_attributes({name: text()})


def current_span() -> Span | None:
    """The span of the current work."""
    return _current.get()


def child_span(name: str, kind: SpanKind = "INTERNAL", attributes: Attributes | None = None) -> SpanScope:
    """A child span for a part of the current work."""
    span = _current.get()
    return SpanScope(None if span is None else span.start_child(name, kind, attributes or {}))


def trace(
    tracer: Tracer | None,
    name: str,
    kind: SpanKind = "INTERNAL",
    attributes: Attributes | None = None,
    headers: Mapping[str, str] | None = None,
) -> SpanScope:
    """A span of a part of the current work or, if there is none, the first span of a trace."""
    if tracer is None or _current.get() is not None:
        return child_span(name, kind, attributes)
    return SpanScope(tracer.start_trace(name, kind, attributes or {}, headers or {}))


def outgoing_headers() -> Mapping[str, str]:
    """The headers by which another server continues the current trace; empty without tracing."""
    span = _current.get()
    return {} if span is None else span.headers


def carry_span(work: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
    """`work` with the current span, for a thread; `work` itself without tracing."""
    span = _current.get()
    if span is None:
        return work

    def run(argument: Argument) -> Result:
        before = _current.get()
        _current.set(span)
        try:
            return work(argument)
        finally:
            _current.set(before)

    return run
