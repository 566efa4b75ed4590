/** One chat session: its messages, and the answers that are being generated. */
import {
  CancelAnswerDocument, ChatSessionDocument, mutate, Problem, query, RateAnswerDocument, RegenerateAnswerDocument,
  SendMessageDocument, WithdrawRatingDocument,
} from "$lib/api";
import type { ChatSessionQuery, MessageItemFragment, RateAnswerInput } from "$lib/api";
import { LiveAnswer } from "./live-answer.svelte";

export type Message = MessageItemFragment;
type Session = NonNullable<ChatSessionQuery["chatSession"]>;

const RUNNING = new Set<Message["status"]>(["PENDING", "STREAMING"]);

export function isRunning(message: Message): boolean {
  return RUNNING.has(message.status);
}

export class Conversation {
  session = $state.raw<Session | null>(null);
  messages = $state.raw<Message[]>([]);
  live = $state.raw<ReadonlyMap<string, LiveAnswer>>(new Map());
  problem = $state.raw<Problem | null>(null);
  missing = $state(false);
  loading = $state(true);
  #before: string | null = null;
  #closed = false;

  constructor(readonly id: string) {}

  get hasOlder(): boolean {
    return this.#before !== null;
  }

  get running(): Message | undefined {
    return this.messages.findLast(isRunning);
  }

  /** Read the newest messages, and follow what is being generated. */
  async open(): Promise<void> {
    await this.#read(null);
    for (const message of this.messages) this.#followIfRunning(message);
  }

  async readOlder(): Promise<void> {
    if (this.#before !== null && !this.loading) await this.#read(this.#before);
  }

  close(): void {
    this.#closed = true;
    for (const answer of this.live.values()) answer.stop();
  }

  /** Ask a question. Throws a Problem; asking again with the same `key` asks the model only once. */
  async ask(content: string, key: string): Promise<void> {
    const turn = await mutate(SendMessageDocument, { input: { sessionId: this.id, content, idempotencyKey: key } });
    this.#put(turn.question, turn.answer);
  }

  async regenerate(messageId: string): Promise<void> {
    const { answer } = await mutate(RegenerateAnswerDocument, { input: { messageId, idempotencyKey: crypto.randomUUID() } });
    this.messages = this.messages.filter(({ id }) => id !== messageId);
    this.#put(answer);
  }

  async cancel(messageId: string): Promise<void> {
    const { answer } = await mutate(CancelAnswerDocument, { messageId });
    this.#end(answer);
  }

  async rate(input: RateAnswerInput): Promise<void> {
    this.#change((await mutate(RateAnswerDocument, { input })).answer);
  }

  async withdrawRating(messageId: string): Promise<void> {
    this.#change((await mutate(WithdrawRatingDocument, { messageId })).answer);
  }

  #change(changed: Pick<Message, "id"> & Partial<Message>): void {
    this.messages = this.messages.map((message) => (message.id === changed.id ? { ...message, ...changed } : message));
  }

  async #read(before: string | null): Promise<void> {
    this.loading = true;
    try {
      const { chatSession } = await query(ChatSessionDocument, { id: this.id, before }, "network-only");
      if (this.#closed) return;
      this.missing = chatSession === null;
      if (chatSession === null) return;
      const { nodes, pageInfo } = chatSession.messages;
      this.session = chatSession;
      this.messages = before === null ? nodes : [...nodes, ...this.messages];
      this.#before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
    } catch (error) {
      this.problem = error instanceof Problem ? error : new Problem(String(error));
    } finally {
      this.loading = false;
    }
  }

  #put(...changed: Message[]): void {
    const known = new Map(this.messages.map((message) => [message.id, message]));
    for (const message of changed) known.set(message.id, message);
    this.messages = [...known.values()];
    for (const message of changed) this.#followIfRunning(message);
  }

  #followIfRunning(message: Message): void {
    if (!isRunning(message) || this.live.has(message.id) || this.#closed) return;
    this.live = new Map(this.live).set(message.id, new LiveAnswer(message.id, (ended) => this.#end(ended)));
  }

  #end(message: Message): void {
    this.#put(message);
    const live = new Map(this.live);
    live.get(message.id)?.stop();
    live.delete(message.id);
    this.live = live;
  }
}
