/** A task that the user waits for: whether it is running, and why it failed. */
import { asProblem, type Problem } from "$lib/api";

export class Task {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** The number of the last run: an earlier one that is still under way has nothing to say any more. */
  #last = 0;

  /** What to show of the problem; empty if there is none. */
  get message(): string {
    return this.problem?.message ?? "";
  }

  /** Do it, and say whether it was done. What went wrong is kept until the next time. */
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
