/** Queries and mutations over HTTP, with a normalized cache. */
import { Client, fetchExchange, type OperationResult, type RequestPolicy } from "@urql/core";
import { pipe, subscribe } from "wonka";

import { t } from "$lib/messages.svelte";
import { cache } from "./cache";
import type { ProblemFragment, TypedDocumentString } from "./generated/operations";
import { fromCombined, fromFragment, isServerDown, Problem, type ProblemKind } from "./problem";
import { readToken } from "./token";

export const ENDPOINT = "/graphql";

type Variables = Record<string, unknown>;
type Failure = Extract<ProblemFragment, { __typename: string }>["__typename"];
/** A mutation's result without the errors it can be. */
export type Payload<T> = T extends { __typename: infer Name } ? (Name extends Failure ? never : T) : T;

let client = createClient();
const refusals = new Set<(problem: Problem) => void>();
const outdated = new Set<() => void>();
/** Kinds of errors that say that what is shown is there no more, or that less may be done with it. */
const OUTDATED_KINDS = new Set<ProblemKind>(["NotFoundError", "ForbiddenError"]);
/** What resumes the requests that wait until the same user has signed in again, and how often somebody has. */
let heldRequests: (() => void)[] = [];
let signIns = 0;

function createClient(headersOf = headers): Client {
  return new Client({
    url: ENDPOINT,
    preferGetMethod: false,
    exchanges: [cache(), fetchExchange],
    fetchOptions: () => ({ headers: headersOf() }),
  });
}

/** A client for a token that may not be accepted, or for nobody: the token in use stays, whatever comes of it. */
export function clientOf(token: string | null): Client {
  return createClient(() => headers(token));
}

/** The headers of every request. */
export function headers(token = readToken()): Record<string, string> {
  return {
    // No page of another origin can send this without asking first, which the server refuses.
    "GraphQL-Require-Preflight": "1",
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
}

/** Whether the server answers at all. */
export async function isServerThere(): Promise<boolean> {
  try {
    const body = JSON.stringify({ query: "{ __typename }" });
    const { status } = await fetch(ENDPOINT, { method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body });
    return !isServerDown(status);
  } catch {
    return false;
  }
}

/** Forget everything that was read, and the requests that wait: somebody else is signed in. */
export function resetClient(): void {
  client = createClient();
  heldRequests = [];
}

/** Send the refused requests again: the same user has signed in again. */
export function resumeRequests(): void {
  signIns += 1;
  for (const resume of heldRequests.splice(0)) resume();
}

/** Call `listener` whenever the server does not accept the credential. */
export function onRefusal(listener: (problem: Problem) => void): () => void {
  refusals.add(listener);
  return () => refusals.delete(listener);
}

/** Call `listener` whenever something turns out to be gone, or not allowed any more: whoever shows it reads it again. */
export function onOutdated(listener: () => void): () => void {
  outdated.add(listener);
  return () => outdated.delete(listener);
}

/** If an error says that something is gone, or no longer this user's to see or to change, what is shown may be outdated. */
export function reportIfOutdated({ kind }: Problem): void {
  if (OUTDATED_KINDS.has(kind)) reportOutdated();
}

/** What is shown may be outdated. */
export function reportOutdated(): void {
  for (const listener of outdated) listener();
}

/** The server does not accept the present credential. */
export function reportRefusal(problem: Problem): void {
  for (const listener of refusals) listener(problem);
}

/**
 * Call it when something is sent. If it is refused because the sign-in has ended, call the result, which says so, and
 * waits until it may be sent again.
 */
export function noteCredential(): (refusal: Problem) => Promise<void> {
  const [clientBefore, tokenBefore, signInsBefore] = [client, readToken(), signIns];
  return (refusal) => {
    const stillIsClient = clientBefore === client;
    // That an earlier credential is not accepted says nothing about the present one.
    if (stillIsClient && tokenBefore === readToken()) reportRefusal(refusal);
    if (stillIsClient && signInsBefore !== signIns) return Promise.resolve();
    return new Promise((resume) => stillIsClient && heldRequests.push(resume)); // somebody else sends none of it
  };
}

/** Run a query once. Throws a Problem. */
export async function query<R, V extends Variables>(
  document: TypedDocumentString<R, V>,
  variables: V,
  requestPolicy: RequestPolicy = "cache-first",
  sender = client,
): Promise<R> {
  return send(sender, () => sender.query<R, V>(document.toString(), variables, { requestPolicy }).toPromise());
}

/** Run a query, and again whenever the cache learns something new about its result. Returns what ends it. */
export function watch<R, V extends Variables>(
  document: TypedDocumentString<R, V>,
  variables: V,
  listener: (data: R | null, problem: Problem | null, stale: boolean) => void,
  requestPolicy: RequestPolicy = "cache-and-network",
): () => void {
  const sender = client;
  let stop: (() => void) | null = null;
  const start = (): void => {
    const whenRefused = noteCredential();
    const { unsubscribe } = pipe(
      sender.query<R, V>(document.toString(), variables, { requestPolicy }),
      subscribe((result) => {
        const problem = result.error ? fromCombined(result.error) : null;
        if (problem?.kind !== "unauthenticated") listener(result.data ?? null, problem, result.stale);
        else void whenRefused(problem).then(() => stop && (stop(), start()));
      }),
    );
    stop = unsubscribe;
  };
  start();
  return () => {
    stop?.();
    stop = null;
  };
}

/** Run a mutation. Returns the payload of its only field; throws a Problem for the errors it can be instead. */
export async function mutate<R, V extends Variables>(
  document: TypedDocumentString<R, V>,
  variables: V,
  sender = client,
): Promise<Payload<R[keyof R]>> {
  const data = await send(sender, () => sender.mutation<R, V>(document.toString(), variables).toPromise());
  const [field] = Object.entries(data as Record<string, unknown>).flatMap(([name, value]) => (name === "__typename" ? [] : [value]));
  if (isFailure(field)) {
    const problem = fromFragment(field);
    reportIfOutdated(problem);
    throw problem;
  }
  return field as Payload<R[keyof R]>;
}

function isFailure(value: unknown): value is ProblemFragment {
  return typeof value === "object" && value !== null && String((value as { __typename?: string }).__typename).endsWith("Error");
}

/** The data of a result. What is refused because the sign-in has ended was not done: it is sent again after the next. */
async function send<R, V extends Variables>(sender: Client, request: () => Promise<OperationResult<R, V>>): Promise<R> {
  const waits = sender === client; // another client tries a credential, and wants to know
  for (;;) {
    const whenRefused = noteCredential();
    const result = await request();
    const problem = result.error && fromCombined(result.error);
    if (problem?.kind === "unauthenticated" && waits) {
      await whenRefused(problem);
      continue;
    }
    if (problem) throw problem;
    if (result.data === undefined || result.data === null) throw new Problem(t("problem.empty"));
    return result.data;
  }
}
