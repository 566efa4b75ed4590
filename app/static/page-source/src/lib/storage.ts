/** The browser's storage. Some browsers store nothing, have no space left, or return damaged values. */

/** Reads and writes never fail: what cannot be stored is kept in memory until the page is closed. */
class Keeper {
  readonly #unkept = new Map<string, string>();

  constructor(private readonly open: () => Storage) {}

  read(name: string): string | null {
    return this.#unkept.get(name) ?? this.#try((storage) => storage.getItem(name)) ?? null;
  }

  /** The value stored as JSON; null if there is none, or if it is not valid JSON. */
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
    this.#try((storage) => storage.removeItem(name)); // the earlier value is outdated
  }

  names(): string[] {
    return this.#try((storage) => Object.keys(storage)) ?? [];
  }

  /** On some pages, even access to the storage object throws. */
  #try<T>(work: (storage: Storage) => T): T | undefined {
    try {
      return work(this.open());
    } catch {
      return undefined;
    }
  }
}

/** Shared by all tabs, and kept for the next visit. */
export const shared = new Keeper(() => localStorage);
/** Of this tab, kept across reloads. */
export const ofTab = new Keeper(() => sessionStorage);
