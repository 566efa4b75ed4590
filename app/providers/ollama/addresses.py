"""Parse the address of an Ollama server, and recognize mistakes in it. Pure."""

from urllib.parse import urlsplit

from app.addresses import reachable_host

# Of Ollama's own API, and of the other one that it speaks.
_PATHS = ("/api", "/v1")


def parse_address(host: str) -> str:
    """The base URL for OLLAMA_HOST: a name, name and port, or a URL. Without a scheme, the default port is 11434.

    0.0.0.0, where a server listens, becomes the loopback address.
    """
    bare = "://" not in host
    url = urlsplit(f"http://{host}" if bare else host)
    name = reachable_host(url.hostname or "")
    port = url.port or (11434 if bare else None)
    place = f"[{name}]" if ":" in name else name
    return f"{url.scheme}://{place}{f':{port}' if port else ''}{url.path.rstrip('/')}"


def find_mistake(address: str) -> str | None:
    """What is probably wrong with a base URL where Ollama is not found, as a clause; None if it looks right."""
    path = urlsplit(address).path
    return f"OLLAMA_HOST must not end with {path}" if path.endswith(_PATHS) else None
