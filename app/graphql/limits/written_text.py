"""Count the text of mutations toward what their user may write per day, before they run."""

# graphql-core does not type what its wrapping types wrap.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, cast

from graphql import GraphQLField, GraphQLSchema, GraphQLUnionType
from graphql import get_named_type as named_type

from app import errors
from app.graphql.errors import error_result

UNCOUNTED = frozenset(
    [
        "addTextDocument",
        "addTextDocuments",
        "cancelAnswer",
        "cancelEmbeddingSwitch",
        "changePassword",
        "deleteChatSession",
        "deleteDocument",
        "deleteProject",
        "forget",
        "redeemSetupToken",
        "removeProjectMember",
        "rereadDocuments",
        "revokeAccessToken",
        "selectBranch",
        "signIn",
        "signOut",
        "uploadDocument",
        "withdrawRating",
    ]
)
"""Mutations that store nothing more, and those of documents that are counted as uploads.

Users who have written too much must still be able to delete it.
"""

Resolve = Callable[..., Any]


def enforce_allowance(schema: GraphQLSchema) -> None:
    """Make every mutation that stores something count its text first."""
    mutation = schema.mutation_type
    for name, field in mutation.fields.items() if mutation is not None else ():
        if name not in UNCOUNTED and field.resolve is not None:
            field.resolve = _with_allowance(field, field.resolve)


def _with_allowance(field: GraphQLField, resolve: Resolve) -> Resolve:
    result = named_type(field.type)
    typed = isinstance(result, GraphQLUnionType) and any(kind.name == "RateLimitedError" for kind in result.types)

    @wraps(resolve)
    async def count_and_resolve(source: Any, info: Any, **values: Any) -> Any:
        try:
            await info.context.access.text.spend(written_length(values))
        except errors.RateLimited as error:
            if typed:
                return error_result(error)
            raise
        resolved: Awaitable[Any] = resolve(source, info, **values)
        return await resolved

    return count_and_resolve


def written_length(value: Any) -> int:
    """The characters in a value of JSON, whose depth is limited; anything but text counts as one."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return sum(len(key) + written_length(inner) for key, inner in pairs)
    if isinstance(value, list):
        return sum(map(written_length, cast("list[Any]", value)))
    return len(value) if isinstance(value, str) else 1
