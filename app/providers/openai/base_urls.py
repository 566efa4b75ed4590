"""Recognize mistakes in the base URL of a server that speaks the OpenAI API. Pure."""

import re
from urllib.parse import urlsplit

_NAME = "OPENAI_BASE_URL"
_ENDPOINT = re.compile(r"(?:(?:/chat)?/completions|/embeddings|/models|/responses)$")
_VERSION = re.compile(r"/v\d")
_OLLAMA_PORT = 11434


def find_mistake(base_url: str) -> str | None:
    """What is probably wrong with a base URL where the API is not found, as a clause; None if it looks right."""
    url = urlsplit(base_url)
    path = url.path.rstrip("/")
    versions = len(_VERSION.findall(path))
    if endpoint := _ENDPOINT.search(path):
        return f"{_NAME} must not end with {endpoint[0]}, which is added to it"
    if versions > 1:
        return f"{_NAME} has /v1 more than once"
    if not versions and (url.port == _OLLAMA_PORT or path == "/api"):
        return f"the address of Ollama belongs in OLLAMA_HOST, or must end with /v1 in {_NAME}"
    return None if versions else f"{_NAME} usually ends with /v1"
