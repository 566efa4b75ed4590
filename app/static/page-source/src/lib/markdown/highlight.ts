/** Syntax highlighting for the most common languages. Loaded when needed. */
import { common, createLowlight } from "lowlight";

import type { Piece } from "./pieces";

type Nodes = ReturnType<ReturnType<typeof createLowlight>["highlight"]>["children"];

const lowlight = createLowlight(common);

/** The pieces of the text; null if the language is not known. */
export function highlight(language: string, text: string): Piece[] | null {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return null;
  const pieces: Piece[] = [];
  collect(lowlight.highlight(name, text).children, "", pieces);
  return pieces;
}

function collect(nodes: Nodes, scope: string, pieces: Piece[]): void {
  for (const node of nodes) {
    if (node.type === "text") pieces.push({ text: node.value, scope });
    else if (node.type === "element") collect(node.children as Nodes, scopeOf(node.properties["className"]) || scope, pieces);
  }
}

function scopeOf(names: unknown): string {
  const [first] = Array.isArray(names) ? names : [];
  return typeof first === "string" ? first.replace(/^hljs-/, "") : "";
}
