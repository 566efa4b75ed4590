"""A Redis client with a time limit, and one error for every failure."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ReadOnlyError, RedisError

from app import errors

_SECONDS = 0.5
_CONNECTIONS = 16
_RETRY_MS = 1000

PREFIX = "footnote:"


class RedisClient:
    """A connection to a Redis server shared by several processes; all our keys start with `prefix`."""

    def __init__(self, url: str, prefix: str = PREFIX, seconds: float = _SECONDS) -> None:
        try:
            self.redis: Redis = Redis.from_pool(_open_pool(url, seconds))
        except (ValueError, TypeError) as error:
            raise errors.StartError("REDIS_URL is not a Redis URL; an example is redis://HOST:6379/0.") from error
        self.prefix = prefix

    @asynccontextmanager
    async def commands(self) -> AsyncGenerator[Redis]:
        """The client, for the duration of the block. Raises Unavailable for every kind of failure."""
        try:
            yield self.redis
        except (RedisError, OSError, TimeoutError, UnicodeDecodeError) as error:
            if isinstance(error, ReadOnlyError):  # after a failover, new connections may lead to another server
                await self.redis.connection_pool.disconnect(inuse_connections=False)
            # The error's text may contain the command, and with it a key.
            message = f"Redis does not respond as expected: {type(error).__name__}."
            raise errors.Unavailable(message, "redis", _RETRY_MS) from error

    async def probe(self) -> None:
        """Try a write that changes nothing: a full server or a replica would still answer. Raises Unavailable."""
        async with self.commands() as redis:
            await redis.set(f"{self.prefix}probe", "", xx=True)  # there is no such key

    async def close(self) -> None:
        """Close all connections."""
        await self.redis.aclose()


def _open_pool(url: str, seconds: float) -> BlockingConnectionPool:
    """The connections to the server of this URL. Raises ValueError or TypeError if it is not one."""
    # If all connections are in use, wait for one within the same time limit.
    pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType]
        url,
        decode_responses=True,
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        timeout=seconds,
        max_connections=_CONNECTIONS,
        # One retry: the server may have closed an idle connection.
        retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
    )
    if not url.startswith("unix:"):
        int(urlsplit(url).path.strip("/") or 0)  # the number of a database, which the library ignores if it is none
    pool.make_connection()  # raises TypeError for an unknown parameter; not connected yet
    return pool
