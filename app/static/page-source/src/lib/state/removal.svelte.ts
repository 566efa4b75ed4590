/** The focus after one of several items was removed with the keyboard: the item that took its place. */

export class Removal {
  /** The list of which each item has one button that removes it, and the form that adds to it. */
  list = $state<HTMLElement>();
  form = $state<HTMLElement>();
  #at: number | null = null;
  #count = 0;

  /** Create it while a component starts. `items` reads what is listed. */
  constructor(items: () => readonly unknown[]) {
    $effect(() => {
      const isFewer = items().length < this.#count;
      this.#count = items().length;
      if (this.#at === null || !isFewer || document.activeElement !== document.body) return; // or else the focus is elsewhere by now
      const buttons = [...(this.list?.querySelectorAll("button") ?? [])];
      (buttons[Math.min(this.#at, buttons.length - 1)] ?? this.form?.querySelector("input"))?.focus();
      this.#at = null;
    });
  }

  /** The item at this place is about to go. */
  note(at: number): void {
    this.#at = at;
  }
}
