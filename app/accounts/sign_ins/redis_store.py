"""Sign-ins stored in Redis: one expiring key per sign-in, and a hash of token hashes per user, by the sign-ins' ids.

While Redis is down, sign-ins are not accepted and nobody can sign in; access tokens still work.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from redis.exceptions import ResponseError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import tokens
from app.accounts.redis_client import RedisClient
from app.accounts.sign_ins.store import Lifetime, OpenSignIn
from app.database import models

# Sign-ins that are read at once: Redis serves nobody else meanwhile.
_BATCH_SIZE = 1000
# After this many sign-ins of a user, ended ones are forgotten, and the oldest beyond the limit are ended.
_CLEAN_UP_EVERY = 100


class RedisSignIns:
    """Sign-ins as keys that expire."""

    def __init__(self, remote: RedisClient, lifetime: Lifetime | None = None) -> None:
        self._remote = remote
        self._lifetime = lifetime or Lifetime()

    async def open(self, user_id: str, generation: int, address: str | None = None) -> tuple[str, OpenSignIn]:
        """Sign somebody in. Raises Unavailable."""
        token, now = tokens.new_token("signin"), models.now()
        ends_at = now + self._lifetime.longest
        expires_at = self._lifetime.next_expiry(now, ends_at)
        opened = OpenSignIn(models.new_id(), user_id, generation, now, expires_at, address[:64] if address else None)
        key = tokens.hash_token(token)
        async with self._remote.commands() as redis:
            transaction = redis.pipeline(transaction=True)
            transaction.set(
                self._sign_in_key(key), _serialize_sign_in(opened, ends_at), pxat=_to_milliseconds(expires_at)
            )
            transaction.hset(self._user_key(user_id), opened.id, key)
            transaction.pexpireat(self._user_key(user_id), _to_milliseconds(ends_at))
            transaction.hlen(self._user_key(user_id))
            count = int((await transaction.execute())[-1])
        if count % _CLEAN_UP_EVERY == 0:
            await self._end_oldest(user_id)
        return token, opened

    async def _end_oldest(self, user_id: str) -> None:
        sign_ins = await self.sign_ins_of_user(user_id)  # forgets those that have ended
        if ids := [sign_in.id for sign_in in sign_ins[self._lifetime.max_count :]]:
            async with self._remote.commands() as redis:
                keys = await self._token_hashes(redis, user_id)
                await redis.delete(*(self._sign_in_key(keys[id]) for id in ids if id in keys))
                await redis.hdel(self._user_key(user_id), *ids)

    async def find(self, token: str) -> OpenSignIn | None:
        """The sign-in of a token, if it is valid. Raises Unavailable."""
        key, now = self._sign_in_key(tokens.hash_token(token)), models.now()
        async with self._remote.commands() as redis:
            read = _parse_sign_in(await _read_value(redis, key))
            if read is None or read[0].expires_at <= now:
                return None
            found, ends_at = read
            if self._lifetime.needs_renewal(found.expires_at, now, ends_at):
                renewed = self._lifetime.next_expiry(now, ends_at)
                found = OpenSignIn(found.id, found.user_id, found.generation, found.created_at, renewed, found.address)
                # Only if the key still exists: a sign-in that was closed meanwhile stays closed.
                await redis.set(key, _serialize_sign_in(found, ends_at), pxat=_to_milliseconds(renewed), xx=True)
        return found

    async def find_by_id(self, user_id: str, sign_in_id: str) -> OpenSignIn | None:
        """The user's sign-in with this id, if it is valid. Raises Unavailable."""
        async with self._remote.commands() as redis:
            key = cast("str | None", await redis.hget(self._user_key(user_id), sign_in_id))
            read = None if key is None else _parse_sign_in(await _read_value(redis, self._sign_in_key(key)))
        return None if read is None or read[0].expires_at <= models.now() else read[0]

    async def is_open(self, db: AsyncSession, user_id: str, sign_in_id: str) -> bool:
        """Whether the user's sign-in with this id is valid now: Redis knows nothing of the transaction."""
        return await self.find_by_id(user_id, sign_in_id) is not None

    async def close(self, token: str) -> bool:
        """End this sign-in; returns whether there was one. Raises Unavailable."""
        async with self._remote.commands() as redis:
            return bool(await redis.delete(self._sign_in_key(tokens.hash_token(token))))

    async def close_all(self, user_id: str) -> None:
        """End all sign-ins of a user. Raises Unavailable."""
        async with self._remote.commands() as redis:
            keys = await self._token_hashes(redis, user_id)
            await redis.delete(self._user_key(user_id), *map(self._sign_in_key, keys.values()))

    async def sign_ins_of_user(self, user_id: str) -> list[OpenSignIn]:
        """A user's valid sign-ins, newest first. Raises Unavailable."""
        async with self._remote.commands() as redis:
            keys = await self._token_hashes(redis, user_id)
            values = await _read_values(redis, list(map(self._sign_in_key, keys.values())))
            reads = {id: _parse_sign_in(value) for id, value in zip(keys, values, strict=True)}
            gone = [id for id, read in reads.items() if read is None]
            if gone:
                await redis.hdel(self._user_key(user_id), *gone)
        found = [read[0] for read in reads.values() if read is not None]
        return sorted(found, key=lambda sign_in: sign_in.id, reverse=True)

    async def _token_hashes(self, redis: Any, user_id: str) -> Mapping[str, str]:
        """The hashes of a user's tokens, by the ids of the sign-ins."""
        return await redis.hgetall(self._user_key(user_id))

    def _sign_in_key(self, token_hash: str) -> str:
        return f"{self._remote.prefix}sign-in:{token_hash}"

    def _user_key(self, user_id: str) -> str:
        return f"{self._remote.prefix}sign-ins-by-id:{user_id}"


def _to_milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _serialize_sign_in(sign_in: OpenSignIn, ends_at: datetime) -> str:
    return json.dumps(
        {
            "id": sign_in.id,
            "user_id": sign_in.user_id,
            "generation": sign_in.generation,
            "created_at": sign_in.created_at.timestamp(),
            "expires_at": sign_in.expires_at.timestamp(),
            "address": sign_in.address,
            "ends_at": ends_at.timestamp(),
        }
    )


async def _read_value(redis: Any, key: str) -> bytes | None:
    """The value of a key, as bytes: other programs may write to this server, and not everything is text."""
    try:
        return await redis.execute_command("GET", key, NEVER_DECODE=True)
    except ResponseError as error:
        if str(error).startswith("WRONGTYPE"):
            return None
        raise


async def _read_values(redis: Any, keys: Sequence[str]) -> list[bytes | None]:
    """The values of keys, many at a time: a program may have signed in thousands of times."""
    found: list[bytes | None] = []
    for start in range(0, len(keys), _BATCH_SIZE):
        found += await redis.execute_command("MGET", *keys[start : start + _BATCH_SIZE], NEVER_DECODE=True)
    return found


def _parse_sign_in(written: bytes | None) -> tuple[OpenSignIn, datetime] | None:
    """A stored sign-in, and its latest possible end; None for any other value."""
    if written is None:
        return None
    try:
        values = json.loads(written)
        created_at, expires_at, ends_at = (
            datetime.fromtimestamp(values[name], UTC) for name in ("created_at", "expires_at", "ends_at")
        )
        id, user_id, generation, address = (values[name] for name in ("id", "user_id", "generation", "address"))
    except (ValueError, TypeError, KeyError, OverflowError, OSError, RecursionError):
        return None
    texts = [id, user_id, "" if address is None else address]
    if type(generation) is not int or not all(isinstance(text, str) and text.isascii() for text in texts):
        return None
    return OpenSignIn(id, user_id, generation, created_at, expires_at, address), ends_at
