"""The errors that clients may see, as one tree with stable codes.

FootnoteError
├── NotFound            the object does not exist, or the user has no access to it
├── Invalid             an input breaks a rule; carries one Issue per broken rule
│   └── BadUserInput    an argument of a query (page size, cursor) is outside its range
├── Unauthenticated     the credential is missing, wrong, expired or revoked
├── Forbidden           the member's role does not allow it
├── RateLimited         too many requests in too short a time
├── Conflict            the current state of an object does not allow it
├── Unavailable         a required service is down; a retry may succeed
│   └── DatabaseLost    the database was removed or replaced; a retry does not help
├── DocumentError       a document cannot be processed; becomes its `failure`
├── AnswerError         an answer cannot be given; becomes its `failure`
│   ├── ModelUnavailable
│   │   ├── ModelUnreachable    there is no connection to its server
│   │   ├── ModelFailed         its server reports that this request failed
│   │   └── ModelRateLimited    its rate limit or quota is exhausted
│   ├── ModelNotFound, ModelTimeout, ModelUnauthorized, ModelRefused, ModelIncomplete
│   └── RetrievalUnavailable, ContextTooLong, Internal
└── StartError          the server cannot start: an invalid setting, a database of a newer version

No reference cycles: an error keeps the frames alive that it was raised through. If a variable in one of them refers to
the error, or to the task or future that holds it, everything in these frames (a file, a prompt, a request's body) stays
in memory until the garbage collector runs. So such a variable is deleted before its frame ends.
"""

import uuid
from dataclasses import dataclass
from typing import ClassVar


class FootnoteError(Exception):
    """Root of the tree; `message` is one sentence for the reader of an API response."""

    code: ClassVar[str] = "INTERNAL_SERVER_ERROR"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFound(FootnoteError):
    """There is no object of that kind with that id, or the user has no access to it."""

    code = "NOT_FOUND"

    def __init__(self, kind: str, id: str) -> None:
        super().__init__(f"There is no {kind} with this id.")
        self.kind = kind
        self.id = id


@dataclass(frozen=True, slots=True)
class Issue:
    """A rule that an input breaks: the path, a code (a ValidationCode), and a sentence that says what is allowed."""

    path: tuple[str, ...]
    code: str
    message: str


class Invalid(FootnoteError):
    """An input breaks one or more rules."""

    code = "BAD_USER_INPUT"

    def __init__(self, *issues: Issue) -> None:
        super().__init__(" ".join(issue.message for issue in issues))
        self.issues = issues

    @classmethod
    def at(cls, path: str, code: str, message: str) -> "Invalid":
        """An error with a single issue at `path`, whose steps are separated by dots."""
        return cls(Issue(tuple(path.split(".")), code, message))


class BadUserInput(Invalid):
    """An argument of a query is out of range, or is not one of our cursors."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(Issue((argument,), "INVALID", message))


class Unauthenticated(FootnoteError):
    """A credential is missing, wrong, expired or revoked."""

    code = "UNAUTHENTICATED"


class Forbidden(FootnoteError):
    """The user may see the object, but needs a higher role in the project for this."""

    code = "FORBIDDEN"


class RateLimited(FootnoteError):
    """Too many requests in too short a time; a retry is allowed after `retry_after_ms`."""

    code = "RATE_LIMITED"

    def __init__(self, message: str, retry_after_ms: int) -> None:
        super().__init__(message)
        self.retry_after_ms = retry_after_ms


class Conflict(FootnoteError):
    """The request conflicts with the state of an object; `conflicting` is its row if the user may see it."""

    code = "CONFLICT"

    def __init__(self, message: str, conflicting: object | None = None) -> None:
        super().__init__(message)
        self.conflicting = conflicting


class Unavailable(FootnoteError):
    """A service does not respond or is overloaded; retry after `retry_after_ms`."""

    code = "UNAVAILABLE"

    def __init__(self, message: str, service: str, retry_after_ms: int) -> None:
        super().__init__(message)
        self.service = service
        self.retry_after_ms = retry_after_ms


class DatabaseLost(Unavailable):
    """The database was removed, replaced or truncated: this process no longer uses it."""

    def __init__(self, message: str, retry_after_ms: int) -> None:
        super().__init__(message, "database", retry_after_ms)


class DocumentError(FootnoteError):
    """A document cannot be processed. `reason` is a stable code such as ENCRYPTED, EMPTY or NO_TEXT_LAYER."""

    code = "DOCUMENT"

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type["DocumentError"], tuple[str, str]]:
        # Parsing runs in another process: the error must survive pickling.
        return DocumentError, (self.reason, self.message)


class AnswerError(FootnoteError):
    """An answer fails. `failure` is an AnswerFailureCode; `retryable` says whether a retry may succeed."""

    failure: ClassVar[str] = "INTERNAL"
    retryable: ClassVar[bool] = False


class ModelUnavailable(AnswerError):
    """The model's server cannot be reached, is busy, or reports an internal error."""

    failure, retryable = "MODEL_UNAVAILABLE", True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelUnreachable(ModelUnavailable):
    """There is no connection to the model's server: it is down for all of its models."""


class ModelFailed(ModelUnavailable):
    """The model's server can be reached, and reports that this request failed."""


class ModelNotFound(AnswerError):
    """The provider does not have this model, or there is no provider with this name."""

    failure = "MODEL_NOT_FOUND"


class ModelTimeout(AnswerError):
    """No connection, no first token, or no next token within the time limit."""

    failure, retryable = "MODEL_TIMEOUT", True


class ModelRateLimited(ModelUnavailable):
    """The provider's rate limit or quota is exhausted."""

    failure, retryable = "MODEL_RATE_LIMITED", True


class ModelUnauthorized(AnswerError):
    """The provider does not accept our key."""

    failure = "MODEL_UNAUTHORIZED"


class ModelRefused(AnswerError):
    """The provider refuses the request, for example because of a content filter or an unknown parameter.

    `parameter` is the field of an OpenAI request that it refuses, if that is known.
    """

    failure = "MODEL_REFUSED"

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


class ModelIncomplete(AnswerError):
    """The stream ended without its final event, so the answer is incomplete."""

    failure, retryable = "MODEL_INCOMPLETE", True


class RetrievalUnavailable(AnswerError):
    """Neither full text nor vectors can be searched now."""

    failure, retryable = "RETRIEVAL_UNAVAILABLE", True


class ContextTooLong(AnswerError):
    """The parts of the prompt that cannot be shortened do not fit the model's context window."""

    failure = "CONTEXT_TOO_LONG"


class Internal(AnswerError):
    """An internal error; the log has the details."""

    failure, retryable = "INTERNAL", True


def failure_code(error: BaseException | None) -> str:
    """The AnswerFailureCode of an answer or a model call that ended early.

    CANCELLED if it was no error: a client that disconnects closes the generator, which raises nothing or GeneratorExit.
    """
    if isinstance(error, AnswerError):
        return error.failure
    return Internal.failure if isinstance(error, Exception) else "CANCELLED"


def new_reference() -> str:
    """A new id that is shown to a client for an internal error and leads to its entry in the log."""
    return uuid.uuid4().hex[:12]


class StartError(FootnoteError):
    """The server cannot start; the message names the setting or the file, and what is allowed."""
