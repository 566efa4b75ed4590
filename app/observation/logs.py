"""The server's log on standard error: lines for people, or a JSON object per line for programs."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pythonjsonlogger.json import JsonFormatter

from app.observation import request_context, tracing

LogFormat = Literal["TEXT", "JSON"]

# C0 and C1, and what else ends a line.
_ESCAPES = {code: ascii(chr(code))[1:-1] for code in (*range(32), *range(127, 160), 0x2028, 0x2029)}
_TEXT = "%(asctime)s %(levelname)s [%(process)d] %(name)s: %(message)s"


@dataclass(frozen=True, slots=True)
class LogFields:
    """The fields of a record: `name=value` pairs in a line of text, fields of their own in JSON.

    Passed to a logger as its only argument: `log.info("answer %s", LogFields({...}))`.
    """

    values: Mapping[str, str | float | bool | None]

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values.items() if value is not None)


class _TextLines(logging.Formatter):
    """Adds the ids of the current span, if there is one. Whatever others wrote into a message, it has one line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        line = super().formatMessage(record).translate(_ESCAPES)
        span = tracing.current_span()
        return line if span is None else f"{line} trace_id={span.trace_id} span_id={span.span_id}"


class _JsonLines(JsonFormatter):
    """Adds the ids of the request and of the span that are being worked for, and the fields of a record."""

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        super().add_fields(log_data, record, message_dict)
        log_data["request_id"] = request_context.current_id()
        if span := tracing.current_span():
            log_data |= {"trace_id": span.trace_id, "span_id": span.span_id}
        match record.args:
            case (LogFields(values),):
                log_data |= {"message": str(record.msg).removesuffix(" %s"), **values}
            case _:
                pass


def configure_logging(level: str, log_format: LogFormat) -> None:
    """Log everything from `level` on to standard error, instead of what was configured before."""
    handler = logging.StreamHandler()
    handler.setFormatter(_json_formatter() if log_format == "JSON" else _TextLines(_TEXT))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # It would log a traceback for each connection that is already lost when it is closed; whoever used it is told.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)


def _json_formatter() -> logging.Formatter:
    return _JsonLines(
        ["levelname", "process", "name", "message"],
        rename_fields={"levelname": "level", "name": "logger", "exc_info": "exception"},
        timestamp=True,
        json_ensure_ascii=False,
    )
