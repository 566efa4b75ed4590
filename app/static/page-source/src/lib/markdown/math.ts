/** Formulas between `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, as rules of markdown-it. */
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

const PAIRS = [
  { open: "$$", close: "$$" },
  { open: "\\[", close: "\\]" },
  { open: "\\(", close: "\\)" },
  { open: "$", close: "$" },
] as const;
const LONGEST = 10_000; // characters of one formula

export function math(parser: MarkdownIt): void {
  parser.inline.ruler.before("escape", "math", inlineMath);
  parser.block.ruler.before("fence", "math", blockMath, { alt: ["paragraph", "reference", "blockquote", "list"] });
}

/** The last searches and their results, so that a text that opens many formulas and closes none is searched only once. */
const searches = new WeakMap<object, Map<string, { from: number; at: number }>>();

/** The next position of `text`; Infinity if there is none. */
function nextOf(state: { src: string }, text: string, from: number): number {
  const known = searches.get(state) ?? new Map<string, { from: number; at: number }>();
  searches.set(state, known);
  const last = known.get(text);
  if (last && last.from <= from && from <= last.at) return last.at;
  const found = state.src.indexOf(text, from);
  const at = found < 0 ? Infinity : found;
  known.set(text, { from, at });
  return at;
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const pair = PAIRS.find(({ open }) => state.src.startsWith(open, state.pos));
  if (!pair) return false;
  const start = state.pos + pair.open.length;
  const end = nextOf(state, pair.close, start);
  if (end <= start || end >= state.posMax || end - start > LONGEST) return false;
  const tex = state.src.slice(start, end);
  if (pair.open === "$" && !isFormula(tex, state.src[end + 1])) return false;
  if (!silent) state.push("math", "math", 0).content = tex;
  state.pos = end + pair.close.length;
  return true;
}

/** Tell formulas from amounts of money: formulas have no space inside the dollar signs, and no digit after them. */
function isFormula(tex: string, after: string | undefined): boolean {
  return !/^\s|\s$|\n\n/.test(tex) && !/\d/.test(after ?? "");
}

function blockMath(state: StateBlock, first: number, last: number, silent: boolean): boolean {
  const pair = PAIRS.slice(0, 2).find(({ open }) => lineOf(state, first).startsWith(open));
  if (!pair) return false;
  const lines: string[] = [];
  const start = state.bMarks[first]! + state.tShift[first]! + pair.open.length;
  if (nextOf(state, pair.close, start) - start > LONGEST) return false;
  for (let line = first; line < last; line += 1) {
    const text = line === first ? lineOf(state, line).slice(pair.open.length) : lineOf(state, line);
    const end = text.indexOf(pair.close);
    if (end === -1) {
      lines.push(text);
      continue;
    }
    if (text.slice(end + pair.close.length).trim()) return false;
    if (!silent) add(state, [...lines, text.slice(0, end)].join("\n"), first, line + 1);
    return true;
  }
  return false;
}

function add(state: StateBlock, tex: string, first: number, next: number): void {
  const token = state.push("math_block", "math", 0);
  token.content = tex;
  token.map = [first, next];
  state.line = next;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
}
