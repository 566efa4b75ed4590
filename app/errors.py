"""Every error a client may see, as one tree with stable codes.

FootnoteError
├── NotFound            what was asked for does not exist, or not for who asks
├── Invalid             an input breaks a rule; carries one Issue per broken rule
│   └── BadUserInput    an argument of a query (page size, cursor) is outside its range
├── Unauthenticated     no credential, or one that is wrong, expired or revoked
├── Forbidden           a member's role does not allow it
├── RateLimited         too much in too short a time
├── Conflict            the state of things does not allow it now
├── Unavailable         a service we need does not answer; worth another try
├── DocumentError       a document cannot be read; becomes its `failure`
├── AnswerError         an answer cannot be given; becomes its `failure`
│   ├── ModelUnavailable, ModelNotFound, ModelTimeout, ModelRateLimited, ModelUnauthorized,
│   │   ModelRefused, ModelIncomplete
│   └── RetrievalUnavailable, ContextTooLong, Interrupted, Internal
└── StartError          the server cannot start: a wrong setting, a database of a newer version
"""

from dataclasses import dataclass
from typing import ClassVar


class FootnoteError(Exception):
    """Root of the tree; `message` is one sentence for the reader of an API response."""

    code: ClassVar[str] = "INTERNAL_SERVER_ERROR"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFound(FootnoteError):
    """Nothing of that kind with that id, or nothing that the asker may see."""

    code = "NOT_FOUND"

    def __init__(self, kind: str, id: str) -> None:
        super().__init__(f"There is no {kind} with this id.")
        self.kind = kind
        self.id = id


@dataclass(frozen=True, slots=True)
class Issue:
    """One broken rule of an input: where, which (a ValidationCode), and a sentence that says what is allowed."""

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
    def one(cls, path: str, code: str, message: str) -> "Invalid":
        """An error of a single issue at `path` (dots separate its steps)."""
        return cls(Issue(tuple(path.split(".")), code, message))


class BadUserInput(Invalid):
    """An argument of a query is outside its range, or not a cursor of ours."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(Issue((argument,), "INVALID", message))


class Unauthenticated(FootnoteError):
    """There is no credential where one is needed, or it is wrong, expired or revoked."""

    code = "UNAUTHENTICATED"


class Forbidden(FootnoteError):
    """Who asks may see it, and may not do this to it: their role in the project is too small."""

    code = "FORBIDDEN"


class RateLimited(FootnoteError):
    """Too much in too short a time; the same again is allowed after `retry_after_ms`."""

    code = "RATE_LIMITED"

    def __init__(self, message: str, retry_after_ms: int) -> None:
        super().__init__(message)
        self.retry_after_ms = retry_after_ms


class Conflict(FootnoteError):
    """Another thing stands in the way; `conflicting` is its row when the asker may see it."""

    code = "CONFLICT"

    def __init__(self, message: str, conflicting: object | None = None) -> None:
        super().__init__(message)
        self.conflicting = conflicting


class Unavailable(FootnoteError):
    """A service does not answer or is full; try again after `retry_after_ms`."""

    code = "UNAVAILABLE"

    def __init__(self, message: str, service: str, retry_after_ms: int) -> None:
        super().__init__(message)
        self.service = service
        self.retry_after_ms = retry_after_ms


class DocumentError(FootnoteError):
    """A document cannot be read. `reason` is a stable code such as ENCRYPTED, EMPTY or NO_TEXT_LAYER."""

    code = "DOCUMENT"

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type["DocumentError"], tuple[str, str]]:
        # Parsing runs in another process: the error has to survive the way back.
        return DocumentError, (self.reason, self.message)


class AnswerError(FootnoteError):
    """An answer breaks off. `failure` is an AnswerFailureCode; `retryable` says whether the same again may work."""

    failure: ClassVar[str] = "INTERNAL"
    retryable: ClassVar[bool] = False


class ModelUnavailable(AnswerError):
    """The model's server cannot be reached, is busy, or answers with an error of its own."""

    failure, retryable = "MODEL_UNAVAILABLE", True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelNotFound(AnswerError):
    """The server does not have this model, or no provider has this name."""

    failure = "MODEL_NOT_FOUND"


class ModelTimeout(AnswerError):
    """No connection, no first token, or no next token within the time limit."""

    failure, retryable = "MODEL_TIMEOUT", True


class ModelRateLimited(ModelUnavailable):
    """Too many requests or no quota left at the provider."""

    failure, retryable = "MODEL_RATE_LIMITED", True


class ModelUnauthorized(AnswerError):
    """The provider does not accept our key."""

    failure = "MODEL_UNAUTHORIZED"


class ModelRefused(AnswerError):
    """The provider refuses this request (a content filter, a parameter it does not take)."""

    failure = "MODEL_REFUSED"


class ModelIncomplete(AnswerError):
    """The stream ended without its terminal frame: what came is not the whole answer."""

    failure, retryable = "MODEL_INCOMPLETE", True


class RetrievalUnavailable(AnswerError):
    """Neither full text nor vectors can be searched now."""

    failure, retryable = "RETRIEVAL_UNAVAILABLE", True


class ContextTooLong(AnswerError):
    """What may not be shortened does not fit the model's context window."""

    failure = "CONTEXT_TOO_LONG"


class Interrupted(AnswerError):
    """The server stopped while the answer was being given."""

    failure, retryable = "INTERRUPTED", True


class Internal(AnswerError):
    """Something of ours broke; the log has the details under an id."""

    failure, retryable = "INTERNAL", True


class StartError(FootnoteError):
    """The server cannot start; the message names the setting or the file, and what is allowed."""
