"""A conversation as one text: Markdown for people, JSON for programs. Pure."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from app.database import models
from app.rag import events
from app.rag.citations import answer_text
from app.rag.citations.citation_types import CheckedCitation
from app.statuses import MessageRole, MessageStatus

_CITATIONS = TypeAdapter(list[CheckedCitation])
_NOTICES = TypeAdapter(list[events.AnswerNotice])

Ratings = Mapping[str, models.AnswerRating]
"""The ratings by the user who exports, by the id of the answer."""


def to_markdown(
    session: models.ChatSession, messages: Sequence[models.Message], ratings: Ratings, *, is_whole: bool
) -> str:
    """The conversation as Markdown: questions, answers, quoted sources, notices and ratings."""
    parts = [f"# {answer_text.escape_markdown(session.title)}", f"Begun {session.created_at:%Y-%m-%d %H:%M} UTC"]
    for row in messages:
        is_question = row.role == MessageRole.USER
        parts += [f"## {'Question' if is_question else 'Answer'}", *filter(None, [row.content, _describe_end(row)])]
        parts += [_describe_source(citation) for citation in _CITATIONS.validate_python(row.citations or [])]
        parts += [f"*{answer_text.escape_markdown(notice.message)}*" for notice in _read_notices(row)]
        if (rating := ratings.get(row.id)) is not None:
            parts.append(_describe_rating(rating))
    if not is_whole:
        parts.append("*The conversation is longer; the rest is left out.*")
    return "\n\n".join(parts) + "\n"


def to_json(
    session: models.ChatSession, messages: Sequence[models.Message], ratings: Ratings, *, is_whole: bool
) -> str:
    """The conversation as a JSON object. `isWhole` is false if its last messages are left out."""
    found = {
        "title": session.title,
        "createdAt": session.created_at.isoformat(),
        "isWhole": is_whole,
        "messages": [_message_values(row, ratings.get(row.id)) for row in messages],
    }
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _describe_source(citation: CheckedCitation) -> str:
    """A source with its quotes, as a block of Markdown."""
    source = answer_text.describe_source(citation, answer_text.escape_markdown)
    lines = [f"{citation.label} {source}", *answer_text.describe_quotes(citation, answer_text.escape_markdown)]
    return "\n>\n".join(f"> {line}" for line in lines)


def _describe_end(row: models.Message) -> str | None:
    """Why a message is not whole, or has no text; None for one that is complete."""
    if row.content and row.status == MessageStatus.COMPLETED:
        return None
    reason = f": {answer_text.escape_markdown(row.failure['message'])}" if row.failure else ""
    return f"*{row.status.capitalize()}{reason}*"


def _describe_rating(rating: models.AnswerRating) -> str:
    words = ["Helpful" if rating.helpful else "Not helpful", rating.reason or "", rating.comment or ""]
    return f"*Rated: {answer_text.escape_markdown(', '.join(filter(None, words)))}*"


def _read_notices(row: models.Message) -> list[events.AnswerNotice]:
    return _NOTICES.validate_python(row.notices or [])


def _message_values(row: models.Message, rating: models.AnswerRating | None) -> dict[str, Any]:
    values: dict[str, Any] = {
        "role": row.role,
        "status": row.status,
        "createdAt": row.created_at.isoformat(),
        "content": row.content,
    }
    if row.role == MessageRole.USER:
        return values
    return {
        **values,
        "failure": row.failure,
        "outcome": row.outcome,
        "confidence": row.confidence,
        "citations": [_citation_values(citation) for citation in _CITATIONS.validate_python(row.citations or [])],
        "notices": [{"code": notice.code, "message": notice.message} for notice in _read_notices(row)],
        "rating": rating and {"helpful": rating.helpful, "reason": rating.reason, "comment": rating.comment},
    }


def _citation_values(citation: CheckedCitation) -> dict[str, Any]:
    return {
        "label": citation.label,
        "documentTitle": citation.document_title,
        "page": citation.page,
        "heading": list(citation.heading),
        "url": citation.url,
        "quotes": list(dict.fromkeys(use.quote for use in citation.uses)),
        "uses": [{"quote": quote, "page": page, "row": row} for quote, page, row in answer_text.list_quotes(citation)],
    }
