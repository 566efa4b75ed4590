interface Span {
  startOffset: number;
  endOffset: number;
}

/** A text cut at its spans, which count code points, as the API does; a string of JavaScript counts UTF-16 units. */
export function splitHighlights(text: string, spans: readonly Span[]): { text: string; marked: boolean }[] {
  const points = Array.from(text);
  const parts: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const { startOffset, endOffset } of spans.toSorted((a, b) => a.startOffset - b.startOffset)) {
    if (startOffset < at) continue;
    parts.push({ text: points.slice(at, startOffset).join(""), marked: false });
    parts.push({ text: points.slice(startOffset, endOffset).join(""), marked: true });
    at = endOffset;
  }
  parts.push({ text: points.slice(at).join(""), marked: false });
  return parts.filter((part) => part.text);
}
