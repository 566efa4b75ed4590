"""Fuzzing: odd values in every argument of the GraphQL schema and every field of the OpenAI API."""
