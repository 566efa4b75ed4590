/** A question answered again with one option changed, beside the answer that it has. Outlives a reload of the tab. */
import { MessageDocument, mutate, query, RegenerateAnswerDocument } from "$lib/api";
import type { AnswerDefaultsInput } from "$lib/api";
import { randomId } from "$lib/random";
import type { Conversation } from "./conversation.svelte";
import { LiveAnswer } from "./live-answer.svelte";
import { isRunning, type Message } from "./path";
import { toasts } from "./toasts.svelte";

/** What the tab remembers of a comparison in a chat. */
interface Kept<C> {
  firstId: string;
  secondId: string;
  change: C;
  /** Whether nobody looks at it any more: then the second answer is only kept from taking the place of the first. */
  closed: boolean;
}

/** `C` says what was changed, for those who draw it; it is kept as JSON. */
export class Comparison<C> {
  /** The second answer, once it was asked for: an alternative to the first. */
  second = $state.raw<Message | null>(null);
  live = $state.raw<LiveAnswer | null>(null);
  #closed = false;
  readonly #key = randomId();

  constructor(
    private readonly conversation: Conversation,
    readonly question: Message,
    readonly first: Message,
    readonly change: C | null = null,
  ) {}

  /** Go on with the comparison that the tab remembers. Null if there is none, or if nobody looks at it. */
  static async resume<C>(conversation: Conversation): Promise<Comparison<C> | null> {
    const place = placeOf(conversation);
    const kept = JSON.parse(sessionStorage.getItem(place) ?? "null") as Kept<C> | null;
    if (!kept) return null;
    const [first, second] = await Promise.all([readMessage(kept.firstId), readMessage(kept.secondId)]);
    const question = first?.previous && (await readMessage(first.previous.id));
    if (!first || !second || !question) {
      sessionStorage.removeItem(place);
      return null;
    }
    const comparison = new Comparison(conversation, question, first, kept.change);
    comparison.#closed = kept.closed;
    comparison.#take(second);
    return kept.closed ? null : comparison;
  }

  /** Answer again. The chat goes on showing the first answer, until the second is kept. Throws a Problem. */
  async ask(options: AnswerDefaultsInput, change: C): Promise<void> {
    const { answer } = await mutate(RegenerateAnswerDocument, {
      input: { ...options, messageId: this.first.id, idempotencyKey: `${this.#key} ${JSON.stringify(options)}` },
    });
    const kept: Kept<C> = { firstId: this.first.id, secondId: answer.id, change, closed: false };
    sessionStorage.setItem(placeOf(this.conversation), JSON.stringify(kept));
    this.#take(answer);
  }

  /** Show the second answer in the chat. Throws a Problem. */
  async keep(): Promise<void> {
    if (this.second) await this.conversation.select(this.second.id);
  }

  /** Nobody looks at it any more. */
  close(): void {
    this.#closed = true;
    const place = placeOf(this.conversation);
    const kept = sessionStorage.getItem(place);
    if (!this.live) sessionStorage.removeItem(place);
    else if (kept) sessionStorage.setItem(place, JSON.stringify({ ...(JSON.parse(kept) as Kept<C>), closed: true }));
  }

  #take(answer: Message): void {
    this.second = answer;
    if (isRunning(answer)) this.live = new LiveAnswer(answer.id, (ended) => this.#end(ended));
    else void this.#showFirst();
  }

  #end(message: Message): void {
    this.live?.stop();
    this.live = null;
    this.second = message;
    void this.#showFirst();
  }

  /** The server shows an answer that was asked for once it is complete; here, somebody chooses. */
  async #showFirst(): Promise<void> {
    await this.conversation.select(this.first.id).catch(toasts.fail);
    if (this.#closed) this.close();
  }
}

function placeOf(conversation: Conversation): string {
  return `comparison:${conversation.id}`;
}

async function readMessage(id: string): Promise<Message | null> {
  return (await query(MessageDocument, { id }, "network-only")).message;
}
