/** Parse Markdown to a tree. HTML is treated as text; only links to web pages and mail addresses are kept. */
import createParser, { type Token } from "markdown-it";

import { math } from "./math";
import { splitSigns, withoutSigns } from "./signs";
import type { Align, Block, Inline, Range } from "./tree";

const parser = createParser({ html: false, linkify: true, typographer: false, maxNesting: 40 }).use(math);
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.validateLink = () => true; // links are checked below: the text of an unsafe one is shown without the link
const SAFE = /^(?:https?:\/\/|mailto:)/i;

/** A block, and the lines of the source that it comes from. */
export interface Parsed {
  block: Block;
  firstLine: number;
}

/** `labels` replace the signs of markers in code and formulas. */
export function parse(source: string, labels: readonly string[]): Parsed[] {
  return new Reader(parser.parse(source, {}), labels).read();
}

class Reader {
  #at = 0;
  #marking = false;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly labels: readonly string[],
  ) {}

  read(): Parsed[] {
    const found: Parsed[] = [];
    while (this.#at < this.tokens.length) {
      const firstLine = this.tokens[this.#at]!.map?.[0] ?? 0;
      const block = this.#block();
      if (block) found.push({ block, firstLine });
    }
    return found;
  }

  #blocksUntil(end: string): Block[] {
    const found: Block[] = [];
    while (this.tokens[this.#at]!.type !== end) {
      const block = this.#block();
      if (block) found.push(block);
    }
    this.#at += 1;
    return found;
  }

  #block(): Block | null {
    const token = this.tokens[this.#at++]!;
    switch (token.type) {
      case "paragraph_open":
        return { kind: "paragraph", children: this.#content("paragraph_close") };
      case "heading_open":
        return { kind: "heading", level: Number(token.tag.slice(1)), children: this.#content("heading_close") };
      case "blockquote_open":
        return { kind: "quote", children: this.#blocksUntil("blockquote_close") };
      case "bullet_list_open":
      case "ordered_list_open":
        return this.#list(token);
      case "fence":
      case "code_block":
        return this.#code(token);
      case "math_block":
        return { kind: "math", tex: withoutSigns(token.content, this.labels) };
      case "table_open":
        return this.#table();
      case "hr":
        return { kind: "rule" };
      case "inline":
        return { kind: "paragraph", children: this.#inlines(token.children ?? []) };
      default:
        return null;
    }
  }

  #content(end: string): Inline[] {
    const found: Inline[] = [];
    while (this.tokens[this.#at]!.type !== end) found.push(...this.#inlines(this.tokens[this.#at++]!.children ?? []));
    this.#at += 1;
    return found;
  }

  #list(open: Token): Block {
    const ordered = open.type === "ordered_list_open";
    const items: Block[][] = [];
    let tight = false;
    while (this.tokens[this.#at]!.type === "list_item_open") {
      this.#at += 1;
      tight ||= this.tokens[this.#at]!.hidden;
      items.push(this.#blocksUntil("list_item_close"));
    }
    this.#at += 1;
    return { kind: "list", ordered, start: Number(open.attrGet("start") ?? 1), tight, items };
  }

  #code(token: Token): Block {
    const { text, marks } = this.#plain(token.content);
    const language = withoutSigns(token.info.trim().split(/\s/)[0] ?? "");
    const lines = token.map ? token.map[1] - token.map[0] : 0;
    const ofContent = token.content ? token.content.replace(/\n$/, "").split("\n").length : 0;
    // An open fence spans its content and one fence line, a closed one its content and two.
    const closed = token.type !== "fence" || lines >= ofContent + 2;
    return { kind: "code", language, text: text.replace(/\n$/, ""), marks, closed };
  }

  #table(): Block {
    const align: Align[] = [];
    const rows: Inline[][][] = [];
    let row: Inline[][] = [];
    for (let token = this.tokens[this.#at++]!; token.type !== "table_close"; token = this.tokens[this.#at++]!) {
      if (token.type === "tr_open") row = [];
      else if (token.type === "tr_close") rows.push(row);
      else if (token.type === "th_open") align.push(alignOf(token));
      else if (token.type === "inline") row.push(this.#inlines(token.children ?? []));
    }
    const [head = [], ...body] = rows;
    return { kind: "table", align, head, rows: body };
  }

  #inlines(tokens: readonly Token[]): Inline[] {
    const root: Inline[] = [];
    const open: Inline[][] = [root];
    const add = (...nodes: Inline[]) => open.at(-1)!.push(...nodes);
    for (const token of tokens) {
      if (token.nesting === 1) {
        const children: Inline[] = [];
        add(container(token, children));
        open.push(children);
      } else if (token.nesting === -1) {
        if (open.length > 1) open.pop();
      } else add(...this.#leaf(token));
    }
    return root;
  }

  #leaf(token: Token): Inline[] {
    switch (token.type) {
      case "softbreak":
        return [{ kind: "text", text: "\n", marked: this.#marking }];
      case "hardbreak":
        return [{ kind: "break" }];
      case "code_inline":
        return [{ kind: "code", ...this.#plain(token.content) }];
      case "math":
        return [{ kind: "math", tex: withoutSigns(token.content, this.labels) }];
      case "image":
        return [{ kind: "image", href: decodedSigns(attribute(token, "src")), text: withoutSigns(token.content) }];
      default:
        return this.#texts(token.content);
    }
  }

  #texts(content: string): Inline[] {
    const found: Inline[] = [];
    for (const piece of splitSigns(content)) {
      if (typeof piece === "string") found.push({ kind: "text", text: piece, marked: this.#marking });
      else if ("mark" in piece) this.#marking = piece.mark === "start";
      else {
        keepTogether(found.at(-1));
        found.push({ kind: "marker", index: piece.marker });
      }
    }
    return found;
  }

  /** A text without markup, and its highlighted ranges. */
  #plain(content: string): { text: string; marks: Range[] } {
    let text = "";
    const marks: Range[] = [];
    for (const piece of splitSigns(content)) {
      if (typeof piece === "string") {
        if (this.#marking) marks.push({ start: text.length, end: text.length + piece.length });
        text += piece;
      } else if ("mark" in piece) this.#marking = piece.mark === "start";
      else text += this.labels[piece.marker] ?? "";
    }
    return { text, marks };
  }
}

/** Remove the space before a marker. */
function keepTogether(before: Inline | undefined): void {
  if (before?.kind === "text") before.text = before.text.trimEnd();
}

function container(token: Token, children: Inline[]): Inline {
  if (token.type === "strong_open") return { kind: "strong", children };
  if (token.type === "s_open") return { kind: "del", children };
  if (token.type !== "link_open") return { kind: "em", children };
  const href = decodedSigns(attribute(token, "href"));
  return { kind: "link", href: SAFE.test(href) ? href : "", written: href, title: withoutSigns(attribute(token, "title")), children };
}

/** A URL with its percent-encoded signs removed. */
function decodedSigns(href: string): string {
  return withoutSigns(href.replace(/%EE%80%8[0-2]|%E[EF]%[89AB][0-9A-F]%[89AB][0-9A-F]/gi, (code) => decodeURIComponent(code)));
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}

function alignOf(token: Token): Align {
  const style = attribute(token, "style");
  if (style.includes("center")) return "center";
  if (style.includes("right")) return "end";
  return style.includes("left") ? "start" : null;
}
