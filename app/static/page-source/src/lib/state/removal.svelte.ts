/** Move the focus to the next item after one was removed with the keyboard. */

export class Removal {
  /** The list, each of whose items has one button, which removes it, and the form that adds items. */
  list = $state<HTMLElement>();
  form = $state<HTMLElement>();
  #at: number | null = null;
  #count = 0;

  /** Create it while a component initializes. `items` returns the listed items. */
  constructor(items: () => readonly unknown[]) {
    $effect(() => {
      const isFewer = items().length < this.#count;
      this.#count = items().length;
      if (this.#at === null || !isFewer || document.activeElement !== document.body) return; // otherwise the focus has already moved elsewhere
      const buttons = [...(this.list?.querySelectorAll("button") ?? [])];
      (buttons[Math.min(this.#at, buttons.length - 1)] ?? this.form?.querySelector("input"))?.focus();
      this.#at = null;
    });
  }

  /** Note that the item at this place is about to be removed. */
  note(at: number): void {
    this.#at = at;
  }
}
