/** Questions that are being written, kept in the browser for whoever is signed in. */
import { randomId } from "$lib/random";
import { ofTab, shared } from "$lib/storage";
import { account } from "./account.svelte";
import type { Message } from "./path";
import { underWay } from "./under-way";

const PREFIX = "footnote:draft:";
const ASKING = "footnote:asking:";
/** Drafts had these names before they were kept for each person. */
const UNOWNED = [`${PREFIX}chat:`, `${PREFIX}project:`];

/** A question on its way. */
interface Asking {
  question: string;
  /** What it follows, and the chat that was begun for it, if one was. */
  previousId: string | null;
  chatId: string | null;
  /** Sent again with this key, it is asked only once. */
  key: string;
}

/**
 * The draft of a place, such as a chat. Each tab goes on with its own, and a new one with that of the tab in which
 * somebody wrote last. A question on its way is kept with it until the server has replied, also while the page is loaded
 * again: it may have been asked.
 */
export class Draft {
  readonly #place: string;

  constructor(place: string) {
    this.#place = `${account.viewer?.id}:${place}`;
  }

  read(): string {
    return ofTab.read(this.#name) ?? shared.read(this.#name) ?? "";
  }

  write(text: string): void {
    if (text) {
      ofTab.write(this.#name, text);
      shared.write(this.#name, text);
      return;
    }
    const own = this.read();
    ofTab.write(this.#name, null);
    if (shared.read(this.#name) === own) shared.write(this.#name, null); // or it is another tab's
  }

  /** What is sent just now, also by an earlier view of the same place. */
  get underWay(): Promise<unknown> | undefined {
    return underWay.get(this.#place);
  }

  /** The chat that was begun for the question on its way. */
  get chatId(): string | null {
    return this.#asking?.chatId ?? null;
  }

  set chatId(chatId: string | null) {
    const asking = this.#asking;
    if (asking) this.#keep({ ...asking, chatId });
  }

  /** Send a question under its key. Once it is asked, what was written since is the draft. Throws what `ask` throws. */
  async send(question: string, previousId: string | null, ask: (key: string) => Promise<void>): Promise<void> {
    const before = this.#asking;
    const isSame = before?.question === question && before.previousId === previousId;
    const asking = isSame ? before : { question, previousId, chatId: before?.chatId ?? null, key: randomId() };
    this.#keep(asking);
    const sent = ask(asking.key);
    underWay.set(this.#place, sent);
    try {
      await sent;
      this.#finish(question);
    } finally {
      if (this.underWay === sent) underWay.delete(this.#place);
    }
  }

  /** Forget the question that was on its way when the page was left, if it is among these messages. Returns whether it is. */
  settle(messages: readonly Message[]): boolean {
    const asking = this.#asking;
    if (!asking || this.underWay) return false;
    const { question, previousId } = asking;
    const isThere = messages.some(({ role, content, previous }) => role === "USER" && content === question && (previous?.id ?? null) === previousId);
    if (isThere) this.#finish(question);
    return isThere;
  }

  get #name(): string {
    return PREFIX + this.#place;
  }

  get #asking(): Asking | null {
    return ofTab.readJson<Asking>(ASKING + this.#place);
  }

  #keep(asking: Asking | null): void {
    ofTab.write(ASKING + this.#place, asking && JSON.stringify(asking));
  }

  #finish(question: string): void {
    this.#keep(null);
    const text = this.read().trimStart();
    this.write(text.startsWith(question) ? text.slice(question.length).trimStart() : text);
  }
}

/** Remove the drafts of which nobody knows whose they are. */
export function removeUnownedDrafts(): void {
  for (const name of shared.names()) {
    if (UNOWNED.some((prefix) => name.startsWith(prefix))) shared.write(name, null);
  }
}
