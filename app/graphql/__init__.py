"""The GraphQL door: operations over HTTP, WebSocket and event streams in; calls of the services, and results, out."""

from app.graphql.export import schema_text
from app.graphql.options import Options
from app.graphql.transport import door

__all__ = ["Options", "door", "schema_text"]
