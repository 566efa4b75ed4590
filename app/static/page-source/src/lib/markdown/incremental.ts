/** Markdown that grows: only the last block of what was parsed is parsed again. */
import { parse } from "./parse";
import type { Block } from "./tree";

export class IncrementalMarkdown {
  #source = "";
  #labels = "";
  /** Blocks that no text after them can change, and where in the source they end. */
  #settled: Block[] = [];
  #settledEnd = 0;

  /** The blocks of the text. Those that have not changed since the last call are the same objects. */
  update(source: string, labels: readonly string[]): Block[] {
    const joined = labels.join("\0");
    if (joined !== this.#labels || !source.startsWith(this.#source.slice(0, this.#settledEnd))) this.#reset();
    this.#labels = joined;
    this.#source = source;
    const rest = source.slice(this.#settledEnd);
    const parsed = parse(rest, labels);
    const last = parsed.at(-1);
    if (last === undefined) return [...this.#settled];
    const settled = parsed.slice(0, -1).map(({ block }) => block);
    this.#settledEnd += offsetOfLine(rest, last.firstLine);
    this.#settled.push(...settled);
    return [...this.#settled, last.block];
  }

  #reset(): void {
    this.#settled = [];
    this.#settledEnd = 0;
  }
}

function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed += 1) at = text.indexOf("\n", at) + 1;
  return at;
}
