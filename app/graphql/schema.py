"""All types and operations in; the schema that the door executes out."""

from collections.abc import Iterable
from typing import Any, Self

import strawberry
from graphql import (
    GraphQLArgument,
    GraphQLError,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLObjectType,
    Undefined,
)
from strawberry.extensions import AddValidationRules
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from app.graphql import errors, limits, scalars
from app.graphql.mutations.chat import ChatMutations
from app.graphql.mutations.documents import DocumentMutations
from app.graphql.mutations.memories import MemoryMutations
from app.graphql.mutations.projects import ProjectMutations
from app.graphql.operations import OperationChoice, OperationScope
from app.graphql.queries import Query
from app.graphql.subscriptions import Subscription
from app.graphql.types import events, ingestion


@strawberry.type(
    description="Everything that can be changed. Each takes one `input` and returns a payload or an expected error."
)
class Mutation(ProjectMutations, DocumentMutations, ChatMutations, MemoryMutations):
    """See its description."""


class Schema(strawberry.Schema):
    """Strawberry's schema without its log: `errors.TopLevelErrors` logs what needs to be."""

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Log nothing here."""

    def without_null_defaults(self) -> Self:
        """An optional argument is just optional: `= null` after each would only be noise to its readers."""
        for kind in self._schema.type_map.values():
            if isinstance(kind, GraphQLInputObjectType):
                _forget_null(kind.fields.values())
            elif isinstance(kind, GraphQLObjectType):
                for field in kind.fields.values():
                    _forget_null(field.args.values())
        return self


def build_schema() -> Schema:
    """The schema with its own caches."""
    rules = limits.rules()
    documents = limits.Documents()
    extensions: list[Any] = [
        errors.TopLevelErrors,
        OperationScope,
        lambda: AddValidationRules(rules),
        lambda: limits.DocumentCache(documents),
        OperationChoice,
    ]
    schema = Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        types=[*events.KINDS, *ingestion.KINDS],
        extensions=extensions,
        exception_handlers=errors.handlers(),
        config=StrawberryConfig(scalar_map=scalars.definitions(), batching_config=None),
    )
    return schema.without_null_defaults()


def _forget_null(places: Iterable[GraphQLInputField | GraphQLArgument]) -> None:
    for place in places:
        if place.default_value is None:
            place.default_value = Undefined
