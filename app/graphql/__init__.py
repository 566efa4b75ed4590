"""The GraphQL door: operations over HTTP, WebSocket and event streams in; calls of the services, and results, out."""

from app.graphql.execution.persisted import read_manifest
from app.graphql.export import schema_text
from app.graphql.options import Options
from app.graphql.originals import PATH as ORIGINALS
from app.graphql.originals import Originals
from app.graphql.transport.view import GraphQLDoor, door
from app.http.origins import ForeignPages

__all__ = ["ORIGINALS", "ForeignPages", "GraphQLDoor", "Options", "Originals", "door", "read_manifest", "schema_text"]
