"""Refuse to go back to an earlier version if that would lose data."""

from collections.abc import Mapping

from alembic import context, op
from alembic.util import CommandError
from sqlalchemy import text


def allowed() -> bool:
    """Whether `-x lose=yes` was given."""
    return context.get_x_argument(as_dictionary=True).get("lose") == "yes"


def refuse(losses: Mapping[str, str]) -> None:
    """Raises CommandError if any query finds a row; the keys name what would be lost.

    Nothing has been changed then: all migrations of a command run in one transaction.
    """
    if allowed():
        return
    if context.is_offline_mode():
        raise CommandError(
            "Only the database itself shows what going back would lose: leave out --sql, or put `-x lose=yes` "
            "before `downgrade`."
        )
    lost = [what for what, query in losses.items() if is_found(query)]
    if lost:
        raise CommandError(
            f"Going back would lose {', '.join(lost)}, so nothing was changed; to go back anyway, put `-x lose=yes` "
            "before `downgrade`."
        )


def is_found(query: str) -> bool:
    """Whether a query finds a row."""
    return op.get_bind().execute(text(f"SELECT EXISTS ({query})")).scalar_one() == 1
