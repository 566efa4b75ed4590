/** The parsed Markdown: plain values that components render as elements. No HTML is built from strings. */
/** A part of a text, in UTF-16 code units. */
export interface Range {
  start: number;
  end: number;
}

export type Inline =
  | { kind: "text"; text: string; marked: boolean }
  | { kind: "strong" | "em" | "del"; children: Inline[] }
  /** `href` is empty if the link is unsafe; `written` is the URL as it is written in the text. */
  | { kind: "link"; href: string; written: string; title: string; children: Inline[] }
  | { kind: "image"; href: string; text: string }
  | { kind: "code"; text: string; marks: Range[] }
  | { kind: "math"; tex: string }
  | { kind: "break" }
  | { kind: "marker"; index: number };

export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "quote"; children: Block[] }
  | { kind: "list"; ordered: boolean; start: number; tight: boolean; items: Block[][] }
  | { kind: "code"; language: string; text: string; marks: Range[]; closed: boolean }
  | { kind: "math"; tex: string }
  | { kind: "table"; align: Align[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

export type Align = "start" | "center" | "end" | null;
