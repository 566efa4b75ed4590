"""The errors of the `ollama` client, and of httpx below it."""

from dataclasses import replace

import ollama

from app import errors
from app.providers import httpx_client
from app.providers.resilience.error_mapping import ErrorMapper


def _map_reported(mapper: ErrorMapper, error: Exception) -> errors.AnswerError | None:
    if isinstance(error, ollama.ResponseError):
        return mapper.map_status(error.status_code, error.error)
    return httpx_client.map_status_error(mapper, error)


CLIENT_ERRORS = replace(
    httpx_client.CLIENT_ERRORS,
    raised=(*httpx_client.CLIENT_ERRORS.raised, ollama.RequestError, ollama.ResponseError),
    map_reported=_map_reported,
)
