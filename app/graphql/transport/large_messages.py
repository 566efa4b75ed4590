"""An extension of ASGI: a WebSocket accepts only small messages until the application knows who sends them."""

from collections.abc import Callable

from starlette.types import Scope

from app.quotas import Share

EXTENSION = "footnote.large_messages"
"""The key in the scope's `extensions`. Only our own server has it."""

AllowLargeMessages = Callable[[Share], None]
"""Accept messages of the usual size. The received part of an unfinished one counts toward the share."""


def allow_large_messages(scope: Scope, unfinished: Share) -> None:
    """Tell the server that the sender is known. Their quota counts the received part of an unfinished message."""
    extensions: dict[str, AllowLargeMessages] = scope.get("extensions", {})
    if EXTENSION in extensions:
        extensions[EXTENSION](unfinished)
