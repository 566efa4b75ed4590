/** The handbook as the server has it. */
export interface HandbookPage {
  /** The name of its file without the ending, as in its address. */
  name: string;
  title: string;
  sections: string[];
}

export const LIST = "/handbook/pages.json";
export const sourceOf = (name: string) => `/handbook/${encodeURIComponent(name)}.md`;

/** A link to another page, to a place in it, or to a place in this one. */
const LINK = /^(?:([\w-]+)\.md)?(#[\w-]+)?$/;

/** The address of what a page links to; null if it is not in the handbook. */
export function followLink(written: string, toPage: (name: string) => string): string | null {
  const [found, name, place] = LINK.exec(written) ?? [];
  if (!found) return null;
  return `${name ? toPage(name) : ""}${place ?? ""}`;
}

/** The text without its title, which the view shows itself. */
export function withoutTitle(source: string): string {
  return source.replace(/^# .*\n/, "");
}
