"""Odd values in every place of the GraphQL schema and of the OpenAI API, where nothing may break."""
