"""The schema out, as text in the schema definition language: what `schema.graphql` holds."""

from app.graphql.options import GraphQLOptions
from app.graphql.schema import build_schema


def schema_text() -> str:
    """The same text for the same schema, ending in one line break."""
    return build_schema(GraphQLOptions(max_upload_bytes=0)).as_str().strip() + "\n"
