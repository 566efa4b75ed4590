"""Expected errors: members of the result unions of mutations."""

from enum import Enum

import strawberry

from app.graphql.types.nodes import NodeType


@strawberry.interface(
    description="An error that clients are expected to handle. Select `... on Error { message }` as the "
    "catch-all branch of every mutation result."
)
class Error:
    message: str = strawberry.field(description="Human-readable error message, in one sentence.")


@strawberry.type(description="The object does not exist, or you have no access to it.")
class NotFoundError(Error):
    id: strawberry.ID | None = strawberry.field(description="The id that was requested.")


@strawberry.enum(description="The rule that an input value breaks.")
class ValidationCode(Enum):
    REQUIRED = strawberry.enum_value("REQUIRED", description="A value is required.")
    TOO_LONG = strawberry.enum_value("TOO_LONG", description="The text has too many characters.")
    STORAGE_FULL = strawberry.enum_value(
        "STORAGE_FULL",
        description="There is no more storage: the project's first owner has reached the limit for all of their "
        "projects.",
    )
    TOO_LARGE = strawberry.enum_value("TOO_LARGE", description="The value has too many bytes or entries.")
    OUT_OF_RANGE = strawberry.enum_value("OUT_OF_RANGE", description="The number is too small or too large.")
    INVALID = strawberry.enum_value("INVALID", description="The value is not valid here.")
    UNSUPPORTED = strawberry.enum_value("UNSUPPORTED", description="The server does not support this value.")
    NOT_UNIQUE = strawberry.enum_value("NOT_UNIQUE", description="The value is already taken.")


@strawberry.type(description="A rule that an input value breaks.")
class ValidationIssue:
    path: list[str] = strawberry.field(description="Path to the value within the input.")
    code: ValidationCode = strawberry.field(description="The rule that is broken.")
    message: str = strawberry.field(description="What is allowed, in one sentence.")


@strawberry.type(description="The input breaks one or more rules. Nothing was changed.")
class ValidationError(Error):
    issues: list[ValidationIssue] = strawberry.field(description="One issue for each broken rule.")


@strawberry.type(description="The request conflicts with the current state of an object. Nothing was changed.")
class ConflictError(Error):
    conflicting: NodeType | None = strawberry.field(
        description="The object in conflict. Null if there is none, or if you have no access to it."
    )


@strawberry.type(
    description="You may not do this: your role in the project is too low, or the chat session is someone else's."
)
class ForbiddenError(Error):
    pass


@strawberry.type(description="A required service is down or overloaded. Try again later.")
class UnavailableError(Error):
    service: str = strawberry.field(description="Name of the service.")
    retry_after_ms: int = strawberry.field(description="Milliseconds to wait before trying again.")


@strawberry.type(description="You have sent too many requests. Try again later.")
class RateLimitedError(Error):
    retry_after_ms: int = strawberry.field(description="Milliseconds to wait before trying again.")
