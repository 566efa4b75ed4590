"""Real prose that ships with every Python, as documents: the 79 help topics, about 465 kB."""

from collections.abc import Iterator
from pydoc_data.topics import topics


def documents(editions: int) -> Iterator[tuple[str, bytes]]:
    """(name, Markdown) of every topic, in `editions` distinct editions."""
    for edition in range(editions):
        for name, text in sorted(topics.items()):
            heading, _, rest = text.partition("\n")
            yield f"{name}-{edition}.md", f"# {heading} (edition {edition})\n{rest}".encode()


def questions() -> list[str]:
    """One question per topic, built from its heading."""
    return [
        f"What does the language reference say about {text.partition(chr(10))[0].lower()}?" for text in topics.values()
    ]
