/** Places within a text and links between texts of ours. Texts of others have neither: their ids could be those of the page. */
import { getContext, setContext } from "svelte";

import type { Inline } from "./tree";

export interface Places {
  /** Where a link leads that is not the address of a web page; null if nowhere. */
  follow: (written: string) => string | null;
}

const KEY = Symbol("places");

/** Headings below this component get ids, and links are followed. */
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
