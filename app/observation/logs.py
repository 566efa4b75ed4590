"""The server's log on standard error: lines for people, or a JSON object per line for programs."""

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pythonjsonlogger.json import JsonFormatter

from app.observation import request_context, tracing

LogFormat = Literal["TEXT", "JSON"]

# DEL and C1, which terminals obey; other line ends; and direction marks, which change how the rest is shown. Then C0,
# which JSON escapes anyway.
_DIRECTIONS = (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROLS = (*range(127, 160), 0x2028, 0x2029, *_DIRECTIONS)
_ESCAPES = {code: ascii(chr(code))[1:-1] for code in (*range(32), *_CONTROLS)}
_JSON_ESCAPES = {code: f"\\u{code:04x}" for code in _CONTROLS}
# What looks like the end of a value: any space, or a quotation mark.
_AMBIGUOUS = re.compile('[ "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]')
_TEXT = "%(asctime)s %(levelname)s [%(process)d] %(name)s: %(message)s"


@dataclass(frozen=True, slots=True)
class LogFields:
    """The fields of a record: `name=value` pairs in a line of text, fields of their own in JSON.

    Passed to a logger as its only argument: `log.info("answer %s", LogFields({...}))`.
    """

    values: Mapping[str, str | float | bool | None]

    def __str__(self) -> str:
        return " ".join(f"{name}={_quote_value(value)}" for name, value in self.values.items() if value is not None)


def _quote_value(value: str | float | bool) -> str:
    """The value in a line of pairs: in quotation marks if it could be taken for more than one."""
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if _AMBIGUOUS.search(text) else text


class _TextLines(logging.Formatter):
    """Adds the ids of the current span, if there is one. A message takes one line, whatever it contains."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        line = super().formatMessage(record).translate(_ESCAPES)
        span = tracing.current_span()
        return line if span is None else f"{line} trace_id={span.trace_id} span_id={span.span_id}"


class _JsonLines(JsonFormatter):
    """Adds the ids of the current request and span, and the fields of a record."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever the message contains."""
        return super().format(record).translate(_JSON_ESCAPES)

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
    # It would log a traceback for each connection that is already lost when it is closed; its user gets an error.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)


def _json_formatter() -> logging.Formatter:
    return _JsonLines(
        ["levelname", "process", "name", "message"],
        rename_fields={"levelname": "level", "name": "logger", "exc_info": "exception"},
        timestamp=True,
        json_ensure_ascii=False,
    )
