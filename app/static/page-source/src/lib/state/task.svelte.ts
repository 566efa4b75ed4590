/** Something that somebody has asked for and waits for: whether it runs, and why it failed. */
import { asProblem, type Problem } from "$lib/api";

export class Task {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);

  /** What to show of the problem; empty if there is none. */
  get message(): string {
    return this.problem?.message ?? "";
  }

  /** Do it, and say whether it was done. What went wrong is kept until the next time. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.busy = false;
    }
    return this.problem === null;
  }
}
