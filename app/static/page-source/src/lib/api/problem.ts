/** What went wrong, in the API's own words, or in the page's if the API cannot be reached. */
import type { CombinedError } from "@urql/core";

import { duration } from "$lib/format";
import { t, translate } from "$lib/messages.svelte";
import type { ProblemFragment } from "./generated/operations";

/** What a proxy answers while the server is down. */
const PROXY_STATUSES = new Set([502, 503, 504]);
/** Codes of errors that pass by themselves. */
const TEMPORARY_CODES = new Set<unknown>(["RATE_LIMITED", "UNAVAILABLE"]);
const RETRY_MS = 5_000;
/** How Chromium, Firefox and Safari say that a request, or a part of the page, got no answer. */
const NO_ANSWER = /Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/;
/** Kinds of errors that the same request would meet again. */
const PERMANENT_KINDS = new Set<ProblemKind>(["ValidationError", "ForbiddenError", "NotFoundError", "TooLarge", "FileChanged"]);

export type ProblemKind = "unreachable" | "unauthenticated" | "TooLarge" | "FileChanged" | ProblemFragment["__typename"] | "other";

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

  /** Whether the server has refused the request, and would refuse the same one again. */
  get isPermanent(): boolean {
    return PERMANENT_KINDS.has(this.kind);
  }

  /** Whether the same request may succeed a little later, by itself. */
  get isTemporary(): boolean {
    return this.kind === "unreachable" || this.kind === "unauthenticated" || this.retryAfterMs !== null;
  }

  /** What is wrong with one field of the input; null if nothing is. */
  issueOf(field: string): string | null {
    return this.issues.find(({ path }) => path.includes(field))?.message ?? null;
  }
}

export function fromFragment(problem: ProblemFragment): Problem {
  const retryAfterMs = "retryAfterMs" in problem ? problem.retryAfterMs : null;
  const message = translate(`error.${problem.__typename}`, problem.message, { wait: duration(retryAfterMs ?? 0) });
  return new Problem(message, problem.__typename, "issues" in problem ? problem.issues : [], retryAfterMs);
}

/** An error that takes the place of a result. */
export interface ApiError {
  message: string;
  extensions?: Record<string, unknown> | undefined;
}

/** `status` is that of the HTTP response, if it came in one. */
export function fromError({ message, extensions }: ApiError, status?: number): Problem {
  const unauthenticated = status === 401 || extensions?.["code"] === "UNAUTHENTICATED";
  if (unauthenticated) return new Problem(translate("error.UNAUTHENTICATED", message), "unauthenticated");
  return new Problem(message, "other", [], retryDelay(extensions));
}

export function fromCombined(error: CombinedError): Problem {
  const [first] = error.graphQLErrors;
  const status = (error.response as Response | undefined)?.status;
  if (first) return fromError(first, status);
  if (status === 401) return new Problem(error.message, "unauthenticated");
  if (status === undefined || isServerDown(status)) return unreachable();
  return new Problem(error.networkError?.message ?? error.message);
}

/** The server did not answer. What browsers say about that is for developers, and in English. */
export function unreachable(): Problem {
  return new Problem(t("unreachable.text"), "unreachable");
}

/** Whether a response of this status, without a word of the API, comes from a proxy whose server is down. */
export function isServerDown(status: number): boolean {
  return PROXY_STATUSES.has(status);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && NO_ANSWER.test(error.message)) return unreachable();
  return new Problem(error instanceof Error ? error.message : String(error));
}

/** In milliseconds; null if another attempt would not help. */
function retryDelay(extensions: Record<string, unknown> | undefined): number | null {
  return TEMPORARY_CODES.has(extensions?.["code"]) ? RETRY_MS : null;
}
