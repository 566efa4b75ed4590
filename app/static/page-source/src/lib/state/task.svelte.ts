/** The state of an action that the user waits for: whether it is running, and why it failed. */
import { asProblem, type Problem } from "$lib/api";

export class Task {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** The number of the last run: results of earlier ones are ignored. */
  #last = 0;

  /** The problem's message; empty if there is none. */
  get message(): string {
    return this.problem?.message ?? "";
  }

  /** Run the action, and return whether it succeeded. Its problem is kept until the next run. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    const run = ++this.#last;
    this.busy = true;
    this.problem = null;
    let problem: Problem | null = null;
    try {
      await work();
    } catch (error) {
      problem = asProblem(error);
    }
    if (run === this.#last) [this.problem, this.busy] = [problem, false];
    return problem === null;
  }
}
