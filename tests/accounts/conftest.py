"""A Redis of a test's own."""

import os
from collections.abc import Generator

import pytest

from tests.servers import redis
from tests.servers.redis import RedisServer


@pytest.fixture
def redis_server() -> Generator[RedisServer]:
    if not redis.installed():
        reason = "Redis is not installed: this test starts a `redis-server` of its own."
        assert os.environ.get("CI") != "true", reason
        pytest.skip(reason)
    server = RedisServer()
    server.start()
    try:
        yield server
    finally:
        server.close()
