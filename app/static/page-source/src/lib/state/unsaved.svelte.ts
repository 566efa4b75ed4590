/** Text that was written but neither saved nor sent: before it is lost, the user is asked. */
import { t } from "$lib/messages.svelte";

class Unsaved {
  #count = 0;

  constructor() {
    addEventListener("beforeunload", (event) => {
      if (this.#count) event.preventDefault();
    });
  }

  /** Call it while a component starts. `isUnsaved` may read state. */
  watch(isUnsaved: () => boolean): void {
    $effect(() => {
      if (!isUnsaved()) return undefined;
      this.#count += 1;
      return () => (this.#count -= 1);
    });
  }

  /** Whether another view may be shown in place of this one. */
  mayLeave(): boolean {
    return this.#count === 0 || this.confirmLoss();
  }

  /** Ask whether what was written may be lost. */
  confirmLoss(): boolean {
    return confirm(t("unsaved"));
  }
}

export const unsaved = new Unsaved();
