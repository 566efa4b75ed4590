/** What went wrong, in the API's own words, or in the page's if the API cannot be reached. */
import type { CombinedError } from "@urql/core";

import { t } from "$lib/messages.svelte";
import type { ProblemFragment } from "./generated/operations";

/** What stands before the server answers with these when it is away. */
const AWAY = new Set([502, 503, 504]);
/** What passes by itself. */
const PASSING = new Set<unknown>(["RATE_LIMITED", "UNAVAILABLE"]);
const AGAIN_MS = 5_000;
/** How Chromium, Firefox and Safari say that a request, or a part of the page, got no answer. */
const FETCHING = /fetch|Load failed|Importing a module/;

export type ProblemKind = "unreachable" | "unauthenticated" | "TooLarge" | ProblemFragment["__typename"] | "other";

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

/** An error that takes the place of a result. */
export interface ApiError {
  message: string;
  extensions?: Record<string, unknown> | undefined;
}

/** `status` is that of the HTTP response, if it came in one. */
export function fromError({ message, extensions }: ApiError, status?: number): Problem {
  const unauthenticated = status === 401 || extensions?.["code"] === "UNAUTHENTICATED";
  return unauthenticated ? new Problem(message, "unauthenticated") : new Problem(message, "other", [], retryAfter(extensions));
}

export function fromCombined(error: CombinedError): Problem {
  const [first] = error.graphQLErrors;
  const status = (error.response as Response | undefined)?.status;
  if (first) return fromError(first, status);
  if (status === 401) return new Problem(error.message, "unauthenticated");
  if (status === undefined || isAway(status)) return unreachable();
  return new Problem(error.networkError?.message ?? error.message);
}

/** The server did not answer. What browsers say about that is for developers, and in English. */
export function unreachable(): Problem {
  return new Problem(t("unreachable.text"), "unreachable");
}

/** Whether a response of this status, without a word of the API, comes from what stands before a server that is away. */
export function isAway(status: number): boolean {
  return AWAY.has(status);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError && FETCHING.test(error.message)) return unreachable();
  return new Problem(error instanceof Error ? error.message : String(error));
}

function retryAfter(extensions: Record<string, unknown> | undefined): number | null {
  return PASSING.has(extensions?.["code"]) ? AGAIN_MS : null;
}
