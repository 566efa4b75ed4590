"""The GraphQL door: operations over HTTP, WebSocket and event streams in; calls of the services, and results, out."""

from app.graphql.export import schema_text
from app.graphql.foreign import ForeignPages, is_loopback
from app.graphql.options import Options
from app.graphql.persisted import read_manifest
from app.graphql.transport import GraphQLDoor, door

__all__ = ["ForeignPages", "GraphQLDoor", "Options", "door", "is_loopback", "read_manifest", "schema_text"]
