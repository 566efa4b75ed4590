"""Tests of GraphQL over HTTP, WebSocket, server-sent events and multipart."""
