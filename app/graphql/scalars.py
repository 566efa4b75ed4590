"""The Upload scalar: only a file that really came with the request."""

from typing import Any, NewType

import strawberry
from graphql import GraphQLError
from starlette.datastructures import UploadFile
from strawberry.types.scalar import ScalarDefinition

Upload = NewType("Upload", UploadFile)
"""A file of a multipart request; whoever reads it closes it."""


def _parse(value: object) -> UploadFile:
    if not isinstance(value, UploadFile):
        raise GraphQLError("A file must be sent as multipart/form-data, with null in its place in the variables.")
    return value


def _serialize(value: Any) -> Any:
    raise GraphQLError("A file can only be sent, not returned.")


def definitions() -> dict[object, ScalarDefinition]:
    """Our own scalars, for the schema's configuration."""
    upload = strawberry.scalar(
        name="Upload",
        description="A file, sent with the request as the GraphQL multipart request specification describes.",
        specified_by_url="https://github.com/jaydenseric/graphql-multipart-request-spec",
        parse_value=_parse,
        serialize=_serialize,
    )
    return {Upload: upload}
