/** Values in the browser's history, stored with an address: they survive a reload, and are there on going back. */

type Kept = Record<string, unknown> | null;

/** The value stored with the current address under this name; undefined if there is none. */
export function kept<T>(name: string): T | undefined {
  return (history.state as Kept)?.[name] as T | undefined;
}

/** Store a copy of a value with the current address. Some browsers refuse this if it is done too often; then it is not stored. */
export function keep(name: string, value: unknown): void {
  try {
    history.replaceState({ ...(history.state as Kept), [name]: value }, "");
  } catch {
    // Nothing depends on it: on going back, the view starts in its initial state.
  }
}

/** Store a value with the current address in a new history entry: going back restores the one before. */
export function keepInNext(name: string, value: unknown): void {
  history.pushState({ ...(history.state as Kept), [name]: value }, "");
}
