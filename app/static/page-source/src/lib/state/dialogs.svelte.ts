/** The dialogs that are open, the last one on top: what is outside of it can be neither used nor read clearly. */
class Dialogs {
  #open = $state.raw<readonly string[]>([]);

  /** The id of the one on top; null if none is open. */
  get top(): string | null {
    return this.#open.at(-1) ?? null;
  }

  /** A dialog opens. Returns what closes it. */
  enter(id: string): () => void {
    this.#open = [...this.#open, id];
    return () => (this.#open = this.#open.filter((one) => one !== id));
  }
}

export const dialogs = new Dialogs();
