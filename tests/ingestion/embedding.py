"""Documents that are embedded by a server, and a search for them."""

from typing import Any

from tests.servers.openai import OpenAIServer

SEARCH = """query($project: ID!, $query: String!) { search(input: {projectId: $project, query: $query}) {
  nodes { text } } }"""


def paragraphs(count: int, word: str) -> str:
    """A text of at least this many chunks."""
    return "\n\n".join(
        f"# Part {number}\n\n" + f"{word}{number} has a sentence of its own. " * 30 for number in range(count)
    )


def embedding(model: OpenAIServer) -> dict[str, Any]:
    """Settings for a server that embeds with this model."""
    return {"openai_base_url": model.url, "openai_api_key": "sk-1", "embedding_model": "openai/embedder"}
