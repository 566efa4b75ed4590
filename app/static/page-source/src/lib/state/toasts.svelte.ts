/** Short messages at the edge of the page. */
import { asProblem, isServerThere, type Problem } from "$lib/api";

export interface Toast {
  id: number;
  kind: "info" | "error";
  text: string;
  /** Whether it says that the server cannot be reached: it disappears when the server is back. */
  unreachable: boolean;
}

const SHOWN_MS = 6_000;
const AGAIN_MS = 3_000;
let last = 0;

class Toasts {
  list = $state<Toast[]>([]);
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** Whether a message already says that the server cannot be reached. */
  get saysUnreachable(): boolean {
    return this.list.some(({ unreachable }) => unreachable);
  }

  show(text: string, kind: Toast["kind"] = "info", unreachable = false): void {
    const id = ++last;
    this.list.push({ id, kind, text, unreachable });
    if (kind === "info") setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  /** Show an error until it is dismissed. */
  readonly fail = (error: unknown): void => {
    const { message, kind } = asProblem(error);
    const unreachable = kind === "unreachable";
    if (!this.list.some(({ text }) => text === message)) this.show(message, "error", unreachable);
    if (unreachable) this.#waitForServer();
  };

  /** Show a problem of a view's subscription, unless its object is gone: then the view itself says so. */
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
