/** Questions that are being written, kept in the browser for whoever is signed in. */
import { account } from "./account.svelte";

const PREFIX = "footnote:draft:";
/** Drafts had these names before they were kept for each person. */
const UNOWNED = [`${PREFIX}chat:`, `${PREFIX}project:`];

/** The name under which the draft of a place, such as a chat, is kept. */
export function draftKey(place: string): string {
  return `${PREFIX}${account.viewer?.id}:${place}`;
}

/** Remove the drafts of which nobody knows whose they are. */
export function removeUnownedDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (UNOWNED.some((prefix) => key.startsWith(prefix))) localStorage.removeItem(key);
  }
}
