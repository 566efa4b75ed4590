"""What going back to an earlier version would lose: a migration asks here before it lets go of anything."""

from collections.abc import Mapping

from alembic import context, op
from alembic.util import CommandError
from sqlalchemy import text


def allowed() -> bool:
    """Whether who goes back has said that it may cost what the earlier version cannot hold."""
    return context.get_x_argument(as_dictionary=True).get("lose") == "yes"


def refuse(losses: Mapping[str, str]) -> None:
    """Raises CommandError when a query finds a row: what is named beside it would be lost.

    Nothing has been changed then, by no migration of the same command: all of them are one transaction.
    """
    if allowed():
        return
    if context.is_offline_mode():
        raise CommandError(
            "Only on the database itself can be seen what going back would lose: leave out --sql, or put `-x lose=yes` "
            "before `downgrade`."
        )
    lost = [what for what, query in losses.items() if is_found(query)]
    if lost:
        raise CommandError(
            f"Going back would lose {', '.join(lost)}, so nothing was changed; `-x lose=yes` before `downgrade` goes "
            "back all the same."
        )


def is_found(query: str) -> bool:
    """Whether a query finds a row."""
    return op.get_bind().execute(text(f"SELECT EXISTS ({query})")).scalar_one() == 1
