/** A query whose result is reactive state: it runs again when its variables change, and follows the cache. */
import type { RequestPolicy } from "@urql/core";
import { untrack } from "svelte";

import { watch } from "./client";
import type { TypedDocumentString } from "./generated/operations";
import type { Problem } from "./problem";

/**
 * Create it while a component initializes. `variables` may read state; null means that there is nothing to query yet. `data`
 * is null until the first result, and when the variables change, it stays until the next.
 */
export class Watched<R, V extends Record<string, unknown>> {
  data = $state.raw<R | null>(null);
  problem = $state.raw<Problem | null>(null);
  loading = $state(true);
  #again = $state(0);

  constructor(document: TypedDocumentString<R, V>, variables: () => V | null, policy: RequestPolicy = "cache-and-network") {
    $effect(() => {
      const values = variables();
      const repeated = this.#again > 0;
      this.loading = values !== null;
      if (values === null) {
        this.data = null;
        this.problem = null;
        return undefined;
      }
      return watch(document, values, (data, problem, stale) => this.#show(data, problem, stale), repeated ? "network-only" : policy);
    });
  }

  #show(data: R | null, problem: Problem | null, stale: boolean): void {
    if (data !== null || problem === null) this.data = data;
    this.problem = problem;
    this.loading = stale;
  }

  /** Ask the server again. An effect that calls it does not come to depend on it. */
  reload(): void {
    untrack(() => (this.#again += 1));
  }
}
