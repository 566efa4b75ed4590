/** What the browser keeps for this page. Some browsers keep nothing, have no room left, or return damaged values. */

/** Reads and writes never fail: what cannot be kept is there until the page is left. */
class Keeper {
  readonly #unkept = new Map<string, string>();

  constructor(private readonly open: () => Storage) {}

  read(name: string): string | null {
    return this.#unkept.get(name) ?? this.#try((storage) => storage.getItem(name)) ?? null;
  }

  /** The value that was written as JSON; null if there is none, or nothing that is JSON. */
  readJson<T>(name: string): T | null {
    try {
      return JSON.parse(this.read(name) ?? "null") as T | null;
    } catch {
      return null;
    }
  }

  /** `null` removes it. */
  write(name: string, value: string | null): void {
    this.#unkept.delete(name);
    const isKept = this.#try((storage) => (value === null ? storage.removeItem(name) : storage.setItem(name, value), true));
    if (isKept || value === null) return;
    this.#unkept.set(name, value);
    this.#try((storage) => storage.removeItem(name)); // what was there before is outdated
  }

  names(): string[] {
    return this.#try((storage) => Object.keys(storage)) ?? [];
  }

  /** Even to look whether there is a storage is refused to some pages. */
  #try<T>(work: (storage: Storage) => T): T | undefined {
    try {
      return work(this.open());
    } catch {
      return undefined;
    }
  }
}

/** Of all tabs, and for the next visit. */
export const shared = new Keeper(() => localStorage);
/** Of this tab, also after a reload. */
export const ofTab = new Keeper(() => sessionStorage);
