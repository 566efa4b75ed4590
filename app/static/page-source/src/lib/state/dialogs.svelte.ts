/** The open dialogs, topmost last: nothing outside it can be used. */
class Dialogs {
  #open = $state.raw<readonly string[]>([]);

  /** The id of the one on top; null if none is open. */
  get top(): string | null {
    return this.#open.at(-1) ?? null;
  }

  /** Add a dialog that opens. Returns a function that removes it. */
  enter(id: string): () => void {
    this.#open = [...this.#open, id];
    return () => (this.#open = this.#open.filter((one) => one !== id));
  }
}

export const dialogs = new Dialogs();
