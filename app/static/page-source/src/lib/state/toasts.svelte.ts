/** Short messages at the edge of the page. */
import { asProblem, isServerThere, type Problem } from "$lib/api";

export interface Toast {
  id: number;
  kind: "info" | "error";
  text: string;
  /** It says that the server cannot be reached, and goes when that is no longer so. */
  unreachable: boolean;
}

const SHOWN_MS = 6_000;
const AGAIN_MS = 3_000;
let last = 0;

class Toasts {
  list = $state<Toast[]>([]);
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** Whether one says that the server cannot be reached: nothing else need say so. */
  get saysUnreachable(): boolean {
    return this.list.some(({ unreachable }) => unreachable);
  }

  show(text: string, kind: Toast["kind"] = "info", unreachable = false): void {
    const id = ++last;
    this.list.push({ id, kind, text, unreachable });
    if (kind === "info") setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  /** Show what went wrong, until it is dismissed. */
  readonly fail = (error: unknown): void => {
    const { message, kind } = asProblem(error);
    const unreachable = kind === "unreachable";
    if (!this.list.some(({ text }) => text === message)) this.show(message, "error", unreachable);
    if (unreachable) this.#waitForServer();
  };

  /** Show what went wrong with something that a view follows, unless it is gone: then the view itself says so. */
  failUnlessGone(problem: Problem): void {
    if (problem.kind !== "NotFoundError") this.fail(problem);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  #waitForServer(): void {
    this.#waiting ??= setTimeout(() => void this.#look(), AGAIN_MS);
  }

  async #look(): Promise<void> {
    const isBack = !document.hidden && (await isServerThere());
    this.#waiting = undefined;
    if (isBack) this.list = this.list.filter(({ unreachable }) => !unreachable);
    else if (this.saysUnreachable) this.#waitForServer();
  }
}

export const toasts = new Toasts();
