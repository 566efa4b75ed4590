/** Questions that are being written, kept in the browser for whoever is signed in. */
import { account } from "./account.svelte";

const PREFIX = "footnote:draft:";
/** Drafts had these names before they were kept for each person. */
const UNOWNED = [`${PREFIX}chat:`, `${PREFIX}project:`];

/**
 * The draft of a place, such as a chat. Each tab goes on with its own, and a new one with that of the tab in which
 * somebody wrote last.
 */
export class Draft {
  readonly #key: string;

  constructor(place: string) {
    this.#key = `${PREFIX}${account.viewer?.id}:${place}`;
  }

  read(): string {
    return sessionStorage.getItem(this.#key) ?? localStorage.getItem(this.#key) ?? "";
  }

  write(text: string): void {
    if (text) {
      sessionStorage.setItem(this.#key, text);
      localStorage.setItem(this.#key, text);
      return;
    }
    const own = this.read();
    sessionStorage.removeItem(this.#key);
    if (localStorage.getItem(this.#key) === own) localStorage.removeItem(this.#key); // or it is another tab's
  }
}

/** Remove the drafts of which nobody knows whose they are. */
export function removeUnownedDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (UNOWNED.some((prefix) => key.startsWith(prefix))) localStorage.removeItem(key);
  }
}
