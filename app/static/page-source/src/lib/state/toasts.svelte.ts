/** Short messages at the edge of the page. */
import { asProblem } from "$lib/api";

export interface Toast {
  id: number;
  kind: "info" | "error";
  text: string;
}

const SHOWN_MS = 6_000;
let last = 0;

class Toasts {
  list = $state<Toast[]>([]);

  show(text: string, kind: Toast["kind"] = "info"): void {
    const id = ++last;
    this.list.push({ id, kind, text });
    if (kind === "info") setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  /** Show what went wrong, until it is dismissed. */
  readonly fail = (error: unknown): void => {
    const { message } = asProblem(error);
    if (!this.list.some(({ text }) => text === message)) this.show(message, "error");
  };

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
