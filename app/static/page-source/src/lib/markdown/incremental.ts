/** Parse growing Markdown: only the last block is parsed again, and unchanged parts keep their identity. */
import { parse } from "./parse";
import type { Block } from "./tree";

/** Blocks per part. A full part never changes. */
const LONGEST_PART = 16;

export class IncrementalMarkdown {
  #labels: readonly string[] = [];
  /** The text whose blocks are final, whatever follows, and those blocks. */
  #settledText = "";
  #full: Block[][] = [];
  #open: Block[] = [];
  #shown: Block[][] = [];

  /**
   * The blocks of the text, in parts. Parts, blocks and what is in them are the same objects as in the last call where
   * they are equal. `place` puts the signs of `labels` into a piece of the text.
   */
  update(text: string, labels: readonly string[], place: (piece: string) => string): Block[][] {
    if (!text.startsWith(this.#settledText) || this.#matters(labels)) this.#reset();
    this.#labels = labels;
    const rest = text.slice(this.#settledText.length);
    const parsed = parse(place(rest), labels);
    const last = parsed.pop();
    for (const { block } of parsed) this.#settle(block);
    if (last) this.#settledText += rest.slice(0, offsetOfLine(rest, last.firstLine));
    this.#shown = share(this.#shown, last ? [...this.#full, [...this.#open, last.block]] : this.#full);
    this.#full = this.#shown.slice(0, this.#full.length);
    this.#open = this.#shown.at(-1)?.slice(0, this.#open.length) ?? [];
    return this.#shown;
  }

  #settle(block: Block): void {
    this.#open.push(block);
    if (this.#open.length < LONGEST_PART) return;
    this.#full.push(this.#open);
    this.#open = [];
  }

  /** Whether new labels change settled text. Added labels that do not occur in it change nothing. */
  #matters(labels: readonly string[]): boolean {
    const added = labels.slice(this.#labels.length);
    return this.#labels.some((label, index) => label !== labels[index]) || added.some((label) => label && this.#settledText.includes(label));
  }

  #reset(): void {
    this.#settledText = "";
    this.#full = [];
    this.#open = [];
  }
}

/** `now`, with its parts replaced by equal parts of `before`. */
export function share<T>(before: unknown, now: T): T {
  if (before === now || !isContainer(before) || !isContainer(now)) return now;
  const [was, is] = [Object.entries(before), Object.entries(now)];
  if (Array.isArray(before) !== Array.isArray(now)) return now;
  let equal = was.length === is.length;
  const shared = is.map(([key, value]) => {
    const old = before[key];
    const found = share(old, value);
    equal &&= found === old && key in before;
    return [key, found] as const;
  });
  if (equal) return before as T;
  return (Array.isArray(now) ? shared.map(([, value]) => value) : Object.fromEntries(shared)) as T;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed += 1) at = text.indexOf("\n", at) + 1;
  return at;
}
