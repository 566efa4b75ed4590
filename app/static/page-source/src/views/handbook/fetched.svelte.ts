/** A file from this server as reactive state, fetched again when its path changes. */
import { fromStatus, RETRY_AFTER, unreachable, type Problem } from "$lib/api/problem";

export class Fetched<T> {
  /** Null while it is loading, and if there is no such file. */
  data = $state.raw<T | null>(null);
  problem = $state.raw<Problem | null>(null);
  loading = $state(true);
  #again = $state(0);

  /** Create it while a component starts. */
  constructor(path: () => string | null, read: (response: Response) => Promise<T>) {
    $effect(() => {
      const [asked, stop] = [path(), new AbortController()];
      this.loading = asked !== null;
      if (this.#again >= 0 && asked !== null) void this.#fetch(asked, read, stop.signal);
      return () => stop.abort();
    });
  }

  reload(): void {
    this.#again += 1;
  }

  async #fetch(path: string, read: (response: Response) => Promise<T>, signal: AbortSignal): Promise<void> {
    try {
      const response = await fetch(path, { signal });
      const found = response.ok ? await read(response) : null;
      if (signal.aborted) return;
      this.data = found;
      const isThere = response.ok || response.status === 404;
      this.problem = isThere ? null : fromStatus(response.status, response.headers.get(RETRY_AFTER));
    } catch {
      if (signal.aborted) return;
      this.problem = unreachable();
    }
    this.loading = false;
  }
}
