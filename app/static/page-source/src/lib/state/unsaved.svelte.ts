/** Text that is neither saved nor sent: the user is asked before it is lost. */
import { t } from "$lib/messages.svelte";

class Unsaved {
  #count = 0;

  constructor() {
    addEventListener("beforeunload", (event) => {
      if (this.#count) event.preventDefault();
    });
  }

  /** Call it while a component initializes. `isUnsaved` may read state. */
  watch(isUnsaved: () => boolean): void {
    $effect(() => {
      if (!isUnsaved()) return undefined;
      this.#count += 1;
      return () => (this.#count -= 1);
    });
  }

  /** Whether the view may be left: asks if something would be lost. */
  mayLeave(): boolean {
    return this.#count === 0 || this.confirmLoss();
  }

  /** Ask whether what was written may be discarded. */
  confirmLoss(): boolean {
    return confirm(t("unsaved"));
  }
}

export const unsaved = new Unsaved();
