"""The GraphQL door: operations over HTTP, WebSocket and event streams in; calls of the services, and results, out."""

from app.graphql.export import schema_text
from app.graphql.foreign import ForeignPages
from app.graphql.options import Options
from app.graphql.originals import PATH as ORIGINALS
from app.graphql.originals import Originals
from app.graphql.persisted import read_manifest
from app.graphql.transport import GraphQLDoor, door

__all__ = ["ORIGINALS", "ForeignPages", "GraphQLDoor", "Options", "Originals", "door", "read_manifest", "schema_text"]
