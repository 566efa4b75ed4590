/** A question answered again with one option changed, beside the answer that it has. Outlives a reload of the tab. */
import { asProblem, MessageDocument, mutate, query, RegenerateAnswerDocument } from "$lib/api";
import type { AnswerDefaultsInput } from "$lib/api";
import { randomId } from "$lib/random";
import type { Conversation } from "./conversation.svelte";
import { keepComparison, readComparison, type KeptComparison } from "./kept-comparison";
import { LiveAnswer } from "./live-answer.svelte";
import { isRunning, type Message } from "./path";
import { toasts } from "./toasts.svelte";

/** `C` says what was changed, for those who draw it; it is kept as JSON. */
export class Comparison<C> {
  /** The second answer, once it was asked for: an alternative to the first. */
  second = $state.raw<Message | null>(null);
  live = $state.raw<LiveAnswer | null>(null);
  #closed = false;
  /** Done once the chat shows the first answer again. */
  #firstShown: Promise<void> | null = null;
  #settled = false;
  readonly #key = randomId();

  constructor(
    private readonly conversation: Conversation,
    readonly question: Message,
    readonly first: Message,
    readonly change: C | null = null,
  ) {}

  /** Go on with the comparison that the tab remembers. Null if there is none, or if nobody looks at it. Throws a Problem. */
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

  /** Answer again. The chat goes on showing the first answer, until the second is kept. Throws a Problem. */
  async ask(options: AnswerDefaultsInput, change: C): Promise<void> {
    const key = `${this.#key} ${JSON.stringify(options)}`;
    const kept: KeptComparison<C> = { firstId: this.first.id, secondId: null, change, options, key, closed: false };
    this.#keep(kept); // the reply may come when the page is loaded again
    const answer = await forgetIfRefused(this.conversation.id, () => askAgain(this.first.id, options, key));
    this.#keep({ ...kept, secondId: answer.id, closed: this.#closed });
    this.#take(answer);
  }

  /** Show the second answer in the chat. Throws a Problem. */
  async keep(): Promise<void> {
    await this.#firstShown; // which would otherwise be shown after it
    if (this.second) await this.conversation.select(this.second.id);
  }

  /** Nobody looks at it any more. */
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

  /** The server shows an answer that was asked for once it is complete; here, somebody chooses. */
  async #showFirst(): Promise<void> {
    try {
      await this.conversation.select(this.first.id);
    } catch (error) {
      toasts.fail(error);
      return; // the page does it when it is loaded the next time
    }
    this.#settled = true;
    if (this.#closed) this.close();
  }
}

/** Do what the tab remembers, and forget it if the server refuses; without a reply, it may have been heard. */
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

/** If the page was left before the server had replied, ask once more, unless nobody wants to see it any more. */
async function readSecond<C>({ secondId, closed, options, key }: KeptComparison<C>, first: Message): Promise<Message | null> {
  if (secondId !== null) return readMessage(secondId);
  return closed ? null : askAgain(first.id, options, key);
}

async function readMessage(id: string): Promise<Message | null> {
  return (await query(MessageDocument, { id }, "network-only")).message;
}
