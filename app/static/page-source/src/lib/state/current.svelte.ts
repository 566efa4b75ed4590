/** The current project, kept for the next visit. */
import { shared } from "$lib/storage";

const LAST = "footnote:project";

class Current {
  #projectId = $state<string | null>(shared.read(LAST));
  /** How many times the project turned out to be missing, which makes lists of projects reload. */
  missingCount = $state(0);

  get projectId(): string | null {
    return this.#projectId;
  }

  /** Call it if the project was deleted, or if the user no longer has access to it. */
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
