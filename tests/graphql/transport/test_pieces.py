"""Large results are written in pieces, so that the event loop can do other work in between."""

import asyncio
from collections import Counter

import strawberry

from app.graphql.api_config import GraphQLConfig
from app.graphql.schema import Schema

# The round of the event loop in which each field was told.
rounds: Counter[int] = Counter()
now = [0]


@strawberry.type
class Leaf:
    @strawberry.field
    def number(self) -> int:
        rounds[now[0]] += 1
        return 1


@strawberry.type
class Branch:
    @strawberry.field
    async def leaves(self) -> list[Leaf]:
        return [Leaf() for _ in range(50)]


@strawberry.type
class Query:
    @strawberry.field
    async def branches(self) -> list[Branch]:
        return [Branch() for _ in range(100)]


async def test_a_large_result_is_written_in_pieces() -> None:
    async def count() -> None:
        while True:
            now[0] += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    result = (
        await Schema(query=Query)
        .with_config(GraphQLConfig(max_upload_bytes=0))
        .execute("{ branches { leaves { number } } }")
    )
    counting.cancel()
    assert result.errors is None
    assert rounds.total() == 5000
    # All of them stood in one round; a piece is 300 fields, and what began before it was full.
    assert max(rounds.values()) < 500
