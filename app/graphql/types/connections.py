"""Connections: lists that clients read page by page.

Not `strawberry.relay`, here and in `nodes` and `ids`: its cursors are positions, which move when entries are added; it
has no `nodes` and no `totalCount`; its `node` cannot be null, and a malformed id is an internal error. Some 50 of our
220 lines would go, and the schema would change.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Generic, TypeVar

import strawberry

from app.database import pages
from app.graphql.types.nodes import NodeType

N = TypeVar("N", bound=NodeType)

First = Annotated[
    int | None,
    strawberry.argument(
        description=f"Return at most this many entries from the start, 0 to {pages.MAX_SIZE}. "
        f"Defaults to {pages.DEFAULT_SIZE}."
    ),
]
After = Annotated[str | None, strawberry.argument(description="Return the entries after this cursor.")]
Last = Annotated[
    int | None,
    strawberry.argument(
        description=f"Return at most this many entries from the end, 0 to {pages.MAX_SIZE}. "
        "Cannot be used with `first`."
    ),
]
Before = Annotated[str | None, strawberry.argument(description="Return the entries before this cursor.")]


@strawberry.type(name="PageInfo", description="Information about a page of a list.")
class PageInfoType:
    has_next_page: bool = strawberry.field(description="Whether there are entries after this page.")
    has_previous_page: bool = strawberry.field(description="Whether there are entries before this page.")
    start_cursor: str | None = strawberry.field(description="Cursor of the first entry. Null if the page is empty.")
    end_cursor: str | None = strawberry.field(
        description="Cursor of the last entry; pass it as `after` to get the next page. Null if the page is empty."
    )

    @classmethod
    def from_model(cls, page: pages.Page[Any]) -> "PageInfoType":
        return cls(
            has_next_page=page.has_next,
            has_previous_page=page.has_previous,
            start_cursor=page.cursors[0] if page.cursors else None,
            end_cursor=page.cursors[-1] if page.cursors else None,
        )


@strawberry.type(name="Edge", description="An entry of a list, with its cursor.")
class EdgeType(Generic[N]):
    cursor: str = strawberry.field(description="Cursor of this entry. Stays valid while entries are added or removed.")
    node: N = strawberry.field(description="The entry itself.")


@strawberry.type(
    name="Connection", description="A page of a list. Paging stays consistent while entries are added or removed."
)
class ConnectionType(Generic[N]):
    edges: list[EdgeType[N]] = strawberry.field(description="The entries of this page, with their cursors.")
    page_info: PageInfoType = strawberry.field(description="Information about this page.")
    count: strawberry.Private[Callable[[], Awaitable[int]]]

    @strawberry.field(description="The entries of this page, without their cursors.")
    def nodes(self) -> list[N]:
        return [edge.node for edge in self.edges]

    @strawberry.field(description="Total number of entries on all pages. Counted only when selected.")
    async def total_count(self) -> int:
        return await self.count()


def to_connection(kind: type[N], page: pages.Page[Any], count: Callable[[], Awaitable[int]]) -> ConnectionType[N]:
    """A page of rows as a connection of `kind`."""
    return ConnectionType(
        edges=[
            EdgeType(cursor=cursor, node=kind.from_model(row))
            for cursor, row in zip(page.cursors, page.rows, strict=True)
        ],
        page_info=PageInfoType.from_model(page),
        count=count,
    )
