"""Real prose that every Python carries: the 79 help topics of the language, about 465 kB, as documents out."""

from collections.abc import Iterator
from pydoc_data.topics import topics


def documents(editions: int) -> Iterator[tuple[str, bytes]]:
    """(name, Markdown) of every topic, `editions` times, each edition with words of its own."""
    for edition in range(editions):
        for name, text in sorted(topics.items()):
            heading, _, rest = text.partition("\n")
            yield f"{name}-{edition}.md", f"# {heading} (edition {edition})\n{rest}".encode()


def questions() -> list[str]:
    """One question per topic, made of its heading."""
    return [
        f"What does the language reference say about {text.partition(chr(10))[0].lower()}?" for text in topics.values()
    ]
