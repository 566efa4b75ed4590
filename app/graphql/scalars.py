"""The Upload scalar, which accepts only files that were sent with the request, and the description of DateTime."""

import dataclasses
from datetime import datetime
from typing import Any, NewType

import strawberry
from graphql import GraphQLError
from starlette.datastructures import UploadFile
from strawberry.schema.types.base_scalars import DateTimeDefinition
from strawberry.types.scalar import ScalarDefinition

Upload = NewType("Upload", UploadFile)
"""A file of a multipart request, open until the operation ends: several of its fields may read it."""


def _parse_upload(value: object) -> UploadFile:
    if not isinstance(value, UploadFile):
        raise GraphQLError("A file must be sent as multipart/form-data, with null in its place in the variables.")
    return value


def _refuse_output(value: Any) -> Any:
    raise GraphQLError("A file can only be sent, not returned.")


def scalar_definitions() -> dict[object, ScalarDefinition]:
    """The scalars that differ from Strawberry's, for the schema's configuration."""
    upload = strawberry.scalar(
        name="Upload",
        description="A file, sent as described in the GraphQL multipart request specification.",
        specified_by_url="https://github.com/jaydenseric/graphql-multipart-request-spec",
        parse_value=_parse_upload,
        serialize=_refuse_output,
    )
    date_time = dataclasses.replace(
        DateTimeDefinition,
        description="ISO 8601 date and time with a time zone.",
        specified_by_url="https://datatracker.ietf.org/doc/html/rfc3339#section-5.6",
    )
    return {Upload: upload, datetime: date_time}
