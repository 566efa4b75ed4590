/** The current project; when the page is opened again, the last one. */
import { shared } from "$lib/storage";

const LAST = "footnote:project";

class Current {
  #projectId = $state<string | null>(shared.read(LAST));
  /** How many times the project turned out to be missing: lists of projects are read again then. */
  missingCount = $state(0);

  get projectId(): string | null {
    return this.#projectId;
  }

  /** The project was deleted, or the user no longer has access to it. */
  reportMissing(): void {
    this.projectId = null;
    this.missingCount += 1;
  }

  set projectId(id: string | null) {
    this.#projectId = id;
    shared.write(LAST, id);
  }
}

export const current = new Current();
