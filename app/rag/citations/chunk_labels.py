"""Text that reads as a marker in CHUNK style: `[document-id:position]`. Only the server writes these."""

import re

from app.rag.citations.lookalikes import HIDDEN

MAX_LABEL = 150
"""The longest label in characters, with hidden ones; an honest one has about sixty."""

_BEGINNING = "RG9jdW1lbnQ6"  # of every document's id: "Document:" in base64
_OPEN, _CLOSE = f"\\\\?[\\[\u3010\uff3b][{HIDDEN}]*", f"[{HIDDEN}]*\\\\?[\\]\u3011\uff3d]"
_ID = f"{f'[{HIDDEN}]*'.join(_BEGINNING)}[A-Za-z0-9_={HIDDEN}-]{{1,90}}"
_LABEL = re.compile(f"{_OPEN}{_ID}:[{HIDDEN}]*[0-9]{{1,9}}{_CLOSE}")
_LABEL_BEGINNING = re.compile(
    f"{_OPEN}(?:[{_BEGINNING}{HIDDEN}]*|{f'[{HIDDEN}]*'.join(_BEGINNING)}[A-Za-z0-9_={HIDDEN}-]{{0,90}}"
    f"(?::[0-9{HIDDEN}]*\\\\?)?)"
)


def match_label(text: str, at: int, *, final: bool) -> str | None:
    """The label at `at` as written; empty if there is none, None while undecided."""
    if match := _LABEL.match(text, at, at + MAX_LABEL):
        return match[0]
    undecided = not final and len(text) - at < MAX_LABEL and _LABEL_BEGINNING.fullmatch(text, at)
    return None if undecided else ""


def is_label(marker: str) -> bool:
    """Whether a marker as written is such a label."""
    return _LABEL.fullmatch(marker) is not None
