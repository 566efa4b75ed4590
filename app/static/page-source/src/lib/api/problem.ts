/** What went wrong, in the API's own words. */
import type { CombinedError } from "@urql/core";

import type { ProblemFragment } from "./generated/operations";

export type ProblemKind = "unreachable" | "unauthenticated" | ProblemFragment["__typename"] | "other";

export interface Issue {
  path: string[];
  message: string;
}

/** An error of the API or of the way to it. `message` is a sentence to show. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    message: string,
    readonly kind: ProblemKind = "other",
    readonly issues: Issue[] = [],
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }

  /** What is wrong with one field of the input; null if nothing is. */
  issueOf(field: string): string | null {
    return this.issues.find(({ path }) => path.includes(field))?.message ?? null;
  }
}

export function fromFragment(problem: ProblemFragment): Problem {
  return new Problem(
    problem.message,
    problem.__typename,
    "issues" in problem ? problem.issues : [],
    "retryAfterMs" in problem ? problem.retryAfterMs : null,
  );
}

export function fromCombined(error: CombinedError): Problem {
  const [first] = error.graphQLErrors;
  const status = (error.response as Response | undefined)?.status;
  if (status === 401 || first?.extensions?.["code"] === "UNAUTHENTICATED") {
    return new Problem(first?.message ?? error.message, "unauthenticated");
  }
  if (first) return new Problem(first.message, "other", [], retryAfter(first.extensions));
  return new Problem(error.networkError?.message ?? error.message, status === undefined ? "unreachable" : "other");
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(error instanceof Error ? error.message : String(error));
}

function retryAfter(extensions: Record<string, unknown> | undefined): number | null {
  const value = extensions?.["retryAfterMs"];
  return typeof value === "number" ? value : null;
}
