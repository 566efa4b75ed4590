"""The GraphQL API, over HTTP, WebSocket and event streams."""

from app.graphql.api_config import GraphQLConfig
from app.graphql.execution.persisted import read_manifest
from app.graphql.schema import schema_text
from app.graphql.transport.error_responses import error_response
from app.graphql.transport.view import GraphQLAPI, create_graphql_api

__all__ = ["GraphQLAPI", "GraphQLConfig", "create_graphql_api", "error_response", "read_manifest", "schema_text"]
