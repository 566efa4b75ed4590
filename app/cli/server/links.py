"""Build the server's address and setup links."""

from app.settings import Settings


def server_url(settings: Settings, port: int) -> str:
    """The address that users open: PUBLIC_URL, or else the address for a browser on the same machine."""
    if settings.public_url is not None:
        return settings.public_url
    # A server that listens on all addresses is reachable on loopback.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)  # noqa: S104
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def setup_link(settings: Settings, base: str, token: str) -> str:
    """A link with a setup token, to the page or, if it is off, to the playground.

    Both read the token from the fragment, which browsers do not send anywhere.
    """
    return f"{base.rstrip('/')}{'/' if settings.page else '/graphql'}#setup={token}"
