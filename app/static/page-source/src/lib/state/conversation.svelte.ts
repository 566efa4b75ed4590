/** One chat session: its messages, and the answers that are being generated. */
import {
  asProblem, CancelAnswerDocument, ChatSessionDocument, mutate, Problem, query, RateAnswerDocument, RegenerateAnswerDocument,
  SelectBranchDocument, SendMessageDocument, WithdrawRatingDocument,
} from "$lib/api";
import type { ChatSessionQuery, RateAnswerInput, SendMessageInput } from "$lib/api";
import { t, translate } from "$lib/messages.svelte";
import { account } from "./account.svelte";
import { LiveAnswer } from "./live-answer.svelte";
import { isCompared } from "./kept-comparison";
import { hasPlace, isReplaced, isRunning, joinPath, putMessage, type Message } from "./path";
import { toasts } from "./toasts.svelte";

export type { Message };
type Session = NonNullable<ChatSessionQuery["chatSession"]>;

interface Page {
  messages: Message[];
  /** The cursor of the page before it; null if there is none. */
  before: string | null;
  /** The answer that is being generated, on whatever branch: the newest message of the chat. */
  running: Message | null;
}

export class Conversation {
  session = $state.raw<Session | null>(null);
  messages = $state.raw<Message[]>([]);
  live = $state.raw<ReadonlyMap<string, LiveAnswer>>(new Map());
  /** A version that is being generated while another is shown, such as for a comparison. */
  aside = $state.raw<Message | null>(null);
  /** Why the newest or older messages could not be loaded. Messages that have loaded are still shown. */
  problem = $state.raw<Problem | null>(null);
  olderProblem = $state.raw<Problem | null>(null);
  missing = $state(false);
  loading = $state(true);
  /** The id of the question that is being edited in place. */
  editing = $state<string | null>(null);
  /** The id of the message to bring into view. */
  wanted = $state<string | null>(null);
  /** The cursor of older messages; null if there are none. It changes together with `messages`. */
  #before = $state<string | null>(null);
  #closed = false;
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(readonly id: string) {}

  get hasOlder(): boolean {
    return this.#before !== null;
  }

  /** The answer that the next question follows. */
  get lastAnswer(): Message | undefined {
    return this.messages.findLast(({ role }) => role === "ASSISTANT");
  }

  get running(): Message | undefined {
    return this.messages.findLast(isRunning) ?? this.aside ?? undefined;
  }

  /** Whether the chat is the user's own: shared chats of others are read-only. */
  get mine(): boolean {
    return account.isViewer(this.session?.createdBy);
  }

  /** Load the newest messages, and follow the answer that is being generated. */
  async open(): Promise<void> {
    await this.#readPath();
  }

  /** Load what has changed in the meantime, such as in another tab. If that fails, the messages stay as they are. */
  async refresh(): Promise<void> {
    if (this.editing === null) await this.#catchUp();
  }

  async readOlder(): Promise<void> {
    if (this.#before === null || this.loading) return;
    this.olderProblem = await this.#load(async () => {
      if (this.#before === null) return; // by now, another branch is shown
      const page = await this.#readPage(this.#before);
      if (!page) return;
      this.messages = [...page.messages, ...this.messages];
      this.#before = page.before;
    });
  }

  /**
   * Bring a message into view; if it is on another branch, show that. Returns whether the branch has changed.
   * Throws a Problem if it does not exist.
   */
  async show(messageId: string): Promise<boolean> {
    const before = this.messages.at(-1)?.id;
    if (!has(this.messages, messageId)) await this.select(messageId);
    this.wanted = messageId;
    return before !== undefined && before !== this.messages.at(-1)?.id;
  }

  /** Switch to the branch of a message, and load it. Throws a Problem. */
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
    if (this.editing === messageId) this.editing = null; // otherwise another is already being edited
  }

  /** Answer again. Throws a Problem; asking again with the same `key` asks the model only once. */
  async regenerate(messageId: string, key: string): Promise<void> {
    const input = { messageId, idempotencyKey: key };
    const { answer } = await mutate(RegenerateAnswerDocument, { input }).catch((error: unknown) => this.#refuse(error));
    this.#put(answer);
  }

  async cancel(messageId: string): Promise<void> {
    const { answer } = await mutate(CancelAnswerDocument, { messageId });
    this.#end(answer);
  }

  /** Follow a version that the chat does not show: until it has ended, no question can be asked. */
  followAside(answer: Message): void {
    if (!isRunning(answer) || this.#closed) return;
    this.aside = answer;
    this.#followIfRunning(answer);
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

  async #send(input: SendMessageInput): Promise<void> {
    const { question, answer } = await mutate(SendMessageDocument, { input }).catch((error: unknown) => this.#refuse(error));
    this.#put(question, answer);
  }

  /** Rethrow the error. If something has changed elsewhere, such as an answer to another tab, load that first. */
  #refuse(error: unknown): never {
    const { kind } = asProblem(error);
    if (kind === "ConflictError" || kind === "NotFoundError") void this.#catchUp();
    throw error;
  }

  async #catchUp(): Promise<void> {
    if (this.loading || this.problem || this.missing || this.running) return;
    const seen = this.messages;
    await this.#readInTurn(() => this.#readNewest()).catch(() => undefined);
    if (isReplaced(seen, this.messages)) toasts.show(t("branch.elsewhere"));
  }

  /** Load the current branch from its end back to a known message, or at least to `messageId`. */
  async #readPath(messageId?: string): Promise<void> {
    this.problem = await this.#load(() => this.#readNewest(messageId));
  }

  async #readNewest(messageId?: string): Promise<void> {
    const known = this.messages;
    let read: Message[] = [];
    let before: string | null = null;
    let running: Message | null = null;
    do {
      const page = await this.#readPage(before);
      if (!page) return;
      read = [...page.messages, ...read];
      before = page.before;
      running = page.running;
    } while (before !== null && !((messageId === undefined || has(read, messageId)) && (!running || hasPlace(read, running))));
    const joins = read[0] !== undefined && hasPlace(known, read[0]);
    const path = joins ? joinPath(known, read) : read;
    // Messages that were added or changed during the request are newer.
    const newer = this.messages.filter((message) => !known.includes(message) && (has(path, message.id) || !has(known, message.id)));
    this.messages = newer.reduce(putMessage, path);
    if (!joins) this.#before = before;
    for (const message of this.messages) this.#followIfRunning(message);
    this.#showRunning(running, messageId !== undefined);
  }

  /** Show the version that is being generated, unless another was chosen. The server shows the earlier one until it is complete. */
  #showRunning(running: Message | null, isChosen: boolean): void {
    if (!running || has(this.messages, running.id)) return;
    if (isChosen || isCompared(this.id, running) || !hasPlace(this.messages, running)) this.followAside(running);
    else this.#put(running);
  }

  /** The page of messages before this cursor; null if the chat is gone or closed. */
  async #readPage(cursor: string | null): Promise<Page | null> {
    const { chatSession } = await query(ChatSessionDocument, { id: this.id, before: cursor }, "network-only");
    this.missing = chatSession === null;
    if (chatSession === null || this.#closed) return null;
    const { nodes, pageInfo } = chatSession.messages;
    this.session = chatSession;
    const running = this.mine ? (chatSession.newest.nodes.find(isRunning) ?? null) : null;
    return { messages: nodes, before: pageInfo.hasPreviousPage ? pageInfo.startCursor : null, running };
  }

  /** Run one read after the other: each builds on the messages of the one before. */
  #readInTurn(read: () => Promise<void>): Promise<void> {
    const turn = this.#lastRead.then(read);
    this.#lastRead = turn.catch(() => undefined);
    return turn;
  }

  /** Returns the problem, or null if there was none. */
  async #load(read: () => Promise<void>): Promise<Problem | null> {
    this.loading = true;
    try {
      await this.#readInTurn(read);
      return null;
    } catch (error) {
      return asProblem(error);
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

  /** An answer's events have ended without a result: load its current state. */
  async #lose(id: string): Promise<void> {
    if (this.aside?.id === id) this.aside = null;
    await this.#readPath();
    const message = this.messages.find((one) => one.id === id);
    if (message && !isRunning(message) && this.live.has(id)) this.#end(message);
  }

  #end(message: Message): void {
    if (!this.live.has(message.id)) return; // already handled: the end of a stopped answer is in its events and in the reply
    if (has(this.messages, message.id)) this.#put(message); // otherwise another branch is shown now
    const live = new Map(this.live);
    live.get(message.id)?.stop();
    live.delete(message.id);
    this.live = live;
    if (this.aside?.id === message.id) this.aside = null;
    else if (message.status !== "COMPLETED" && message.alternatives.length > 1) void this.#showCurrent(message);
  }

  /** An answer that was not completed does not replace an earlier one that was: show what the server shows. */
  async #showCurrent(ended: Message): Promise<void> {
    await this.#readPath();
    if (this.#closed || has(this.messages, ended.id)) return;
    if (ended.failure) toasts.fail(new Problem(translate(`answer.${ended.failure.code}`, ended.failure.message)));
    toasts.show(t("regenerate.earlier"));
  }
}

function has(messages: readonly Message[], messageId: string): boolean {
  return messages.some(({ id }) => id === messageId);
}
