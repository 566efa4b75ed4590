"""GraphQL over HTTP, server-sent events, multipart responses and WebSocket."""
