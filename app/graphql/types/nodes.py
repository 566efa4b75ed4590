"""A row in, the type that shows it out: everything that has a global id."""

from typing import Any, ClassVar, Self, TypeVar

import strawberry
from strawberry.types.lazy_type import LazyType

from app import errors

Row = TypeVar("Row")


@strawberry.interface(
    description="An object with a global id. Ids are opaque: do not parse or construct them. The types of "
    "`name`, `status` and `failure` differ between objects: use aliases to select them on several "
    "types at once."
)
class Node:
    """What all types with global ids share; `row_type` is the row that such a type shows."""

    row_type: ClassVar[type[Any]]

    id: strawberry.ID = strawberry.field(description="Global id, unique across all types.")

    @classmethod
    def from_model(cls, row: Any, /) -> Self:
        """The type's own view of its row."""
        raise NotImplementedError


def of(row: object) -> Node:
    """The view of any row that has a global id."""
    for kind in Node.__subclasses__():
        if isinstance(row, kind.row_type):
            return kind.from_model(row)
    raise TypeError(f"{row.__class__.__name__} has no global id.")


def there(row: Row | None) -> Row:
    """A row that a foreign key promises. Raises NotFound when it was deleted, or hidden, between two reads."""
    if row is None:
        raise errors.NotFound("thing", "")
    return row


def found(row: object | None) -> Node:
    """The view of a row that a foreign key promises."""
    return of(there(row))


def above(kind: str, module: str) -> Any:
    """The GraphQL type of a field that leads back to what holds this; it knows us, so we cannot import it.

    Its resolver returns what `found` gives for the row.
    """
    return LazyType[Any, Any](kind, f"{__package__}.{module}")
