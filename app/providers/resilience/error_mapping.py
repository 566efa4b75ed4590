"""Map the errors of model servers' clients to AnswerErrors.

The code that uses a client library declares the library's errors, so that no library is imported needlessly.

Each AnswerError has a one-sentence message that names the model and the provider. It quotes the server only for
rejections and internal failures, and only after removing keys, addresses and the like: servers echo keys ("Incorrect
API key provided: …"), and httpx writes full URLs into its messages.
"""

import asyncio
import json
import math
import re
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast
from urllib.parse import urlsplit

from app import errors, safe_text
from app.addresses import is_loopback
from app.observation import connection_failures
from app.providers import server_values
from app.providers.resilience.redirects import RedirectedElsewhere
from app.providers.resilience.response_sizes import ResponseRefused, ResponseTooLong

# Errors that any client may raise besides its own; the ollama client raises ConnectionError.
_OTHER_ERRORS = (
    ConnectionError,
    ValueError,  # from JSON, UTF-8 and pydantic
    RecursionError,  # JSON that is nested too deeply
    ResponseRefused,
)
# llama.cpp, vLLM, OpenAI, Anthropic, Ollama (a prompt; an embedding), llama.cpp's embeddings (a 500); SGLang, vLLM,
# Gemini, LM Studio (two), llama-box
_TOO_LONG = re.compile(
    r"exceed_context_size|context_length_exceeded|maximum context length|prompt is (?:too long|longer than)"
    r"|available context size|input length exceeds|too large to process|max_model_len"
    r"|longer than the (?:model's context|maximum model) length"
    r"|exceeds the maximum number of tokens|context length of only|greater than the context length"
    r"|exceeds the context size",
    re.IGNORECASE,
)
_NO_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|insufficient credits", re.IGNORECASE)
_LONGEST_WAIT = 86_400.0
_STATUS = re.compile(r"[1-5][0-9]{2}")
# The names of fields, in which no key or address is hidden.
_PARAMETER = re.compile(r"[a-zA-Z_]{1,40}(?:(?:\.[a-zA-Z_]{1,40})|\[\d{1,6}\]){0,8}")
_SECRETS = re.compile(
    r"(?<!\S)\S+://\S+|(?i:bearer|basic)\s++\S+|\b(?:sk|pk|key)-\S+|(?<![\w*.-])(?=[\w*.-]*\d)[\w*.-]{20,}"
)


class QuotaExhausted(errors.ModelRateLimited):
    """A 429 that waiting does not resolve."""

    failure, retryable = "MODEL_RATE_LIMITED", False


@dataclass(frozen=True, slots=True)
class ClientErrors:
    """The errors that a client library raises: all of them, those for timeouts, and those for a lost connection.

    `connected`: those of the last group, or their causes, which imply that there was a connection.
    `map_reported` returns the AnswerError for an error that the server reported; None for any other.
    """

    raised: tuple[type[Exception], ...]
    timeouts: tuple[type[Exception], ...]
    unreachable: tuple[type[Exception], ...]
    map_reported: Callable[["ErrorMapper", Exception], errors.AnswerError | None]
    connected: tuple[type[Exception], ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorMapper:
    """Translates errors of one model's client into AnswerErrors; removes `secrets` from all messages.

    `mistake`: what is probably wrong with the server's address if nothing is found there, as a clause.
    """

    client: ClientErrors
    provider: str
    model: str = ""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    mistake: str | None = None

    @property
    def label(self) -> str:
        """The model and provider, as named in error messages."""
        return f"{self.model} at {self.provider}" if self.model else self.provider

    @contextmanager
    def translate_errors(self, *, reading: bool = False) -> Generator[None]:
        """Translate library errors into AnswerErrors; while `reading`, a broken connection is an incomplete answer."""
        try:
            yield
        except (*self.client.raised, *_OTHER_ERRORS) as error:
            raise self.map_exception(error, reading=reading) from error

    @asynccontextmanager
    async def request_within(self, seconds: float) -> AsyncGenerator[None]:
        """For a request with a single response: translate errors, and raise ModelTimeout after `seconds`."""
        try:
            with self.translate_errors():
                async with asyncio.timeout(seconds):
                    yield
        except TimeoutError as error:
            raise errors.ModelTimeout(f"{self.label} has not answered within {seconds:g} seconds.") from error
        except (TypeError, AttributeError) as error:  # both clients rely on the shape of the JSON
            raise self.unexpected_response() from error

    def map_exception(self, error: Exception, *, reading: bool = False) -> errors.AnswerError:
        """The AnswerError for an exception of the client."""
        refused = next((each for each in (error, error.__cause__) if isinstance(each, ResponseRefused)), None)
        if refused is not None:
            return self._map_refused(refused)
        if isinstance(error, self.client.timeouts):
            return errors.ModelTimeout(f"{self.label} cannot be reached: the connection timed out.")
        if (reported := self.client.map_reported(self, error)) is not None:
            return reported
        if reading:
            return self.incomplete_answer()
        if isinstance(error, (*self.client.unreachable, ConnectionError)):
            is_connected = any(isinstance(each, self.client.connected) for each in (error, error.__cause__))
            kind = errors.ModelUnavailable if is_connected else errors.ModelUnreachable
            otherwise = connection_failures.CLOSED if is_connected else connection_failures.FAILED
            cause = connection_failures.describe_failure(error, otherwise)
            return kind(f"{self.label} cannot be reached: {cause}.")
        return self.unexpected_response()

    def _map_refused(self, error: ResponseRefused) -> errors.AnswerError:
        if isinstance(error, ResponseTooLong):
            return errors.ModelIncomplete(f"{self.label} sent more than an answer can hold; the rest was not read.")
        if isinstance(error, RedirectedElsewhere):
            return errors.ModelUnavailable(
                f"{self.label} redirects to another server, which is not allowed; check its address."
            )
        return self.unexpected_response()

    def map_status(self, status: int, body: str, headers: Mapping[str, str] | None = None) -> errors.AnswerError:
        """The AnswerError for an HTTP status other than success.

        A 500 means that the server failed on this request; 502 to 504 come from a proxy in front of it. A 413 comes
        from Text Embeddings Inference, also for too many texts, or from a proxy.
        """
        if status == 413 or (status in {400, 422, 500} and _TOO_LONG.search(body)):
            return errors.ContextTooLong(f"The input is too long for {self.label}.")
        if status in {401, 403}:
            return errors.ModelUnauthorized(f"The key for {self.label} is not accepted.")
        if status == 402 or (status == 429 and _NO_QUOTA.search(body)):
            return QuotaExhausted(f"No quota is left for {self.label}.")
        if status == 404 or (status == 405 and self.mistake):
            return errors.ModelNotFound(
                f"There is no {self.model or 'list of models'} at {self.provider}{self._mistake_behind(body)}."
            )
        wait = parse_retry_after(headers or {})
        if status == 429:
            return errors.ModelRateLimited(f"{self.label} accepts no more requests for now.", wait)
        if status >= 500 or status in {408, 409, 425} or status < 400:
            kind = errors.ModelFailed if status == 500 else errors.ModelUnavailable
            return kind(f"{self.label} cannot answer now{self._reason(body)}.", wait)
        return errors.ModelRefused(f"{self.label} refuses the request{self._reason(body)}.", _find_parameter(body))

    def map_reported_error(self, body: object) -> errors.AnswerError:
        """The AnswerError for an error sent as data: an event in a stream, or the body of a 200."""
        code = cast("dict[str, object]", body).get("code") if isinstance(body, dict) else None
        text = json.dumps(body)
        if not (isinstance(code, int) or (isinstance(code, str) and _STATUS.fullmatch(code))):
            code = 429 if "rate_limit" in text or _NO_QUOTA.search(text) else 500
        status = int(code)
        return self.map_status(500 if status > 500 else status, text)

    def incomplete_answer(self) -> errors.ModelIncomplete:
        """The error for a stream that ended without its terminal frame."""
        return errors.ModelIncomplete(f"The answer from {self.label} ended early.")

    def failed_answer(self) -> errors.ModelFailed:
        """The error for a stream that reports an error at its end."""
        return errors.ModelFailed(f"{self.label} ended its answer with an error.")

    def unusable_vectors(self) -> errors.ModelFailed:
        """The error for vectors that are too few or too many, of different lengths, or not of finite numbers."""
        return errors.ModelFailed(f"{self.label} answered with vectors that cannot be used.")

    def unexpected_response(self) -> errors.ModelUnavailable:
        """The error for a response that is not from a model server (a web page, other JSON)."""
        advice = self.mistake or "check it"
        return errors.ModelUnavailable(f"The address of {self.label} is not that of a model server; {advice}.")

    def _mistake_behind(self, body: str) -> str:
        """The mistake that may be why there is no model, unless the server says that it does not have this one."""
        is_named = self.model and self.model in _find_message(body)
        return "" if is_named or self.mistake is None else f"; {self.mistake}"

    def _reason(self, body: str) -> str:
        said = safe_text.to_one_line(_find_message(body), 2000)
        for secret in filter(None, self.secrets):
            said = said.replace(secret, "…")
        said = _SECRETS.sub("…", said)[:200].rstrip(". ")
        return f": {said}" if said and "<" not in said else ""


def _find_message(body: str, depth: int = 3) -> str:
    """The message in an error's JSON; Ollama nests its runner's JSON as a string."""
    try:
        data = server_values.decode_json(body)
    except ValueError:
        return body
    while isinstance(data, dict):
        fields = cast("dict[str, object]", data)
        data = fields.get("error") or fields.get("message") or fields.get("detail") or ""
    if not isinstance(data, str):
        return ""
    return _find_message(data, depth - 1) if depth and data.startswith("{") else data


def _find_parameter(body: str) -> str | None:
    """The field that an error's JSON names: `param` of OpenAI's, or the end of the path in FastAPI's."""
    try:
        fields = server_values.read_fields(server_values.decode_json(body))
    except ValueError:
        return None
    details = fields.get("detail")
    if isinstance(details, list) and details:
        steps = server_values.read_fields(cast("list[object]", details)[0]).get("loc")
        named = _join_steps(cast("list[object]", steps)) if isinstance(steps, list) else None
    else:
        named = (server_values.read_fields(fields.get("error")) or fields).get("param")
    return named if isinstance(named, str) and _PARAMETER.fullmatch(named) else None


def _join_steps(steps: Sequence[object]) -> str:
    """The path of a field in a body, as OpenAI writes it: `messages[0].content`."""
    written = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return written.removeprefix(".body").removeprefix(".")


def is_local_url(url: str) -> bool:
    """Whether `url` is on this machine."""
    return is_loopback(urlsplit(url).hostname or "")


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds to wait from the Retry-After header, which contains seconds or a date; at most a day."""
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        pass
    else:
        return min(max(0.0, seconds), _LONGEST_WAIT) if math.isfinite(seconds) else None
    try:
        seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        return min(max(0.0, seconds), _LONGEST_WAIT)
    except (ValueError, TypeError, OverflowError):
        return None
