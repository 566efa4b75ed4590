"""Export the schema in the schema definition language, as in `schema.graphql`."""

from app.graphql.api_config import GraphQLConfig
from app.graphql.schema import build_schema


def schema_text() -> str:
    """The schema as text, ending in one line break. The same schema always gives the same text."""
    return build_schema(GraphQLConfig(max_upload_bytes=0)).as_str().strip() + "\n"
