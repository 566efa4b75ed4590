"""The settings of events: where they are delivered to, what they contain, and how long they are kept."""

import base64
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr

from app import addresses
from app.settings.server import ServerSettings
from app.settings.types import List, Secret

MAX_WEBHOOKS = 10
_SECRET_PREFIX = "whsec_"  # noqa: S105 - not a secret, but how secrets begin
# As Standard Webhooks specifies.
_SECRET_BYTES = range(24, 65)


def _check_broker(value: SecretStr | None) -> SecretStr | None:
    if value is not None and not _is_broker_url(value.get_secret_value()):
        raise ValueError("must be a URL such as amqp://USER:PASSWORD@HOST:5672/VHOST, or one with amqps://")
    return value


def _is_broker_url(value: str) -> bool:
    try:
        url = urlsplit(value)
        return url.scheme in ("amqp", "amqps") and bool(url.hostname) and url.port != 0
    except ValueError:  # an invalid port, or an unbalanced bracket
        return False


def _check_webhooks(value: list[str]) -> list[str]:
    if len(value) > MAX_WEBHOOKS:
        raise ValueError(f"must be at most {MAX_WEBHOOKS} URLs, separated by commas")
    for url in value:
        addresses.check_web_address(url)
    if len(set(value)) < len(value):
        raise ValueError("must not name a URL twice")
    return value


def _check_secret(value: SecretStr | None) -> SecretStr | None:
    if value is not None:
        _decode_keys(value)
    return value


def _decode_keys(secret: SecretStr) -> list[bytes]:
    """The keys in a secret. Raises ValueError."""
    keys: list[bytes] = []
    for part in secret.get_secret_value().split(","):
        text = part.strip()
        try:
            keys.append(base64.b64decode(text.removeprefix(_SECRET_PREFIX), validate=True))
        except ValueError:
            keys.append(b"")
        if not text.startswith(_SECRET_PREFIX) or len(keys[-1]) not in _SECRET_BYTES:
            raise ValueError(
                f"must be `{_SECRET_PREFIX}` and 24 to 64 random bytes in base64, as `openssl rand -base64 32` makes "
                "them; several are separated by commas"
            )
    return keys


class EventSettings(ServerSettings):
    """Where events go. Without any of it, none are written."""

    amqp_url: Annotated[Secret, AfterValidator(_check_broker)] = Field(
        None,
        description="Broker (RabbitMQ) that events are published to, as `amqp://USER:PASSWORD@HOST:5672/VHOST`; needs "
        "the extra `broker`.",
    )
    amqp_exchange: str = Field(
        "footnote.events",
        min_length=1,
        max_length=127,
        description="Topic exchange that events are published to; created if needed.",
    )
    webhook_urls: Annotated[List, AfterValidator(_check_webhooks)] = Field(
        [], description=f"URLs that events are posted to, separated by commas; at most {MAX_WEBHOOKS}."
    )
    webhook_secret: Annotated[Secret, AfterValidator(_check_secret)] = Field(
        None,
        description=f"Secret that signs events: `{_SECRET_PREFIX}` and 24 to 64 random bytes in base64. Several, "
        "separated by commas, make a signature each.",
    )
    webhook_seconds: float = Field(10, gt=0, le=30, description="Time limit for one request to a webhook.")
    event_texts: bool = Field(
        True, description="Include questions, answers, comments, and the titles and sources of documents in events."
    )
    event_days: float = Field(
        0,
        ge=0,
        le=36500,
        description="Days to keep events in the database after delivery, and also if there is no destination; 0 keeps "
        "none.",
    )
    max_waiting_events: int = Field(
        100_000,
        ge=100,
        le=10_000_000,
        description="Maximum events waiting for one destination; beyond that, the oldest are dropped.",
    )

    @property
    def webhook_keys(self) -> list[bytes]:
        """The keys in `webhook_secret`."""
        return _decode_keys(self.webhook_secret) if self.webhook_secret else []
