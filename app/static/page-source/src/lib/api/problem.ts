/** Errors in the API's words, or in the page's if the API cannot be reached. */
import type { CombinedError } from "@urql/core";

import { duration } from "$lib/format";
import { t, translate, translateRefusal } from "$lib/messages.svelte";
import type { ProblemFragment } from "./generated/operations";

/** The statuses with which proxies respond while the server is down. */
const PROXY_STATUSES = new Set([502, 503, 504]);
/** Codes of temporary errors. */
const TEMPORARY_CODES = new Set<unknown>(["RATE_LIMITED", "UNAVAILABLE"]);
const RETRY_MS = 5_000; // unless a response says when to try again
/** The status of too many requests, sent by the server or by a proxy in front of it. */
const TOO_MANY = 429;
export const RETRY_AFTER = "Retry-After";
const LONGEST_WAIT_MS = 3_600_000; // a proxy that asks for more is most likely misconfigured
/** The kinds of errors that come outside a result, by their codes. */
const KINDS: Record<string, ProblemKind | undefined> = { NOT_FOUND: "NotFoundError", FORBIDDEN: "ForbiddenError" };
/** The messages of Chromium, Firefox and Safari if a request or an `import()` got no response. */
const NO_ANSWER = /Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/;
/** Kinds of errors that the same request would cause again. */
const PERMANENT_KINDS = new Set<ProblemKind>(["ValidationError", "ForbiddenError", "NotFoundError", "TooLarge", "FileChanged"]);

export type ProblemKind = "unreachable" | "unauthenticated" | "TooLarge" | "TooSlow" | "FileChanged" | ProblemFragment["__typename"] | "other";

export interface Issue {
  path: string[];
  code: string;
  message: string;
}

/** An error of the API or the connection to it. `message` is written for users. */
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

  /** Whether the server would refuse the same request again. Not if storage is full, which users can change. */
  get isPermanent(): boolean {
    return PERMANENT_KINDS.has(this.kind) && !this.issues.some(({ code }) => code === "STORAGE_FULL");
  }

  /** Whether the same request may succeed a little later. */
  get isTemporary(): boolean {
    return this.kind === "unreachable" || this.kind === "unauthenticated" || this.retryAfterMs !== null;
  }

  /** The error message of one field of the input; null if there is none. */
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

/** The server's message in the page's language, or else the translation of its kind, which may quote the message. */
function say(kind: string, message: string, values?: Record<string, string>): string {
  return translateRefusal(message) ?? translate(kind, message, { ...values, detail: message });
}

/** An error that takes the place of a result. */
export interface ApiError {
  message: string;
  extensions?: Record<string, unknown> | undefined;
}

/** `status` is that of the HTTP response, if there was one. */
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

/** A response without a valid body of the API: from a proxy, or cut off. */
export function fromStatus(status: number, retryAfter: string | null = null): Problem {
  if (isServerDown(status) || isSuccess(status)) return unreachable();
  if (status === TOO_MANY) return new Problem(t("problem.tooMany"), "other", [], waitOf(retryAfter) ?? RETRY_MS);
  return new Problem(t("problem.status", { status }));
}

/** The milliseconds to wait from a `Retry-After` header, which holds seconds or a date; null if it is missing or invalid. */
function waitOf(retryAfter: string | null): number | null {
  if (!retryAfter) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 1_000), LONGEST_WAIT_MS);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The server did not respond. The browsers' own messages are for developers, and in English. */
export function unreachable(): Problem {
  return new Problem(t("unreachable.text"), "unreachable");
}

/** Whether a response with this status, without a body of the API, comes from a proxy whose server is down. */
export function isServerDown(status: number): boolean {
  return PROXY_STATUSES.has(status);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && NO_ANSWER.test(error.message)) return unreachable();
  return new Problem(t("problem.detail", { detail: error instanceof Error ? error.message : String(error) }));
}
