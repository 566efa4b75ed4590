"""Escape or remove everything that reads as a citation marker. Pure."""

import re
from functools import lru_cache

from app.rag.citations import citation_stream, lookalikes, marker_groups

_BRACKET = re.compile("[\\[\u3010\uff3b&]")
_PLAIN = {
    **dict.fromkeys(map(ord, "[\u3010\uff3b"), "⟦"),
    **dict.fromkeys(map(ord, "]\u3011\uff3d"), "⟧"),
}
_NO_ENTITY = "\uff06"  # the fullwidth ampersand
# Stripped answers are cached, because every later turn of a conversation contains them again.
_CACHED_ANSWERS, _LONGEST_CACHED = 1_000, 6_000
_CHUNK_MARKER = re.compile(r" ?\[[\w=-]{16,}:\d{1,6}\]")


def escape_markers(text: str) -> str:
    """`text` with the brackets of every marker replaced: `[7]` becomes `⟦7⟧`, and `&#91;7&#93;` loses its entities.

    A model copies the numbers it reads, and a bibliography's [7] would become our seventh footnote. Each bracket is
    replaced by one character, so offsets stay valid. Code and links are escaped too: a passage may be cut anywhere, and
    the answer may quote it without its backticks.
    """
    if not _BRACKET.search(text):
        return text
    escaped = lookalikes.MARKER_CANDIDATE.sub(_escape_candidate, text)
    return (
        lookalikes.DAGGER_CANDIDATE.sub(_escape_dagger_candidate, escaped)
        if lookalikes.DAGGER.search(text)
        else escaped
    )


def _escape_candidate(match: re.Match[str]) -> str:
    return _replace_brackets(match[0]) if marker_groups.is_group(match[0]) else match[0]


def _escape_dagger_candidate(match: re.Match[str]) -> str:
    return _replace_brackets(match[0]) if marker_groups.is_dagger_head(match[1]) else match[0]


def _replace_brackets(marker: str) -> str:
    return lookalikes.ENTITY_START.sub(_NO_ENTITY, marker.translate(_PLAIN))


def strip_markers(answer: str) -> str:
    """An earlier answer without its markers, in either style: its numbers now mean other passages."""
    return (_strip_markers if len(answer) > _LONGEST_CACHED else _strip_and_remember)(answer)


def _strip_markers(answer: str) -> str:
    stream = citation_stream.CitationStream((), "NUMBERED")
    stream.feed(_CHUNK_MARKER.sub("", answer))
    stream.finish()
    return stream.content


_strip_and_remember = lru_cache(_CACHED_ANSWERS)(_strip_markers)
