/** One chat session: its messages, and the answers that are being generated. */
import {
  asProblem, CancelAnswerDocument, ChatSessionDocument, mutate, Problem, query, RateAnswerDocument, RegenerateAnswerDocument,
  SelectBranchDocument, SendMessageDocument, WithdrawRatingDocument,
} from "$lib/api";
import type { ChatSessionQuery, RateAnswerInput, SendMessageInput } from "$lib/api";
import { t } from "$lib/messages.svelte";
import { randomId } from "$lib/random";
import { account } from "./account.svelte";
import { LiveAnswer } from "./live-answer.svelte";
import { hasPlace, isRunning, joinPath, putMessage, type Message } from "./path";
import { toasts } from "./toasts.svelte";

export type { Message };
type Session = NonNullable<ChatSessionQuery["chatSession"]>;

export class Conversation {
  session = $state.raw<Session | null>(null);
  messages = $state.raw<Message[]>([]);
  live = $state.raw<ReadonlyMap<string, LiveAnswer>>(new Map());
  problem = $state.raw<Problem | null>(null);
  missing = $state(false);
  loading = $state(true);
  /** The question that is being edited in its place. */
  editing = $state<string | null>(null);
  /** The message to bring into view. */
  wanted = $state<string | null>(null);
  #before = $state<string | null>(null);
  #closed = false;

  constructor(readonly id: string) {}

  get hasOlder(): boolean {
    return this.#before !== null;
  }

  /** What the next question follows. */
  get lastAnswer(): Message | undefined {
    return this.messages.findLast(({ role }) => role === "ASSISTANT");
  }

  get running(): Message | undefined {
    return this.messages.findLast(isRunning);
  }

  /** Whether it is one's own: others can only read a chat that is shared. */
  get mine(): boolean {
    return account.isViewer(this.session?.createdBy);
  }

  /** Read the newest messages, and follow what is being generated. */
  async open(): Promise<void> {
    await this.#readPath();
  }

  /** Read what has happened elsewhere, such as in another tab, since somebody looked last. What is shown stays if that fails. */
  async refresh(): Promise<void> {
    if (this.loading || this.problem || this.missing || this.running || this.editing !== null) return;
    await this.#readNewest().catch(() => undefined);
  }

  async readOlder(): Promise<void> {
    if (this.#before === null || this.loading) return;
    await this.#reading(async () => {
      const page = await this.#readPage(this.#before);
      if (page) this.messages = [...page, ...this.messages];
    });
  }

  /**
   * Bring a message into view; if it is on another branch, show that. Returns whether the branch has changed.
   * Throws a Problem if it does not exist.
   */
  async show(messageId: string): Promise<boolean> {
    const before = this.messages.at(-1)?.id;
    if (!this.#has(messageId)) await this.select(messageId);
    this.wanted = messageId;
    return before !== undefined && before !== this.messages.at(-1)?.id;
  }

  /** Show the branch of a message, and read it again. Throws a Problem. */
  async select(messageId: string): Promise<void> {
    await mutate(SelectBranchDocument, { messageId });
    await this.#readPath(messageId);
  }

  close(): void {
    this.#closed = true;
    for (const answer of this.live.values()) answer.stop();
  }

  /** Ask a question. Throws a Problem; asking again with the same `key` asks the model only once. */
  async ask(content: string, key: string): Promise<void> {
    await this.#send({ sessionId: this.id, content, idempotencyKey: key, previousMessageId: this.lastAnswer?.id ?? null });
  }

  /** Ask an edited version of a question in its place. Throws a Problem. */
  async edit(messageId: string, content: string, key: string): Promise<void> {
    await this.#send({ sessionId: this.id, content, idempotencyKey: key, editedMessageId: messageId });
    this.editing = null;
  }

  async regenerate(messageId: string): Promise<void> {
    const { answer } = await mutate(RegenerateAnswerDocument, { input: { messageId, idempotencyKey: randomId() } });
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

  #has(messageId: string): boolean {
    return this.messages.some(({ id }) => id === messageId);
  }

  async #send(input: SendMessageInput): Promise<void> {
    const { question, answer } = await mutate(SendMessageDocument, { input });
    this.#put(question, answer);
  }

  /** Read what is shown, from its end back to where it joins what is known, and at least to this message. */
  async #readPath(messageId?: string): Promise<void> {
    await this.#reading(() => this.#readNewest(messageId));
  }

  async #readNewest(messageId?: string): Promise<void> {
    const [known, knownBefore] = [this.messages, this.#before];
    let read: Message[] = [];
    do {
      const page = await this.#readPage(read.length ? this.#before : null);
      if (!page) return;
      read = [...page, ...read];
    } while (this.#before !== null && messageId !== undefined && !read.some(({ id }) => id === messageId));
    const joins = read[0] !== undefined && hasPlace(known, read[0]);
    if (joins) this.#before = knownBefore;
    // What was asked while this was read is newer.
    const asked = this.messages.filter((message) => !known.includes(message) && !read.some(({ id }) => id === message.id));
    this.messages = asked.reduce(putMessage, joins ? joinPath(known, read) : read);
    for (const message of this.messages) this.#followIfRunning(message);
  }

  /** A page of what is shown, before this cursor; null if there is nothing to show any more. */
  async #readPage(before: string | null): Promise<Message[] | null> {
    const { chatSession } = await query(ChatSessionDocument, { id: this.id, before }, "network-only");
    this.missing = chatSession === null;
    if (chatSession === null || this.#closed) return null;
    const { nodes, pageInfo } = chatSession.messages;
    this.session = chatSession;
    this.#before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
    return nodes;
  }

  async #reading(read: () => Promise<void>): Promise<void> {
    this.loading = true;
    try {
      await read();
      this.problem = null;
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.loading = false;
    }
  }

  #put(...changed: Message[]): void {
    for (const message of changed) this.messages = putMessage(this.messages, message);
    for (const message of changed) this.#followIfRunning(message);
  }

  #followIfRunning(message: Message): void {
    if (!isRunning(message) || this.live.has(message.id) || this.#closed) return;
    this.live = new Map(this.live).set(message.id, new LiveAnswer(message.id, (ended) => this.#end(ended), () => void this.#lose(message.id)));
  }

  /** The events of an answer have ended without saying how: see what has become of it. */
  async #lose(id: string): Promise<void> {
    await this.#readPath();
    const message = this.messages.find((one) => one.id === id);
    if (message && !isRunning(message) && this.live.has(id)) this.#end(message);
  }

  #end(message: Message): void {
    if (this.#has(message.id)) this.#put(message); // or else another branch is shown now
    const live = new Map(this.live);
    live.get(message.id)?.stop();
    live.delete(message.id);
    this.live = live;
    if (message.status !== "COMPLETED" && message.alternatives.length > 1) void this.#showCurrent(message);
  }

  /** An answer that did not become complete does not take the place of one that is: show what the server shows. */
  async #showCurrent(ended: Message): Promise<void> {
    await this.#readPath();
    if (this.#closed || this.#has(ended.id)) return;
    if (ended.failure) toasts.fail(new Problem(ended.failure.message));
    toasts.show(t("regenerate.earlier"));
  }
}
