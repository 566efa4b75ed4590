/** What would be sent for the question that is being written. */
import { asProblem, PreviewAnswerDocument, PreviewPromptDocument, query } from "$lib/api";
import type { PreviewAnswerInput, PreviewAnswerQuery, PreviewPromptQuery, Problem } from "$lib/api";

export type Preview = PreviewAnswerQuery["previewAnswer"];
export type PromptMessage = PreviewPromptQuery["previewAnswer"]["messages"][number];

const WAIT_MS = 450; // after the last key
const AGAIN_MS = 3_000; // when the server could not be reached
const SHORTEST = 3; // characters that are worth a search

export class LivePreview {
  shown = $state.raw<Preview | null>(null);
  problem = $state.raw<Problem | null>(null);
  loading = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = 0;

  /** Ask what this would become, when nothing else is written for a moment. */
  update(input: PreviewAnswerInput): void {
    clearTimeout(this.#timer);
    if (input.content.trim().length < SHORTEST) return this.clear();
    this.#request += 1; // a reply that is still to come is about an earlier text
    this.loading = true;
    this.#timer = setTimeout(() => void this.#ask(input), WAIT_MS);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#request += 1;
    this.shown = null;
    this.problem = null;
    this.loading = false;
  }

  async #ask(input: PreviewAnswerInput): Promise<void> {
    const request = this.#request;
    this.loading = true;
    try {
      const { previewAnswer } = await query(PreviewAnswerDocument, { input }, "network-only");
      if (request !== this.#request) return; // more was written since
      this.shown = previewAnswer;
      this.problem = null;
    } catch (error) {
      if (request !== this.#request) return;
      this.problem = asProblem(error);
      if (this.problem.kind === "unreachable") this.#timer = setTimeout(() => void this.#ask(input), AGAIN_MS);
    } finally {
      if (request === this.#request) this.loading = false;
    }
  }
}

/** The messages that a model would be sent. Throws a Problem. */
export async function readPrompt(input: PreviewAnswerInput): Promise<PromptMessage[]> {
  return (await query(PreviewPromptDocument, { input }, "network-only")).previewAnswer.messages;
}
