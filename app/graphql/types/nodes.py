"""Nodes: everything that has a global id."""

from typing import Any, ClassVar, Self, TypeVar

import strawberry
from strawberry.types.lazy_type import LazyType

from app import errors

Row = TypeVar("Row")


@strawberry.interface(
    name="Node",
    description="An object with a global id. Ids are opaque: do not parse or construct them. The types of "
    "`name`, `status` and `failure` differ between objects: use aliases to select them on several "
    "types at once.",
)
class NodeType:
    """Base of all types with a global id; `row_type` is the row that such a type shows."""

    row_type: ClassVar[type[Any]]

    id: strawberry.ID = strawberry.field(description="Global id, unique across all types.")

    @classmethod
    def from_model(cls, row: Any, /) -> Self:
        """Make the type from its row."""
        raise NotImplementedError


def node_of_row(row: object) -> NodeType:
    """The GraphQL type of any row that has a global id."""
    for kind in NodeType.__subclasses__():
        if isinstance(row, kind.row_type):
            return kind.from_model(row)
    raise TypeError(f"{row.__class__.__name__} has no global id.")


def require_row(row: Row | None) -> Row:
    """The row that a foreign key points to. Raises NotFound if it was deleted or hidden between two reads."""
    if row is None:
        raise errors.NotFound("object", "")
    return row


def required_node(row: object | None) -> NodeType:
    """The GraphQL type of the row that a foreign key points to. Raises NotFound like `require_row`."""
    return node_of_row(require_row(row))


def parent_type(kind: str, module: str) -> Any:
    """The GraphQL type of a field that leads back to a parent, by name, because the parent's module imports this one.

    The field's resolver returns the parent's `required_node`.
    """
    return LazyType[Any, Any](kind, f"{__package__}.{module}")
