/** The project that one is in; the last one when the page is opened again. */
const LAST = "footnote:project";

class Current {
  #projectId = $state<string | null>(localStorage.getItem(LAST));

  get projectId(): string | null {
    return this.#projectId;
  }

  set projectId(id: string | null) {
    this.#projectId = id;
    if (id) localStorage.setItem(LAST, id);
    else localStorage.removeItem(LAST);
  }
}

export const current = new Current();
