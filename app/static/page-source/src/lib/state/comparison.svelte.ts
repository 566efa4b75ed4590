/** A question asked again with one option changed, beside the answer that it has. */
import { mutate, SendMessageDocument } from "$lib/api";
import type { AnswerDefaultsInput } from "$lib/api";
import type { Conversation } from "./conversation.svelte";
import { LiveAnswer } from "./live-answer.svelte";
import { isRunning, type Message } from "./path";

export class Comparison {
  /** The second answer, once it was asked for. */
  second = $state.raw<Message | null>(null);
  live = $state.raw<LiveAnswer | null>(null);
  readonly #key = crypto.randomUUID();

  constructor(
    private readonly conversation: Conversation,
    readonly question: Message,
  ) {}

  /** Ask again. The chat goes on showing the first answer, until the second is kept. Throws a Problem. */
  async ask(change: AnswerDefaultsInput): Promise<void> {
    const { answer } = await mutate(SendMessageDocument, {
      input: {
        ...change,
        sessionId: this.conversation.id,
        content: this.question.content,
        editedMessageId: this.question.id,
        idempotencyKey: `${this.#key} ${JSON.stringify(change)}`,
      },
    });
    this.second = answer;
    if (isRunning(answer)) this.live = new LiveAnswer(answer.id, (ended) => this.#end(ended));
    await this.conversation.select(this.question.id);
  }

  /** Show the second answer in the chat. Throws a Problem. */
  async keep(): Promise<void> {
    if (this.second) await this.conversation.select(this.second.id);
  }

  /** No longer follow the second answer; it stays as another version. */
  close(): void {
    this.live?.stop();
  }

  #end(message: Message): void {
    this.live?.stop();
    this.live = null;
    this.second = message;
  }
}
