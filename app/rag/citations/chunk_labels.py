"""Text that reads as a marker in CHUNK style: `[document-id:position]`. Only the server writes these."""

import re

from app.rag.citations import lookalikes
from app.rag.citations.lookalikes import CLOSE, CUT_OFF, HIDDEN, OPEN

MAX_LABEL = 150
"""The longest label in characters as written; a genuine one has about sixty."""

_BEGINNING = "RG9jdW1lbnQ6"  # of every document's id: "Document:" in base64
_INSIDE = lookalikes.text_inside(f"A-Za-z0-9=:*_~`\\\\{HIDDEN}-")
_CANDIDATE = re.compile(f"{OPEN}{_INSIDE}{CLOSE}")
_CANDIDATE_BEGINNING = re.compile(f"({OPEN}{_INSIDE})(?:{CUT_OFF})?")
_UNCLOSED = re.compile(f"({OPEN}{_INSIDE})(?:{CUT_OFF}|{CLOSE})?$")
_MARKUP = re.compile(r"[*_`~]")  # ids have none of these
_LABEL = re.compile(f"[\\[\u3010]{_BEGINNING}[A-Za-z0-9=-]{{1,90}}:[0-9]{{1,9}}[\\]\u3011]")
_AFTER_BEGINNING = re.compile(r"[A-Za-z0-9=-]{0,90}(?::[0-9]{0,9})?")


def match_label(text: str, at: int, *, final: bool) -> str | None:
    """The label at `at` as written; empty if there is none, None while undecided.

    If the text begins like a label, but is too long to be decided, only its bracket.
    """
    if match := _CANDIDATE.match(text, at, at + MAX_LABEL):
        return match[0] if is_label(match[0]) else ""
    match = _CANDIDATE_BEGINNING.fullmatch(text, at, at + MAX_LABEL)
    shown = _normalize(match[1]) if match else ""
    if not _begins_label(shown):
        return ""
    if len(text) - at < MAX_LABEL:
        return "" if final else None
    bracket = lookalikes.OPENING_BRACKET.match(text, at)
    return bracket[0] if bracket and len(shown) > 1 else ""


def is_label(marker: str) -> bool:
    """Whether a marker as written is such a label."""
    return _CANDIDATE.fullmatch(marker) is not None and _LABEL.fullmatch(_normalize(marker)) is not None


def continues_label(before: str, following: str) -> bool:
    """Whether a character could continue a label at the end of the text before it."""
    match = _UNCLOSED.search(before + following)
    return match is not None and _begins_label(_normalize(match[1]))


def _normalize(written: str) -> str:
    return _MARKUP.sub("", lookalikes.normalize_marker(written))


def _begins_label(shown: str) -> bool:
    inside = shown[1:]
    begins = _BEGINNING.startswith(inside[: len(_BEGINNING)])
    return bool(shown) and begins and _AFTER_BEGINNING.fullmatch(inside, len(_BEGINNING)) is not None
