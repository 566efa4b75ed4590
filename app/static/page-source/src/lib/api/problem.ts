/** What went wrong, in the API's own words, or in the page's if the API cannot be reached. */
import type { CombinedError } from "@urql/core";

import { duration } from "$lib/format";
import { t, translate, translateRefusal } from "$lib/messages.svelte";
import type { ProblemFragment } from "./generated/operations";

/** What a proxy answers while the server is down. */
const PROXY_STATUSES = new Set([502, 503, 504]);
/** Codes of errors that pass by themselves. */
const TEMPORARY_CODES = new Set<unknown>(["RATE_LIMITED", "UNAVAILABLE"]);
const RETRY_MS = 5_000; // unless a response says when to try again
/** The status of who has asked too often, whether the server says so or a proxy before it. */
const TOO_MANY = 429;
export const RETRY_AFTER = "Retry-After";
const LONGEST_WAIT_MS = 3_600_000; // what a proxy says beyond this is most likely a mistake
/** Kinds of errors that have no result to be a member of, by their codes. */
const KINDS: Record<string, ProblemKind | undefined> = { NOT_FOUND: "NotFoundError", FORBIDDEN: "ForbiddenError" };
/** How Chromium, Firefox and Safari say that a request, or a part of the page, got no answer. */
const NO_ANSWER = /Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/;
/** Kinds of errors that the same request would meet again. */
const PERMANENT_KINDS = new Set<ProblemKind>(["ValidationError", "ForbiddenError", "NotFoundError", "TooLarge", "FileChanged"]);

export type ProblemKind = "unreachable" | "unauthenticated" | "TooLarge" | "TooSlow" | "FileChanged" | ProblemFragment["__typename"] | "other";

export interface Issue {
  path: string[];
  code: string;
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

  /** Whether the server has refused the request, and would refuse the same one again. Room can be made, and then there is some. */
  get isPermanent(): boolean {
    return PERMANENT_KINDS.has(this.kind) && !this.issues.some(({ code }) => code === "STORAGE_FULL");
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
  const issues = "issues" in problem ? problem.issues.map(translateIssue) : [];
  const said = issues.map(({ message }) => message).join(" ");
  const message = said || say(`error.${problem.__typename}`, problem.message, { wait: duration(retryAfterMs ?? 0) });
  return new Problem(message, problem.__typename, issues, retryAfterMs);
}

function translateIssue({ path, code, message }: Issue): Issue {
  return { path, code, message: say(`issue.${code}`, message) };
}

/** What the server says in the page's language; or else what it says of its kind, with its own words if that is not enough. */
function say(kind: string, message: string, values?: Record<string, string>): string {
  return translateRefusal(message) ?? translate(kind, message, { ...values, detail: message });
}

/** An error that takes the place of a result. */
export interface ApiError {
  message: string;
  extensions?: Record<string, unknown> | undefined;
}

/** `status` is that of the HTTP response, if it came in one. */
export function fromError({ message, extensions }: ApiError, status?: number): Problem {
  const unauthenticated = status === 401 || extensions?.["code"] === "UNAUTHENTICATED";
  if (unauthenticated) return new Problem(say("error.UNAUTHENTICATED", message), "unauthenticated");
  const [code, wait] = [extensions?.["code"], extensions?.["retryAfterMs"]];
  const retryAfterMs = TEMPORARY_CODES.has(code) ? (typeof wait === "number" ? wait : RETRY_MS) : null;
  return new Problem(say(`error.${retryAfterMs === null ? "OTHER" : String(code)}`, message), KINDS[String(code)] ?? "other", [], retryAfterMs);
}

export function fromCombined(error: CombinedError): Problem {
  const [first] = error.graphQLErrors;
  const response = error.response as Response | undefined;
  if (first) return fromError(first, response?.status);
  if (response === undefined) return unreachable();
  if (response.status === 401) return new Problem(translate("error.UNAUTHENTICATED", error.message), "unauthenticated");
  return fromStatus(response.status, response.headers.get(RETRY_AFTER));
}

/** A response that does not contain an answer of the API: a proxy's, or one that was cut off. */
export function fromStatus(status: number, retryAfter: string | null = null): Problem {
  if (isServerDown(status) || isSuccess(status)) return unreachable();
  if (status === TOO_MANY) return new Problem(t("problem.tooMany"), "other", [], waitOf(retryAfter) ?? RETRY_MS);
  return new Problem(t("problem.status", { status }));
}

/** The milliseconds that a `Retry-After` header says, as seconds or a date; null if it says neither. */
function waitOf(retryAfter: string | null): number | null {
  if (!retryAfter) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 1_000), LONGEST_WAIT_MS);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
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
  return new Problem(t("problem.detail", { detail: error instanceof Error ? error.message : String(error) }));
}
