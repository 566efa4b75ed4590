/** Text as a list of pieces, each of one kind. */
import type { Range } from "./tree";

export interface Piece {
  text: string;
  /** The kind in code, such as `keyword`; empty for plain text. */
  scope: string;
}

export interface MarkedPiece extends Piece {
  marked: boolean;
}

/** Split the pieces where marked ranges of the whole text begin and end. `marks` are in order. */
export function markPieces(pieces: readonly Piece[], marks: readonly Range[]): MarkedPiece[] {
  const found: MarkedPiece[] = [];
  let start = 0;
  for (const { text, scope } of pieces) {
    const end = start + text.length;
    let at = start;
    const add = (until: number, marked: boolean) => {
      if (until > at) found.push({ text: text.slice(at - start, until - start), scope, marked });
      at = Math.max(at, until);
    };
    for (const mark of marks) {
      if (mark.end <= start || mark.start >= end) continue;
      add(mark.start, false);
      add(Math.min(mark.end, end), true);
    }
    add(end, false);
    start = end;
  }
  return found;
}

const PART_LINES = 50;

/** The pieces grouped into parts of `PART_LINES` whole lines. */
export function inParts(pieces: readonly MarkedPiece[]): MarkedPiece[][] {
  const parts: MarkedPiece[][] = [];
  let part: MarkedPiece[] = [];
  let lines = 0;
  for (const { text, ...kind } of pieces) {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) {
      lines += 1;
      if (lines < PART_LINES) continue;
      parts.push([...part, { text: text.slice(start, end + 1), ...kind }]);
      [part, lines, start] = [[], 0, end + 1];
    }
    if (start < text.length) part.push({ text: text.slice(start), ...kind });
  }
  return part.length ? [...parts, part] : parts;
}
