"""The body of a request as a JSON object, bounded in bytes, in values and in time."""

import asyncio
import json
from typing import NoReturn, cast

from starlette.requests import Request

from app import json_values, language, quotas
from app.openai_api.refusals import Refused
from app.providers.base import JsonObject

_SECONDS = 60.0
# Parsing a body takes about a millisecond for each 100 KB; larger ones do not hold up the event loop's other work.
_INLINE_BYTES = 200_000


async def read(request: Request, limit: int, share: quotas.Share) -> JsonObject:
    """The object; its bytes are held in `share`.

    Raises Refused: 415 for what does not say it is JSON, 413, 408, and 400 for what is none; RateLimited and
    Unavailable while too much is held.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        # A page of another site can send any other type without asking the browser first.
        raise Refused("Send the request as `Content-Type: application/json`.", code="invalid_content_type", status=415)
    raw = await _bytes(request, limit, share)
    try:
        found = await asyncio.to_thread(_decode, raw) if len(raw) > _INLINE_BYTES else _decode(raw)
    except (ValueError, RecursionError) as error:
        raise Refused(f"The body is not valid JSON: {_reason(error)}.", code="invalid_json") from error
    if not isinstance(found, dict):
        raise Refused("The body must be a JSON object.", code="invalid_json")
    return cast("JsonObject", found)


async def _bytes(request: Request, limit: int, share: quotas.Share) -> bytes:
    said = request.headers.get("content-length", "")
    if said.isdigit() and len(said) < 20:
        if int(said) > limit:
            raise _too_large(limit)
        share.grow(int(said))
    pieces, size = list[bytes](), 0
    try:
        async with asyncio.timeout(_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > limit:
                    raise _too_large(limit)
                share.grow(size)
                pieces.append(piece)
    except TimeoutError as error:
        message = f"The body has not arrived within {_SECONDS:g} seconds."
        raise Refused(message, code="request_timeout", status=408) from error
    return b"".join(pieces)


def _too_large(limit: int) -> Refused:
    return Refused(f"The body may have at most {limit:,} bytes.", code="request_too_large", status=413)


def _decode(raw: bytes) -> object:
    json_values.check(raw)
    return _whole(json.loads(raw, parse_constant=_no_number, parse_float=_finite))


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _whole(value: object) -> object:
    """Half of a character (JavaScript cuts strings there) becomes a replacement sign: it cannot be sent on."""
    if isinstance(value, str):
        return language.whole(value)
    if isinstance(value, list):
        return [_whole(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {language.whole(key): _whole(item) for key, item in cast("dict[str, object]", value).items()}
    return value


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg.lower()} at line {error.lineno}, column {error.colno}"
        case UnicodeDecodeError():
            return "it is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return str(error)
