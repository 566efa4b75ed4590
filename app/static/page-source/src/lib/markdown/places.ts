/** Headings with ids, and links between pages of the handbook. Other texts get no ids, which could clash with the page's own. */
import { getContext, setContext } from "svelte";

import type { Inline } from "./tree";

export interface Places {
  /** The address of a link that is not a URL; null if it leads nowhere. */
  follow: (written: string) => string | null;
}

const KEY = Symbol("places");

/** Give headings below this component ids, and follow its links. */
export function setPlaces(places: Places): void {
  setContext(KEY, places);
}

export function getPlaces(): Places | undefined {
  return getContext<Places | undefined>(KEY);
}

/** The id of a heading, as GitHub makes it. */
export function idOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}

/** A text without its markup. */
export function textOf(nodes: readonly Inline[]): string {
  return nodes.map((node) => ("children" in node ? textOf(node.children) : "text" in node ? node.text : "")).join("");
}
