"""Text in; the same text without anything that reads as a citation marker out. Pure."""

import re

from app.rag import citations, markers

_CHUNK_MARKER = re.compile(r" ?\[[\w=-]{16,}:\d{1,6}\]")


def escape(text: str) -> str:
    """`text` with the brackets of every marker replaced: `[7]` becomes `⟦7⟧`.

    A model copies the numbers that it reads, and a bibliography's [7] would become our seventh footnote. Each bracket
    becomes one other character, so that offsets stay. Code and links are no exception: a passage is cut anywhere, and
    the answer may quote it without its backticks.
    """
    return markers.GROUP.sub(lambda match: f"⟦{match[0][1:-1]}⟧", text)


def strip_markers(answer: str) -> str:
    """An earlier answer without its markers, in either style: its numbers mean other passages by now."""
    stream = citations.CitationStream((), "NUMBERED")
    stream.feed(_CHUNK_MARKER.sub("", answer))
    stream.finish()
    return stream.content
