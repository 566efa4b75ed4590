/** An answer that is being generated, built from its events. */
import { AnswerEventsDocument, follow, Problem } from "$lib/api";
import type { AnswerEventsSubscription, CitationItemFragment, MessageItemFragment, NoticeItemFragment, WindowFragment } from "$lib/api";

/** A text that takes longer than this to render is rendered less often, so that the page stays responsive. */
const LONG_MS = 8;
const REST = 3; // pause, as a multiple of the rendering time

type AnswerEvent = AnswerEventsSubscription["answerEvents"];

export class LiveAnswer {
  content = $state("");
  reasoning = $state("");
  citations = $state.raw<CitationItemFragment[]>([]);
  notices = $state.raw<NoticeItemFragment[]>([]);
  connected = $state(true);
  problem = $state.raw<Problem | null>(null);
  window = $state.raw<WindowFragment | null>(null);
  /** How many passages the search found; null until it has ended. */
  found = $state<number | null>(null);
  /** Whether the server has replaced the earlier text. */
  replaced = $state(false);

  #sequence = 0;
  #arrived: { content: string; reasoning: string } = { content: "", reasoning: "" };
  #drawing = false;
  #stopped = false;
  readonly #stop: () => void;

  /**
   * Replays the answer's events from its first one, then follows it. `ended` is called with its final values; `lost` if
   * there are none, such as when its chat was deleted.
   */
  constructor(
    readonly id: string,
    private readonly ended: (message: MessageItemFragment) => void,
    lost: () => void = () => undefined,
  ) {
    this.#stop = follow(AnswerEventsDocument, () => ({ messageId: id, after: this.#sequence }), {
      next: ({ answerEvents }) => this.#take(answerEvents),
      done: () => this.#stopped || lost(),
      failed: (problem) => {
        this.problem = problem;
        lost();
      },
      connected: (connected) => (this.connected = connected),
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#stop();
  }

  #take(event: AnswerEvent): void {
    if (event.sequence <= this.#sequence) return;
    this.#sequence = event.sequence;
    switch (event.__typename) {
      case "QueryReformulated":
        break;
      case "RetrievalCompleted":
        this.found = event.passages.length;
        break;
      case "BudgetNegotiated":
        this.window = event.budget;
        break;
      case "ReasoningDelta":
        this.#show("reasoning", this.#arrived.reasoning + event.text);
        break;
      case "AnswerDelta":
        this.#show("content", this.#arrived.content + event.text);
        break;
      case "AnswerReplaced":
        this.#show("content", event.content);
        this.citations = [];
        this.replaced = true;
        break;
      case "CitationAdded":
        this.citations = [...this.citations, event.citation];
        break;
      case "NoticeGiven":
        this.notices = [...this.notices, event.notice];
        break;
      default:
        this.#stopped = true;
        this.ended(event.message);
    }
  }

  #show(part: "content" | "reasoning", text: string): void {
    this.#arrived[part] = text;
    if (!this.#drawing) void this.#draw();
  }

  /** Many pieces may arrive between two frames: update the text once per frame, until no more has arrived. */
  async #draw(): Promise<void> {
    this.#drawing = true;
    for (let shown = ""; shown !== this.#arrived.content + this.#arrived.reasoning; ) {
      await new Promise(requestAnimationFrame);
      if (this.#stopped) return;
      const began = performance.now();
      shown = this.#arrived.content + this.#arrived.reasoning;
      [this.content, this.reasoning] = [this.#arrived.content, this.#arrived.reasoning];
      await new Promise((drawn) => setTimeout(drawn));
      const took = performance.now() - began;
      if (took > LONG_MS) await new Promise((rested) => setTimeout(rested, took * REST));
    }
    this.#drawing = false;
  }
}
