"""Check the citations of an answer against its context while the answer streams.

Pure. A marker of a passage that was in the context becomes a citation's final label; any other is removed.
"""

from collections.abc import Iterable
from dataclasses import replace

from app import global_ids, language
from app.rag.citations import claims, fences, lookalikes, markers, support
from app.rag.citations.values import (
    CheckedCitation,
    CheckedText,
    CitableSource,
    CitationEvent,
    CitationPlace,
    InventedMarker,
    MarkerStyle,
    NewCitation,
)

_INVENTED_PER_GROUP = 20  # [1-999] is one mistake, not a thousand
_MAX_USES = 10_000  # an answer of nothing but [1-50] must not fill the memory
_OMISSION = "…"


_Place = tuple[CitableSource, language.Span]


class CitationStream:
    """Checks the markers of one answer, piece by piece.

    Groups come out as adjacent markers, `[1, 3]` as `[1][2]`, and a label stands once in a row of markers. In CHUNK
    style each marker names the chunk it uses. A marker before any words of its block vouches for the sentence after
    it; its `NewCitation` waits for the end of that line.
    """

    def __init__(self, sources: Iterable[CitableSource], style: MarkerStyle, keep_markers: bool = True) -> None:
        self._sources = {source.number: source for source in sources}
        self._style = style
        self._keep_markers = keep_markers
        self._quotes = support.QuoteFinder(
            {
                number: (source.text, " ".join((source.document_title or "", *source.heading)))
                for number, source in self._sources.items()
            }
        )
        self._scanner = markers.MarkerScanner()
        self._prose = claims.CitingText()
        self._waiting: list[_Place] = []
        self._before: str | None = None  # what the waiting markers vouch for if no words follow
        self._after = ""
        self._indexes: dict[object, int] = {}  # what makes sources the same, numbered by first use
        self._cited: list[CheckedCitation] = []
        self._uses: list[list[CitationPlace]] = []
        self._use_count = 0
        self._invented: dict[str, None] = {}
        self._content: list[str] = []
        self._length = 0
        self._tail = ""
        self._space = ""  # goes with the marker after it if that one is removed
        self._gap = False  # a marker was removed right here
        self._row: dict[str, language.Span] = {}
        self._events: list[CitationEvent] = []
        self._shown: list[str] = []
        self._fresh: list[tuple[int, CitationPlace]] = []  # uses that no event has told of

    @property
    def content(self) -> str:
        """All text so far: the join of every `CheckedText`."""
        return "".join(self._content)

    @property
    def citations(self) -> tuple[CheckedCitation, ...]:
        """The citations by index, each with all of its uses."""
        return tuple(
            replace(citation, uses=tuple(uses)) for citation, uses in zip(self._cited, self._uses, strict=True)
        )

    @property
    def invented(self) -> tuple[str, ...]:
        """The labels of the removed markers, each once, in order."""
        return tuple(self._invented)

    def feed(self, piece: str) -> list[CitationEvent]:
        """The events that `piece` completes."""
        return self._process_parts(self._scanner.feed(piece))

    def finish(self) -> list[CitationEvent]:
        """The events that were held back; the answer ends here."""
        events = self._process_parts(self._scanner.finish())
        if not self._gap:
            self._show_text(self._space)
        self._space = ""
        self._resolve_waiting_markers()
        events += self._take_events()
        if self._fresh:  # no text comes after them
            events.append(CheckedText("", tuple(self._fresh)))
            self._fresh = []
        return events

    def _process_parts(self, found: list[str | markers.Marker]) -> list[CitationEvent]:
        for part in found:
            if isinstance(part, str):
                self._add_text(part)
            else:
                self._add_marker(part)
        return self._take_events()

    def _take_events(self) -> list[CitationEvent]:
        self._emit_events()
        events, self._events = self._events, []
        return events

    def _emit_events(self, *events: CitationEvent) -> None:
        """Add the text so far as one event, and then `events`."""
        if self._shown:
            self._events.append(CheckedText("".join(self._shown), tuple(self._fresh)))
            self._shown, self._fresh = [], []
        self._events.extend(events)

    def _add_text(self, text: str) -> None:
        self._prose.add_text(text)
        shown = self._close_gap(text) if self._gap else text
        if shown:
            shown = self._space + shown
            self._space = shown[-1] if shown[-1] in " \u00a0\u202f" else ""
            self._show_text(shown[: len(shown) - len(self._space)])
        if self._waiting:
            self._extend_waiting_text(text)

    def _close_gap(self, text: str) -> str:
        """`text` as it continues after a removed marker: without a gap, and without forming a new marker or fence."""
        line = self._tail.replace("\r", "\n").rpartition("\n")[2]
        if not (line + self._space).strip():
            text = text.lstrip(" \t")  # at a line's start the space after the marker goes
            if not text:
                return text
        following, self._gap = text[0], False
        if not (following.isalnum() or following in "`~[(*_"):
            self._space = ""
        before = self._tail + self._space
        makes_marker = markers.GROUP_CHARACTER.match(following) and lookalikes.UNCLOSED_MARKER.search(before)
        line += self._space
        makes_fence = following in "`~" and (before[-1:] in ("`", "~", "\\") or fences.LEAD.fullmatch(line))
        return _OMISSION + text if makes_marker or makes_fence else text

    def _show_text(self, text: str) -> None:
        if text:
            self._row = {}
            self._write_text(text)

    def _write_text(self, text: str) -> None:
        self._shown.append(text)
        self._content.append(text)
        self._length += len(text)
        self._tail = (self._tail + text)[-markers.MAX_GROUP :]

    def _add_marker(self, marker: markers.Marker) -> None:
        if self._waiting and claims.has_words(self._after):
            self._resolve_waiting_markers()
        text = self._prose.take_citing_text()
        numbers = list(marker.cited_numbers())
        known = [self._sources[number] for number in numbers if number in self._sources]
        before = self._length
        places = [(source, self._place_label(source)) for source in known]
        self._gap = self._length == before
        if text is None:
            self._before = self._before if self._waiting else self._prose.last_sentence()
            self._waiting += places
        else:
            self._record_citations(places, text)
        missing = [number for number in numbers if number not in self._sources]
        for label in (f"[{number}]" for number in missing[:_INVENTED_PER_GROUP]):
            if label not in self._invented:
                self._invented[label] = None
                self._emit_events(InventedMarker(label))

    def _place_label(self, source: CitableSource) -> language.Span:
        """Where the label of `source` stands; writes it unless it stands in this row already."""
        index = self._indexes.setdefault(_citation_key(source), len(self._indexes))
        if not self._keep_markers:
            return self._length, self._length
        label = self._format_label(index, source)
        if label not in self._row:
            self._write_text(self._space)
            self._space = ""
            self._row[label] = self._length, self._length + len(label)
            self._write_text(label)
        return self._row[label]

    def _format_label(self, index: int, source: CitableSource) -> str:
        if self._style == "NUMBERED":
            return f"[{index + 1}]"
        return f"[{global_ids.encode('Document', source.document_id)}:{source.position}]"

    def _extend_waiting_text(self, text: str) -> None:
        room = claims.MAX_CITING_CHARACTERS - len(self._after)
        line, newline, _ = text[:room].partition("\n")
        self._after += line
        if newline or len(text) >= room:
            self._resolve_waiting_markers()

    def _resolve_waiting_markers(self) -> None:
        places, self._waiting = self._waiting, []
        text, self._after = claims.first_sentence(self._after), ""
        if places:
            self._record_citations(places, text or self._before)

    def _record_citations(self, places: list[_Place], text: str | None) -> None:
        for source, marker in places:
            index = self._indexes[_citation_key(source)]
            known = index < len(self._cited)
            if known and self._use_count >= _MAX_USES:
                continue
            quote = self._quotes.best_quote(source.number, text)
            use = CitationPlace(marker, source.chunk_id, quote.text, quote.span, quote.support)
            if known and self._uses[index][-1] == use:
                continue
            self._use_count += 1
            if known:
                self._uses[index].append(use)
                self._fresh.append((index + 1, use))
                continue
            citation = CheckedCitation(
                index=index + 1,
                label=self._format_label(index, source),
                document_id=source.document_id,
                document_title=source.document_title,
                page=source.page,
                url=source.source_url,
                chunk_id=source.chunk_id,
                uses=(use,),
                heading=source.heading,
            )
            self._cited.append(citation)
            self._uses.append([use])
            self._emit_events(NewCitation(citation))


def _citation_key(source: CitableSource) -> object:
    """What makes sources the same. Without pages a heading keeps a long document from being one citation."""
    where = source.heading if source.page is None else source.page
    return source.document_id, source.document_title, where
