"""Check the citations of an answer against its context while the answer streams.

Pure. A marker of a passage in the context becomes the citation's final label; any other marker is removed.
"""

from collections.abc import Iterable
from dataclasses import replace

from app import global_ids, language
from app.rag.citations import chunk_labels, citing_text, fences, marker_groups, markers, quotes
from app.rag.citations.citation_types import (
    CheckedCitation,
    CheckedText,
    CitableSource,
    CitationEvent,
    CitationUse,
    MarkerPlacer,
    MarkerStyle,
    NewCitation,
    UnknownMarker,
)
from app.rag.citations.sentence_ends import SentenceEnds, UnmarkedSentence
from app.rag.growing_text import GrowingText

_MAX_UNKNOWN_PER_GROUP = 20  # [1-999] is one mistake, not a thousand
# An answer of nothing but [1-50], or of invented ids, must not fill memory and disk: each use has its quote.
_MAX_USES, _MAX_QUOTED, _MAX_UNKNOWN = 1_000, 200_000, 1_000  # uses, the characters of their quotes, and ids
_MAX_UNMARKED = 1_000  # sentences without a marker that are compared with all passages, a millisecond each
_OMISSION = "…"
_MAX_TAIL = max(marker_groups.MAX_DAGGER_GROUP, chunk_labels.MAX_LABEL)

# A cited source, and the span of its marker in the content.
_PlacedSource = tuple[CitableSource, language.Span]


class CitationStream:
    """Checks the markers of one answer, piece by piece.

    A group becomes adjacent markers, `[1, 3]` for example `[1][2]`; a row of markers never repeats a label. In CHUNK
    style each marker names the chunk it uses. A marker at the beginning of a paragraph cites the sentence after it;
    its `NewCitation` waits for the end of that line. With a `question`, a sentence without a marker gets one if
    a passage supports it well as an answer.
    """

    def __init__(
        self,
        sources: Iterable[CitableSource],
        style: MarkerStyle,
        keep_markers: bool = True,
        *,
        question: str | None = None,
    ) -> None:
        self._sources = {source.number: source for source in sources}
        self._style = style
        self._keep_markers = keep_markers
        self._quotes = quotes.QuoteFinder(
            {number: (source.text, source.described) for number, source in self._sources.items()}
        )
        self._scanner = markers.MarkerScanner()
        self._sentence_ends = SentenceEnds() if question else None
        self._question = question or ""
        self._citing_text = citing_text.CitingText()
        self._waiting_markers: list[_PlacedSource] = []
        self._sentence_before: str | None = None  # the citing text of the waiting markers if no words follow
        self._text_after = ""
        self._indexes: dict[object, int] = {}  # by citation key, in order of first use
        self._citations: list[CheckedCitation] = []
        self._uses: list[list[CitationUse]] = []
        self._use_count = self._quoted = self._unmarked_count = 0
        self._unknown: dict[str, None] = {}
        self._content = GrowingText()
        self._tail = ""
        self._held_space = ""  # removed together with the marker after it
        self._has_gap = False  # a marker was just removed here
        self._may_join = False  # one was removed, and the text after it may still form a marker with the text before
        self._labels_in_row: dict[str, language.Span] = {}
        self._events: list[CitationEvent] = []
        self._unreported_text: list[str] = []
        self._unreported_uses: list[tuple[int, CitationUse]] = []

    @property
    def content(self) -> str:
        """All text so far: every `CheckedText` joined."""
        return self._content.value

    @property
    def citations(self) -> tuple[CheckedCitation, ...]:
        """The citations by index, each with all of its uses."""
        return tuple(
            replace(citation, uses=tuple(uses)) for citation, uses in zip(self._citations, self._uses, strict=True)
        )

    @property
    def unknown_markers(self) -> tuple[str, ...]:
        """The labels of the removed markers in order, without repetition."""
        return tuple(self._unknown)

    def feed(self, piece: str) -> list[CitationEvent]:
        """The events that `piece` completes."""
        return self._process_parts(self._scanner.feed(piece))

    def feed_refusal(self, piece: str) -> list[CitationEvent]:
        """Like `feed`, but places no more markers: a refusal to answer is not a sentence from the sources."""
        if self._sentence_ends:
            self._add_pieces(self._sentence_ends.finish(complete=False))
            self._sentence_ends = None
        return self.feed(piece)

    def finish(self, *, complete: bool = True) -> list[CitationEvent]:
        """The remaining events; the answer ends here. If it is not `complete`, its last sentence may be cut off."""
        events = self._process_parts(self._scanner.finish())
        if self._sentence_ends:
            self._add_pieces(self._sentence_ends.finish(complete=complete))
        if not self._has_gap:
            self._show_text(self._held_space)
        self._held_space = ""
        self._resolve_waiting_markers()
        events += self._take_events()
        if self._unreported_uses:  # no text comes after them
            events.append(CheckedText("", tuple(self._unreported_uses)))
            self._unreported_uses = []
        return events

    def _process_parts(self, found: list[str | markers.Marker]) -> list[CitationEvent]:
        for part in found:
            if isinstance(part, markers.Marker):
                if self._sentence_ends:
                    valid = not self._sources.keys().isdisjoint(part.cited_numbers())
                    self._add_pieces(self._sentence_ends.add_marker(part.raw, valid=valid))
                self._add_marker(part)
            elif self._sentence_ends:
                self._add_pieces(self._sentence_ends.add_text(part))
            else:
                self._add_text(part)
        return self._take_events()

    def _add_pieces(self, pieces: Iterable[str | UnmarkedSentence]) -> None:
        for piece in pieces:
            if isinstance(piece, str):
                self._add_text(piece)
            else:
                self._place_marker(piece.text)

    def _place_marker(self, sentence: str) -> None:
        """Add a marker after a sentence of the model if the best of the passages supports it well."""
        self._unmarked_count += 1
        is_looked_up = self._unmarked_count <= _MAX_UNMARKED
        number = self._quotes.find_supporting_passage(sentence, self._question) if is_looked_up else None
        if number is None:
            return
        self._resolve_waiting_markers()
        self._citing_text.take_citing_text()
        if self._keep_markers:
            self._held_space = self._held_space or " "
            self._has_gap = False
        source = self._sources[number]
        self._record_citations([(source, self._write_label(source))], sentence, "SERVER")

    def _take_events(self) -> list[CitationEvent]:
        self._emit_events()
        events, self._events = self._events, []
        return events

    def _emit_events(self, *events: CitationEvent) -> None:
        """Add the text so far as one event, and then `events`."""
        if self._unreported_text:
            self._events.append(CheckedText("".join(self._unreported_text), tuple(self._unreported_uses)))
            self._unreported_text, self._unreported_uses = [], []
        self._events.extend(events)

    def _add_text(self, text: str) -> None:
        self._citing_text.add_text(text)
        shown = self._close_gap(text) if self._has_gap else text
        if self._may_join:
            shown = self._keep_apart(shown)
        if shown:
            shown = self._held_space + shown
            self._held_space = shown[-1] if shown[-1] in " \u00a0\u202f" else ""
            self._show_text(shown[: len(shown) - len(self._held_space)])
        if self._waiting_markers:
            self._extend_waiting_text(text)

    def _close_gap(self, text: str) -> str:
        """`text` as it continues after a removed marker: without a gap, and without forming a new marker or fence."""
        line = self._tail.replace("\r", "\n").rpartition("\n")[2]
        if not (line + self._held_space).strip():
            text = text.lstrip(" \t")  # at a line's start the space after the marker is dropped
            if not text:
                return text
        following, self._has_gap = text[0], False
        if not (following.isalnum() or following in "`~[(*_"):
            self._held_space = ""
        before = self._tail + self._held_space
        line += self._held_space
        makes_fence = following in "`~" and (before[-1:] in ("`", "~", "\\") or fences.LEAD.fullmatch(line))
        self._may_join = not (makes_fence or chunk_labels.continues_label(before, following))
        return text if self._may_join else _OMISSION + text

    def _keep_apart(self, text: str) -> str:
        """`text` with an omission where it would form a marker with the text before a removed one."""
        at = marker_groups.find_continuation(self._tail + self._held_space, text)
        self._may_join = at == len(text)
        return text if at is None or self._may_join else text[:at] + _OMISSION + text[at:]

    def _show_text(self, text: str) -> None:
        if text:
            self._labels_in_row = {}
            self._write_text(text)

    def _write_text(self, text: str) -> None:
        self._unreported_text.append(text)
        self._content.append(text)
        self._tail = (self._tail + text)[-_MAX_TAIL:]

    def _add_marker(self, marker: markers.Marker) -> None:
        if self._waiting_markers and citing_text.has_words(self._text_after):
            self._resolve_waiting_markers()
        text = self._citing_text.take_citing_text() if self._sources else ""
        numbers = list(marker.cited_numbers())
        known = [self._sources[number] for number in numbers if number in self._sources]
        before = len(self._content)
        places = [(source, self._write_label(source)) for source in known]
        self._has_gap = len(self._content) == before
        if text is None:
            self._sentence_before = (
                self._sentence_before if self._waiting_markers else self._citing_text.last_sentence()
            )
            self._waiting_markers += places
        else:
            self._record_citations(places, text)
        missing = [number for number in numbers if number not in self._sources]
        unknown = [marker.raw] if chunk_labels.is_label(marker.raw) else [f"[{number}]" for number in missing]
        for label in unknown[:_MAX_UNKNOWN_PER_GROUP]:
            if label not in self._unknown and len(self._unknown) < _MAX_UNKNOWN:
                self._unknown[label] = None
                self._emit_events(UnknownMarker(label))

    def _write_label(self, source: CitableSource) -> language.Span:
        """Write the label of `source` unless this row of markers contains it, and return its span."""
        index = self._indexes.setdefault(source.citation_key, len(self._indexes))
        if not self._keep_markers:
            return len(self._content), len(self._content)
        label = self._format_label(index, source)
        if label not in self._labels_in_row:
            self._write_text(self._held_space)
            self._held_space = ""
            self._labels_in_row[label] = len(self._content), len(self._content) + len(label)
            self._write_text(label)
        return self._labels_in_row[label]

    def _format_label(self, index: int, source: CitableSource) -> str:
        if self._style == "NUMBERED":
            return f"[{index + 1}]"
        return f"[{global_ids.encode('Document', source.document_id)}:{source.position}]"

    def _extend_waiting_text(self, text: str) -> None:
        left = citing_text.MAX_CITING_CHARACTERS - len(self._text_after)
        line, newline, _ = text[:left].partition("\n")
        self._text_after += line
        if newline or len(text) >= left:
            self._resolve_waiting_markers()

    def _resolve_waiting_markers(self) -> None:
        places, self._waiting_markers = self._waiting_markers, []
        text, self._text_after = citing_text.first_sentence(self._text_after), ""
        if places:
            self._record_citations(places, text or self._sentence_before)

    def _record_citations(
        self, places: list[_PlacedSource], text: str | None, placed_by: MarkerPlacer = "MODEL"
    ) -> None:
        for source, marker in places:
            index = self._indexes[source.citation_key]
            is_known = index < len(self._citations)
            if is_known and (self._use_count >= _MAX_USES or self._quoted >= _MAX_QUOTED):
                continue
            quote = self._quotes.best_quote(source.number, text)
            page, row = source.find_page(quote.span[0]), source.find_row(quote.span)
            use = CitationUse(marker, source.chunk_id, quote.text, quote.span, quote.support, placed_by, page, row)
            if is_known and self._uses[index][-1] == use:
                continue
            self._use_count, self._quoted = self._use_count + 1, self._quoted + len(quote.text)
            if is_known:
                self._uses[index].append(use)
                self._unreported_uses.append((index + 1, use))
                continue
            citation = CheckedCitation(
                index=index + 1,
                label=self._format_label(index, source),
                document_id=source.document_id,
                document_title=source.document_title,
                page=page,
                url=source.source_url,
                chunk_id=source.chunk_id,
                uses=(use,),
                heading=source.heading if row is None else (*source.heading[:-1], row),
            )
            self._citations.append(citation)
            self._uses.append([use])
            self._emit_events(NewCitation(citation))
