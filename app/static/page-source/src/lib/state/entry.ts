/** What the browser's history keeps beside an address: it is there again after a reload, and for whoever comes back. */

type Kept = Record<string, unknown> | null;

/** What was kept beside the present address under this name; undefined if nothing was. */
export function kept<T>(name: string): T | undefined {
  return (history.state as Kept)?.[name] as T | undefined;
}

/** Keep something beside the present address, as a copy. Browsers that allow this only a few times a second do not keep it. */
export function keep(name: string, value: unknown): void {
  try {
    history.replaceState({ ...(history.state as Kept), [name]: value }, "");
  } catch {
    // Nothing depends on it: whoever comes back finds the view as it begins.
  }
}

/** Keep something beside the present address in an entry of its own: going back leads to what was kept before. */
export function keepInNext(name: string, value: unknown): void {
  history.pushState({ ...(history.state as Kept), [name]: value }, "");
}
