"""The link that signs its reader in once."""

from app.settings import Settings


def address(settings: Settings, port: int) -> str:
    """A server's address as users reach it: the one that the operator names, else as a browser on its machine does."""
    if settings.public_url is not None:
        return settings.public_url
    # One that listens everywhere is here too.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)  # noqa: S104
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def setup_link(base: str, token: str) -> str:
    """The playground takes the token out of the fragment, which browsers send to nobody."""
    return f"{base.rstrip('/')}/graphql#setup={token}"
