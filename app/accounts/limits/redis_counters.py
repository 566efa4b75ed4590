"""Counts in Redis, in the same windows by its server's clock."""

from collections.abc import Sequence
from typing import Any

from app.accounts.limits.counters import LimitWindow
from app.accounts.redis_client import RedisClient

# KEYS: the hash of one key's counts. ARGV: amount, bounded (1 or 0), then max_amount and seconds per window. Fields of
# the hash are "seconds:bucket". It computes what `seconds_until_fit` does; the answer is in milliseconds, because Redis
# would cut off a fraction.
_COUNT = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local amount, bounded = tonumber(ARGV[1]), ARGV[2] == '1'
local longest, waiting = 0, 0
for i = 3, #ARGV, 2 do
  local max_amount, seconds = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local bucket = math.floor(now / seconds)
  local passed = now - bucket * seconds
  local before = tonumber(redis.call('HGET', KEYS[1], seconds .. ':' .. bucket - 1) or '0')
  local current = tonumber(redis.call('HGET', KEYS[1], seconds .. ':' .. bucket) or '0')
  local free, wait = max_amount - amount, 0
  if free < 0 then
    wait = seconds
  elseif current > free then
    wait = seconds - passed + seconds * (1 - free / current)
  elseif current + before * (1 - passed / seconds) > free then
    wait = seconds * (1 - (free - current) / before) - passed
  end
  longest, waiting = math.max(longest, seconds), math.max(waiting, wait)
end
if bounded and waiting > 0 then
  return math.ceil(waiting * 1000)
end
local kept = {}
for i = 3, #ARGV, 2 do
  local seconds = tonumber(ARGV[i + 1])
  local bucket = math.floor(now / seconds)
  local field = seconds .. ':' .. bucket
  if redis.call('HINCRBY', KEYS[1], field, amount) < 0 then redis.call('HSET', KEYS[1], field, 0) end
  kept[field], kept[seconds .. ':' .. bucket - 1] = true, true
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if not kept[field] then redis.call('HDEL', KEYS[1], field) end
end
redis.call('EXPIRE', KEYS[1], 2 * longest)
return 0
"""


class RedisCounters:
    """Counts that all processes on one Redis server share."""

    def __init__(self, remote: RedisClient) -> None:
        self._remote = remote

    async def take(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> float:
        """Count in all windows, or in none. Raises Unavailable."""
        return await self._run(key, amount, windows, bounded=True) / 1000

    async def add(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> None:
        """Count without bounds. Raises Unavailable."""
        await self._run(key, amount, windows, bounded=False)

    async def clear(self, key: str) -> None:
        """Reset the counts of this key. Raises Unavailable."""
        async with self._remote.commands() as redis:
            await redis.delete(self._key(key))

    async def _run(self, key: str, amount: int, windows: Sequence[LimitWindow], *, bounded: bool) -> int:
        numbers = [str(number) for window in windows for number in (window.max_amount, window.seconds)]
        async with self._remote.commands() as redis:
            answer: Any = await redis.eval(_COUNT, 1, self._key(key), str(amount), str(int(bounded)), *numbers)
        return int(answer)

    def _key(self, key: str) -> str:
        return f"{self._remote.prefix}count:{key}"
