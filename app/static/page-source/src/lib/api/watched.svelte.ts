/** A query whose result is state: it is asked again when its variables change, and follows the cache. */
import type { RequestPolicy } from "@urql/core";
import { untrack } from "svelte";

import { watch } from "./client";
import type { TypedDocumentString } from "./generated/operations";
import type { Problem } from "./problem";

/**
 * Create it while a component starts. `variables` may read state; null means that there is nothing to ask yet. `data`
 * is null until the first result; when the variables change, it stays until there is another.
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

  /** Ask the server again. Whoever calls it in an effect does not follow it. */
  reload(): void {
    untrack(() => (this.#again += 1));
  }
}
