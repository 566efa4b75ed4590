"""Where a server is, and a token that lets one in once, in; the link to click on out."""


def address(host: str, port: int) -> str:
    """A server's address as a browser on its machine reaches it: one that listens everywhere is here too."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def setup_link(base: str, token: str) -> str:
    """The playground takes the token out of the fragment, which browsers send to nobody."""
    return f"{base.rstrip('/')}/graphql#setup={token}"
