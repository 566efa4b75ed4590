/** A second answer to a question, with one option changed, next to the first. Survives a reload of the tab. */
import { asProblem, MessageDocument, mutate, query, RegenerateAnswerDocument } from "$lib/api";
import type { AnswerDefaultsInput } from "$lib/api";
import { randomId } from "$lib/random";
import type { Conversation } from "./conversation.svelte";
import { keepComparison, readComparison, type KeptComparison } from "./kept-comparison";
import { LiveAnswer } from "./live-answer.svelte";
import { isRunning, type Message } from "./path";
import { toasts } from "./toasts.svelte";

/** `C` describes the change for the view; it is stored as JSON. */
export class Comparison<C> {
  /** The second answer once it was requested: an alternative to the first. */
  second = $state.raw<Message | null>(null);
  live = $state.raw<LiveAnswer | null>(null);
  #closed = false;
  /** Resolves when the chat shows the first answer again. */
  #firstShown: Promise<void> | null = null;
  #settled = false;
  readonly #key = randomId();

  constructor(
    private readonly conversation: Conversation,
    readonly question: Message,
    readonly first: Message,
    readonly change: C | null = null,
  ) {}

  /** Resume the comparison that the tab has stored. Null if there is none, or if its dialog was closed. Throws a Problem. */
  static async resume<C>(conversation: Conversation): Promise<Comparison<C> | null> {
    const kept = readComparison<C>(conversation.id);
    const first = kept && (await readMessage(kept.firstId));
    const question = first?.previous && (await readMessage(first.previous.id));
    const second = first && (await forgetIfRefused(conversation.id, () => readSecond(kept, first)));
    if (!first || !second || !question) {
      keepComparison(conversation.id, null);
      return null;
    }
    const comparison = new Comparison(conversation, question, first, kept.change);
    comparison.#closed = kept.closed;
    comparison.#keep({ ...kept, secondId: second.id });
    comparison.#take(second);
    return kept.closed ? null : comparison;
  }

  /** Request the second answer. The chat keeps showing the first until the second is chosen. Throws a Problem. */
  async ask(options: AnswerDefaultsInput, change: C): Promise<void> {
    const key = `${this.#key} ${JSON.stringify(options)}`;
    const kept: KeptComparison<C> = { firstId: this.first.id, secondId: null, change, options, key, closed: false };
    this.#keep(kept); // the reply may arrive after a reload
    const answer = await forgetIfRefused(this.conversation.id, () => askAgain(this.first.id, options, key));
    this.#keep({ ...kept, secondId: answer.id, closed: this.#closed });
    this.#take(answer);
  }

  /** Show the second answer in the chat. Throws a Problem. */
  async keep(): Promise<void> {
    await this.#firstShown; // otherwise the first answer would be shown after it
    if (this.second) await this.conversation.select(this.second.id);
  }

  /** Call it when the dialog is closed. */
  close(): void {
    this.#closed = true;
    const kept = readComparison<C>(this.conversation.id);
    this.#keep(kept && !this.#settled ? { ...kept, closed: true } : null);
  }

  #keep(kept: KeptComparison<C> | null): void {
    keepComparison(this.conversation.id, kept);
  }

  #take(answer: Message): void {
    this.second = answer;
    this.conversation.followAside(answer);
    if (isRunning(answer)) this.live = new LiveAnswer(answer.id, (ended) => this.#end(ended));
    else this.#firstShown = this.#showFirst();
  }

  #end(message: Message): void {
    this.live?.stop();
    this.live = null;
    this.second = message;
    this.#firstShown = this.#showFirst();
  }

  /** Return to the first answer: the server shows the newest complete one, but in a comparison, the user chooses. */
  async #showFirst(): Promise<void> {
    try {
      await this.conversation.select(this.first.id);
    } catch (error) {
      toasts.fail(error);
      return; // tried again when the page is reloaded
    }
    this.#settled = true;
    if (this.#closed) this.close();
  }
}

/** Forget the stored comparison if the server refuses the request; without a reply, it may have been accepted. */
async function forgetIfRefused<T>(chatId: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (asProblem(error).kind !== "unreachable") keepComparison(chatId, null);
    throw error;
  }
}

async function askAgain(messageId: string, options: AnswerDefaultsInput, idempotencyKey: string): Promise<Message> {
  return (await mutate(RegenerateAnswerDocument, { input: { ...options, messageId, idempotencyKey } })).answer;
}

/** If the page was closed before the server had replied, ask once more, unless the dialog was closed. */
async function readSecond<C>({ secondId, closed, options, key }: KeptComparison<C>, first: Message): Promise<Message | null> {
  if (secondId !== null) return readMessage(secondId);
  return closed ? null : askAgain(first.id, options, key);
}

async function readMessage(id: string): Promise<Message | null> {
  return (await query(MessageDocument, { id }, "network-only")).message;
}
