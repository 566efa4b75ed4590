"""Open the tracer, if settings name a receiver of traces."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from app.observation.tracing import Tracer
from app.settings import Settings

log = logging.getLogger(__name__)


@asynccontextmanager
async def open_tracer(settings: Settings) -> AsyncGenerator[Tracer | None]:
    """The tracer, for as long as the block lasts; None without a receiver.

    The library is imported here: it takes a tenth of a second and twenty megabytes.
    """
    endpoint = settings.traces_endpoint
    if endpoint is None:
        yield None
        return
    try:
        from app.observation.telemetry import OtlpTracer
    except ModuleNotFoundError as error:
        # The address may be set for all programs on a machine, so the server starts anyway.
        log.warning(
            "no traces, because %s is not installed: run `make run SERVER=1` in a checkout, or install Footnote with "
            "the extra `telemetry`",
            error.name,
        )
        yield None
        return
    tracer = OtlpTracer(endpoint, keeps_texts=settings.otel_instrumentation_genai_capture_message_content)
    try:
        yield tracer
    finally:
        await tracer.close()
