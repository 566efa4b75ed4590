"""Build the server's address and setup links."""

from app.addresses import reachable_host
from app.settings import Settings


def server_url(settings: Settings, port: int) -> str:
    """The address that users open: PUBLIC_URL, or else the address for a browser on the same machine."""
    if settings.public_url is not None:
        return settings.public_url
    host = reachable_host(settings.host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def explain_missing_link(settings: Settings, email: str) -> str | None:
    """What to do instead of opening a setup link; None if the page or the playground is there to open it with."""
    if settings.page or settings.playground:
        return None
    return (
        "The page and the playground are off (PAGE, PLAYGROUND), so that no link can be opened. Set a password with "
        f"`footnote user password {email}`, or create a token with `footnote token create {email} --label NAME`."
    )


def setup_link(settings: Settings, base: str, token: str) -> str:
    """A link with a setup token, to the page or, if it is off, to the playground.

    Both read the token from the fragment, which browsers do not send anywhere.
    """
    return f"{base.rstrip('/')}{'/' if settings.page else '/graphql'}#setup={token}"
