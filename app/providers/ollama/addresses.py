"""Parse the address of an Ollama server."""

from urllib.parse import urlsplit

from app.addresses import reachable_host


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
