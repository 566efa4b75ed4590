/** Drafts of questions, kept in the browser for each user. */
import { randomId } from "$lib/random";
import { ofTab, shared } from "$lib/storage";
import { account } from "./account.svelte";
import type { Message } from "./path";
import { underWay } from "./under-way";

const PREFIX = "footnote:draft:";
const ASKING = "footnote:asking:";
/** The names of drafts before they were kept for each user. */
const UNOWNED = [`${PREFIX}chat:`, `${PREFIX}project:`];

/** A question that is being sent. */
interface Asking {
  question: string;
  /** The answer that it follows, and the chat that was created for it, if any. */
  previousId: string | null;
  chatId: string | null;
  /** The idempotency key: sent again with it, the question is asked only once. */
  key: string;
}

/**
 * The draft of a place, such as a chat. Each tab continues its own, and a new tab the one that was
 * changed last. A question that is being sent is kept with it until the server has replied, even across
 * a reload: it may have arrived.
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
    if (shared.read(this.#name) === own) shared.write(this.#name, null); // otherwise it belongs to another tab
  }

  /** The question that is being sent, possibly by an earlier view of the same place. */
  get underWay(): Promise<unknown> | undefined {
    return underWay.get(this.#place);
  }

  /** The chat that was created for the question that is being sent. */
  get chatId(): string | null {
    return this.#asking?.chatId ?? null;
  }

  set chatId(chatId: string | null) {
    const asking = this.#asking;
    if (asking) this.#keep({ ...asking, chatId });
  }

  /** Send a question with its key. Once it has arrived, the draft is what was written since. Throws what `ask` throws. */
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

  /** Forget the question that was being sent when the page was closed if it is among these messages. Returns whether it is. */
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

/** Remove old drafts that belong to no user. */
export function removeUnownedDrafts(): void {
  for (const name of shared.names()) {
    if (UNOWNED.some((prefix) => name.startsWith(prefix))) shared.write(name, null);
  }
}
