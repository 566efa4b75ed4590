/** The preview of the prompt for the question that is being written. */
import { asProblem, PreviewAnswerDocument, PreviewPromptDocument, query } from "$lib/api";
import type { PreviewAnswerInput, PreviewAnswerQuery, PreviewPromptQuery, Problem } from "$lib/api";

export type Preview = PreviewAnswerQuery["previewAnswer"];
export type PromptMessage = PreviewPromptQuery["previewAnswer"]["messages"][number];

const WAIT_MS = 450; // after the last key
const AGAIN_MS = 3_000; // after the server could not be reached
const SHORTEST = 3; // characters of a question that are worth a search

export class LivePreview {
  shown = $state.raw<Preview | null>(null);
  problem = $state.raw<Problem | null>(null);
  loading = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = 0;

  /** Request the preview of this input once the user has stopped typing for a moment. */
  update(input: PreviewAnswerInput): void {
    clearTimeout(this.#timer);
    if (input.content.trim().length < SHORTEST) return this.clear();
    this.#request += 1; // pending replies are about an earlier text
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
      if (request !== this.#request) return; // the text has changed since
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

/** The messages that would be sent to the model. Throws a Problem. */
export async function readPrompt(input: PreviewAnswerInput): Promise<PromptMessage[]> {
  return (await query(PreviewPromptDocument, { input }, "network-only")).previewAnswer.messages;
}
