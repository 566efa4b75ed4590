"""Read the body of a request as a JSON object."""

import asyncio
import json
from typing import cast

from starlette.requests import Request

from app.http import strict_json
from app.openai_api.refusals import RequestRefused
from app.providers.base import JsonObject

# Parsing takes about a millisecond per 100 KB. Larger bodies are parsed in a thread, to keep the event loop free.
_INLINE_BYTES = 200_000


async def read_json_object(request: Request) -> JsonObject:
    """The object. Raises RequestRefused: 415 for another media type, 400 for anything but a JSON object."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        # A browser lets pages of other sites send some other media types without a CORS preflight.
        raise RequestRefused(
            "Send the request as `Content-Type: application/json`.", code="invalid_content_type", status=415
        )
    try:
        raw = await request.body()
        large = len(raw) > _INLINE_BYTES
        found = await asyncio.to_thread(strict_json.decode, raw) if large else strict_json.decode(raw)
    except json.JSONDecodeError as error:
        raise RequestRefused(f"The body is not valid JSON: {error.msg}.", code="invalid_json") from error
    if not isinstance(found, dict):
        raise RequestRefused("The body must be a JSON object.", code="invalid_json")
    return cast("JsonObject", found)
