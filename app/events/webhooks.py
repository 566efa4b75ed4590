"""Post events to HTTP servers, signed as Standard Webhooks specifies (https://www.standardwebhooks.com)."""

import asyncio
import base64
import hashlib
import hmac
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx

from app import __version__
from app.events.envelope import encode_event
from app.events.publisher import DestinationDown, EventRefused, RetryRule
from app.observation.connection_failures import describe_failure

# Answers of an overloaded server, or of a proxy in front of one that is down.
_DOWN = frozenset({429, 502, 503, 504})
# How much of a response is read, so that its connection can be used again; the rest is not needed.
_MAX_RESPONSE_BYTES = 64_000
_MAX_RETRY_AFTER = 3600.0


class WebhookPublisher:
    """One URL. Redirects are not followed: they could lead anywhere, and events hold what users wrote."""

    # The last retry is about 30 hours after the first attempt.
    when_refused = RetryRule(first=1, factor=5, longest=43_200, max_attempts=10)
    when_down = RetryRule(first=1, factor=2, longest=300)

    def __init__(self, number: int, url: str, keys: Sequence[bytes], seconds: float) -> None:
        """`keys` sign each event, one signature each. `seconds`: how long a whole request may take."""
        self.key = f"webhook:{hashlib.sha256(url.encode()).hexdigest()[:16]}"
        self.label = f"webhook-{number}"
        self.description = f"webhook {number} ({urlsplit(url).hostname})"
        self._url = url
        self._keys = tuple(keys)
        self._seconds = seconds
        self._client: httpx.AsyncClient | None = None

    async def publish(self, event: dict[str, Any]) -> None:
        """Post an event; the server has it once it answers with a status from 200 to 299."""
        body = encode_event(event)
        headers = {
            "content-type": "application/json",
            "user-agent": f"Footnote/{__version__}",
            **sign_webhook(event["eventId"], int(time.time()), body, self._keys),
        }
        try:
            async with asyncio.timeout(self._seconds):
                status, retry_after = await self._post(body, headers)
        except TimeoutError as error:
            raise DestinationDown("It does not respond in time.") from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise DestinationDown(f"It cannot be reached: {describe_failure(error)}.") from error
        if status in _DOWN:
            raise DestinationDown(f"It answers with status {status}.", retry_after)
        if not 200 <= status < 300:
            raise EventRefused(f"It answers with status {status}.")

    async def _post(self, body: bytes, headers: dict[str, str]) -> tuple[int, float | None]:
        """The status, and the seconds after which the server allows a retry, if it says so."""
        if self._client is None:
            self._client = httpx.AsyncClient(follow_redirects=False, timeout=self._seconds)
        async with self._client.stream("POST", self._url, content=body, headers=headers) as response:
            with suppress(httpx.HTTPError):  # it has the event; the rest of its answer does not matter
                size = 0
                async for piece in response.aiter_raw():
                    size += len(piece)
                    if size > _MAX_RESPONSE_BYTES:
                        break
            return response.status_code, _read_retry_after(response.headers.get("retry-after"))

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


def sign_webhook(event_id: str, timestamp: int, body: bytes, keys: Sequence[bytes]) -> dict[str, str]:
    """The headers of a webhook. `timestamp` is in seconds since 1970; receivers refuse old ones."""
    signed = f"{event_id}.{timestamp}.".encode() + body
    made = (base64.b64encode(hmac.digest(key, signed, "sha256")).decode() for key in keys)
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in made),
    }


def _read_retry_after(value: str | None) -> float | None:
    """Seconds; None without the header, or for a date."""
    return min(float(value), _MAX_RETRY_AFTER) if value is not None and value.isascii() and value.isdigit() else None
