"""Find the ends of an answer's sentences that have no marker, while the answer streams. Pure."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise

from app import language
from app.rag.citations import citing_text, markers

_MAX_SENTENCE = 2000
# White space after a sentence is held back until it is clear what follows; more of it is layout.
_MAX_HELD = 80
# The characters of a new line that decide whether it begins a list item, and so ends the sentence above.
_LINE_BEGINNING = 5
_FULL_STOPS = (*".!?", *language.FULL_STOPS)
# Headings, rows of tables, HTML and lines that introduce a list are no claims.
_NO_CLAIM = ("#", "|", "<")
_COLONS = (":", "\uff1a")


@dataclass(frozen=True, slots=True)
class UnmarkedSentence:
    """A sentence without a marker; a marker may be placed where this comes in the stream."""

    text: str


class SentenceEnds:
    """Passes text through, and reports each sentence that ends without a marker.

    Holds back white space after a sentence, and the first characters of a line, and no other text.
    """

    def __init__(self) -> None:
        self._sentence = ""  # so far, with what is held back
        self._held = 0  # characters at its end
        self._marked = False
        self._overlong = False
        self._scanner = markers.MarkerScanner()  # recognizes code and link targets

    def add_text(self, text: str) -> Iterator[str | UnmarkedSentence]:
        """`text` in pieces, with the sentences that it completes; ends may be held back."""
        self._sentence += text
        self._held += len(text)
        spans = list(language.sentence_spans(self._sentence))
        begin = 0
        for (_, end), (following, _) in pairwise(spans):
            if not self._is_decided(end, following):
                break
            yield from self._end_sentence(begin, end)
            begin = end
        self._sentence = self._sentence[begin:]
        yield from self._release(self._count_undecided())

    def add_marker(self, raw: str, *, valid: bool) -> Iterator[str | UnmarkedSentence]:
        """The text held back before a marker that the model wrote; only a valid one marks its sentence."""
        held = self._sentence[len(self._sentence) - self._held :]
        if "\n" in held:  # the marker cites what comes after it
            end = len(self._sentence) - self._held
            yield from self._end_sentence(0, end)
            self._sentence = self._sentence[end:]
        yield from self._release(0)
        self._scanner.feed(raw)
        self._marked = self._marked or valid

    def finish(self, *, complete: bool) -> Iterator[str | UnmarkedSentence]:
        """The text held back; the answer ends here. If it is not `complete`, its last sentence may be cut off."""
        spans = list(language.sentence_spans(self._sentence))
        if not complete and not self._sentence.rstrip().endswith(_FULL_STOPS):
            spans = spans[:-1]
        begin = 0
        for _, end in spans:
            yield from self._end_sentence(begin, end)
            begin = end
        yield from self._release(0)

    def _is_decided(self, end: int, following: int) -> bool:
        """Whether more text cannot change that a sentence ends at `end`."""
        return "\n" not in self._sentence[end:following] or self._count_undecided() <= len(self._sentence) - following

    def _count_undecided(self) -> int:
        """The characters at the end that must be held back."""
        text = self._sentence[-_MAX_HELD:]
        line = text.rfind("\n")
        if line >= 0 and len(text[line:].strip()) < _LINE_BEGINNING:
            return len(text) - len(text[:line].rstrip())
        return len(text) - len(text.rstrip())

    def _end_sentence(self, begin: int, end: int) -> Iterator[str | UnmarkedSentence]:
        """Release the text up to `end`, and report the sentence if a marker can be placed there."""
        shown = len(self._sentence) - self._held
        if shown < end:
            yield self._show(self._sentence[shown:end])
            self._held = len(self._sentence) - end
        text = self._sentence[begin:end].strip()
        if shown <= end and not self._marked and not self._overlong and self._can_be_marked(text):
            yield UnmarkedSentence(text)
        self._marked = self._overlong = False

    def _can_be_marked(self, text: str) -> bool:
        if not citing_text.has_words(text) or text.startswith(_NO_CLAIM) or text.rstrip("*_").endswith(_COLONS):
            return False
        if text.count("[") > text.count("]"):  # inside of a link
            return False
        return any(isinstance(part, markers.Marker) for part in deepcopy(self._scanner).feed(" [1] "))

    def _release(self, kept: int) -> Iterator[str]:
        released = self._held - kept
        if released > 0:
            at = len(self._sentence) - self._held
            yield self._show(self._sentence[at : at + released])
            self._held = kept
        if len(self._sentence) > _MAX_SENTENCE:
            self._sentence, self._overlong = self._sentence[-_MAX_HELD:], True

    def _show(self, text: str) -> str:
        self._scanner.feed(text)
        return text
