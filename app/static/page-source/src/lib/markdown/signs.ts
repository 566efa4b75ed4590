/**
 * Positions in a text, carried through the parser as characters of a private range: a footnote's marker as one sign with
 * its number, and the two ends of a marked range. Parsing moves and drops characters, but these stay where they belong.
 */
export interface Span {
  startOffset: number;
  endOffset: number;
}

const MARKER = "\uE000";
const FIRST = 0xe100;
const LAST = 0xf8ff;
export const MARK_START = "\uE001";
export const MARK_END = "\uE002";
const SIGNS = /\uE000[\uE100-\uF8FF]|[\uE001\uE002]/;
const SIGNS_ALL = new RegExp(SIGNS, "g");
const OURS = /[\uE000-\uE002\uE100-\uF8FF]/g;

/** What a sign says: the number of a marker, or an end of a marked range. */
export interface Marker {
  marker: number;
}
export interface MarkEnd {
  mark: "start" | "end";
}
export type Sign = Marker | MarkEnd;

/** Replace each span (in code points) by the sign with its position in the list. Spans that overlap or are empty stay. */
export function placeMarkers(text: string, spans: readonly Span[]): string {
  const points = [...clean(text)];
  const order = spans.map((span, index) => ({ ...span, index })).sort((a, b) => a.startOffset - b.startOffset);
  const parts: string[] = [];
  let at = 0;
  for (const { startOffset, endOffset, index } of order) {
    if (startOffset < at || endOffset <= startOffset || endOffset > points.length || FIRST + index > LAST) continue;
    parts.push(points.slice(at, startOffset).join(""), MARKER + String.fromCharCode(FIRST + index));
    at = endOffset;
  }
  return parts.join("") + points.slice(at).join("");
}

/** Replace each of these labels in the text by the sign with its position in the list. */
export function placeLabels(text: string, labels: readonly string[]): string {
  let placed = clean(text);
  labels.slice(0, LAST - FIRST).forEach((label, index) => {
    if (label) placed = placed.replaceAll(label, MARKER + String.fromCharCode(FIRST + index));
  });
  return placed;
}

/** What makes a code block, list, quote or heading at the start of a line, and what ends a code block. */
const OPENS = /^(?:[ \t]*(?:`{3,}|~{3,})[^\n]*\n)?(?:[ \t]*(?:[-*+>|]|#{1,6}(?= )|\d{1,9}[.)](?= )))*[ \t]*/;
const CLOSES = /(?:\n[ \t]*(?:`{3,}|~{3,})[ \t]*)?\n?$/;

/** Mark these ranges (in code points), without Markdown syntax at their ends. */
export function placeMarks(text: string, spans: readonly Span[]): string {
  const points = [...clean(text)];
  const parts: string[] = [];
  let at = 0;
  for (const { startOffset, endOffset } of [...spans].sort((a, b) => a.startOffset - b.startOffset)) {
    const end = Math.min(endOffset, points.length);
    if (startOffset < at || end <= startOffset) continue;
    const marked = points.slice(startOffset, end).join("");
    const syntax = OPENS.exec(marked)?.[0] ?? "";
    const words = marked.slice(syntax.length);
    const ending = CLOSES.exec(words)?.[0] ?? "";
    parts.push(points.slice(at, startOffset).join(""), syntax, MARK_START, words.slice(0, words.length - ending.length), MARK_END, ending);
    at = end;
  }
  return parts.join("") + points.slice(at).join("");
}

/** Split a text into its signs and the pieces between them. */
export function splitSigns(text: string): (string | Sign)[] {
  if (!SIGNS.test(text)) return text ? [text] : [];
  const pieces: (string | Sign)[] = [];
  let at = 0;
  for (const match of text.matchAll(SIGNS_ALL)) {
    if (match.index > at) pieces.push(text.slice(at, match.index));
    const [sign] = match;
    if (sign === MARK_START) pieces.push({ mark: "start" });
    else if (sign === MARK_END) pieces.push({ mark: "end" });
    else pieces.push({ marker: sign.charCodeAt(1) - FIRST });
    at = match.index + sign.length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** The text without signs; `labels` are put back where markers stood. */
export function withoutSigns(text: string, labels: readonly string[] = []): string {
  return text.replace(SIGNS_ALL, (sign) => (sign.startsWith(MARKER) ? (labels[sign.charCodeAt(1) - FIRST] ?? "") : ""));
}

/** Characters of the private range in the text itself are replaced one by one, so that offsets stay valid. */
function clean(text: string): string {
  return text.replace(OURS, "\uFFFD");
}
