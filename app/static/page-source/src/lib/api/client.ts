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
/** A mutation's payload without its error types. */
export type Payload<T> = T extends { __typename: infer Name } ? (Name extends Failure ? never : T) : T;

let client = createClient();
const refusals = new Set<(problem: Problem) => void>();
const outdated = new Set<() => void>();
/** Kinds of errors that show that something on the page is gone, or that the user has lost rights to it. */
const OUTDATED_KINDS = new Set<ProblemKind>(["NotFoundError", "ForbiddenError"]);
/** Functions that resume the requests waiting until the same user has signed in again, and the number of such sign-ins. */
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

/** A client for a token that is being tried, or without one. Its failures do not affect the token in use. */
export function clientOf(token: string | null): Client {
  return createClient(() => headers(token));
}

/** The headers of every request. */
export function headers(token = readToken()): Record<string, string> {
  return {
    // Pages of other origins cannot send this header without a preflight request, which the server refuses.
    "GraphQL-Require-Preflight": "1",
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
}

/** Whether the server responds at all. */
export async function isServerThere(): Promise<boolean> {
  try {
    const body = JSON.stringify({ query: "{ __typename }" });
    const { status } = await fetch(ENDPOINT, { method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body });
    return !isServerDown(status);
  } catch {
    return false;
  }
}

/** Drop the cache and all waiting requests, because somebody else has signed in. */
export function resetClient(): void {
  client = createClient();
  heldRequests = [];
}

/** Send the refused requests again, because the same user has signed in again. */
export function resumeRequests(): void {
  signIns += 1;
  for (const resume of heldRequests.splice(0)) resume();
}

/** Call `listener` whenever the server does not accept the credential. */
export function onRefusal(listener: (problem: Problem) => void): () => void {
  refusals.add(listener);
  return () => refusals.delete(listener);
}

/** Call `listener`, which reloads what a view shows, whenever something turns out to be gone or no longer allowed. */
export function onOutdated(listener: () => void): () => void {
  outdated.add(listener);
  return () => outdated.delete(listener);
}

/** Call the `onOutdated` listeners if an error shows that something is gone, or that the user has lost rights to it. */
export function reportIfOutdated({ kind }: Problem): void {
  if (OUTDATED_KINDS.has(kind)) reportOutdated();
}

/** Call the `onOutdated` listeners. */
export function reportOutdated(): void {
  for (const listener of outdated) listener();
}

/** Call the `onRefusal` listeners. */
export function reportRefusal(problem: Problem): void {
  for (const listener of refusals) listener(problem);
}

/**
 * Call it before sending a request. If the request is refused because the sign-in has ended, call the result: it reports
 * that, and waits until the request may be sent again.
 */
export function noteCredential(): (refusal: Problem) => Promise<void> {
  const [clientBefore, tokenBefore, signInsBefore] = [client, readToken(), signIns];
  return (refusal) => {
    const stillIsClient = clientBefore === client;
    // The refusal of an earlier credential says nothing about the current one.
    if (stillIsClient && tokenBefore === readToken()) reportRefusal(refusal);
    if (stillIsClient && signInsBefore !== signIns) return Promise.resolve();
    return new Promise((resume) => stillIsClient && heldRequests.push(resume)); // never resumed if somebody else has signed in
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

/** Run a query, and call `listener` again whenever the cache changes its result. Returns a function that stops it. */
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

/** Run a mutation. Returns the payload of its only field; throws a Problem for its error types. */
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

/** Send a request and return its data. One that is refused because the sign-in has ended is sent again after the next. */
async function send<R, V extends Variables>(sender: Client, request: () => Promise<OperationResult<R, V>>): Promise<R> {
  const waits = sender === client; // other clients try a credential, and need the refusal
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
