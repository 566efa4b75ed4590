"""The GraphQL API, over HTTP, WebSocket and event streams."""

from app.graphql.execution.persisted import read_manifest
from app.graphql.export import schema_text
from app.graphql.options import Options
from app.graphql.transport.error_responses import error_response
from app.graphql.transport.view import GraphQLDoor, door

__all__ = ["GraphQLDoor", "Options", "door", "error_response", "read_manifest", "schema_text"]
