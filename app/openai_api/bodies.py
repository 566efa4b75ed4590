"""The body of a request as a JSON object."""

import asyncio
import json
from typing import cast

from starlette.requests import Request

from app.http import strict_json
from app.openai_api.refusals import Refused
from app.providers.base import JsonObject

# Parsing a body takes about a millisecond for each 100 KB; larger ones do not hold up the event loop's other work.
_INLINE_BYTES = 200_000


async def read(request: Request) -> JsonObject:
    """The object. Raises Refused: 415 for another media type than JSON, 400 for what is no JSON object."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        # A page of another site can send any other type without asking the browser first.
        raise Refused("Send the request as `Content-Type: application/json`.", code="invalid_content_type", status=415)
    try:
        raw = await request.body()
        large = len(raw) > _INLINE_BYTES
        found = await asyncio.to_thread(strict_json.decode, raw) if large else strict_json.decode(raw)
    except json.JSONDecodeError as error:
        raise Refused(f"The body is not valid JSON: {error.msg}.", code="invalid_json") from error
    if not isinstance(found, dict):
        raise Refused("The body must be a JSON object.", code="invalid_json")
    return cast("JsonObject", found)
