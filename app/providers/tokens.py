"""Estimate the number of tokens in a text or prompt.

For most models, no tokenizer is available (tiktoken must download its data, Ollama has no endpoint for it), so this
estimates. Ten per cent is added, because too high a count only shortens the context, while too low a count makes the
server fail.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from app import language
from app.providers.base import PromptMessage
from app.providers.token_estimate import RARE_LETTER, estimate_hundredths
from app.statuses import TokenCounting

Script = Literal["LATIN", "CJK", "OTHER"]
"""The script of most letters in a text; nothing else makes tokenizers differ more."""

PERCENT = 110
"""The percentage of the plain estimate that is used until a model is calibrated."""

# Llama 3 wraps a message in five tokens (header, newlines, end) and opens the answer with five; ChatML needs fewer.
_PER_MESSAGE = 5
_PER_CONVERSATION = 5

_LETTER = re.compile(r"[^\W\d_]")
_CJK = re.compile(f"[{language.CJK}]")
_SAMPLE = 2000
_MAX_LETTERS_PER_TOKEN = 32


class TokenCounter:
    """Counts the tokens of any model: `percent` of the plain estimate, by default rather too many.

    `counting` says how counts are obtained; it is recorded in every ledger.
    """

    def __init__(self, percent: int = PERCENT, counting: TokenCounting = TokenCounting.ESTIMATED) -> None:
        self.percent = percent
        self.counting = counting

    def count(self, text: str) -> int:
        """Estimate the tokens of `text` by character classes, rounded up; 0 only for the empty text."""
        # In integers (hundredths of a token), so that the same text always gives the same count.
        return -(-estimate_hundredths(text) * self.percent // 10_000)

    def count_message(self, message: PromptMessage) -> int:
        """The tokens of a message, including the chat template."""
        return self.count(message.content) + _PER_MESSAGE

    def count_messages(self, messages: Iterable[PromptMessage]) -> int:
        """The tokens of a whole prompt, including the opening of the answer."""
        return sum(map(self.count_message, messages), _PER_CONVERSATION)


class TokenCounters(Protocol):
    """Token counters of models, calibrated with the usage that providers report.

    Each user has their own: one user's odd texts must not make other users' prompts too long for the window.
    """

    def counter_for(self, user_id: str, model: str, script: Script) -> TokenCounter:
        """The best counter for this user's texts in this script with this model; calls no server."""
        ...

    def learn(self, user_id: str, model: str, messages: Sequence[PromptMessage], reported: int) -> None:
        """Calibrate with the token count that the model's server reported for `messages`."""
        ...


def detect_script(texts: Iterable[str]) -> Script:
    """The script of most letters at the beginnings of texts; LATIN if there are hardly any letters."""
    sample = "".join(text[:_SAMPLE] for text in texts)[: 20 * _SAMPLE]
    if sample.isascii():
        return "LATIN"
    letters, cjk = len(_LETTER.findall(sample)), len(_CJK.findall(sample))
    rare = len(RARE_LETTER.findall(sample))
    if letters and cjk * 3 > letters:
        return "CJK"
    return "OTHER" if letters and rare * 3 > letters else "LATIN"


def cut_text(text: str, limit: int, counter: TokenCounter) -> str:
    """The longest prefix of `text` with at most `limit` tokens; ends at a space if one is near."""
    start = text[: max(0, limit) * _MAX_LETTERS_PER_TOKEN]
    if counter.count(start) <= limit and len(start) == len(text):
        return text
    fits, too_long = 0, len(start) + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if counter.count(start[:middle]) <= limit:
            fits = middle
        else:
            too_long = middle
    space = start.rfind(" ", max(0, fits - 40), fits)
    return start[: space if space > 0 else fits]
