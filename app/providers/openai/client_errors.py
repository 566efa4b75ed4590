"""The errors of the `openai` client."""

import httpx2
import openai

from app import errors
from app.providers.resilience.error_mapping import ClientErrors, ErrorMapper


def _map_reported(mapper: ErrorMapper, error: Exception) -> errors.AnswerError | None:
    if isinstance(error, openai.APIStatusError):
        return mapper.map_status(error.status_code, error.response.text, error.response.headers)
    if isinstance(error, openai.APIError) and error.body is not None:
        return mapper.map_reported_error(error.body)
    return None


CLIENT_ERRORS = ClientErrors(
    raised=(openai.OpenAIError,),
    timeouts=(openai.APITimeoutError,),
    unreachable=(openai.APIConnectionError,),
    map_reported=_map_reported,
    # One model behind a router may be at fault for them.
    connected=(httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError),
)
