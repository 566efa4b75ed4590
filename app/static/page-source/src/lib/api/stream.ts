/** Subscriptions over one WebSocket, which is open while there are any, and is opened again when it breaks. */
import { createClient, type Client } from "graphql-ws";

import { ENDPOINT, noteCredential, reportIfOutdated, reportOutdated } from "./client";
import type { TypedDocumentString } from "./generated/operations";
import { asProblem, fromError, Problem } from "./problem";
import { authorization } from "./token";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 10_000;
/** A connection may be lost silently while the machine sleeps or changes its network, so it is pinged and must reply in time. */
const PING_MS = 12_000;
const PONG_MS = 5_000;
/** The close code of a connection that was no longer needed. */
const CLOSED_BY_US = 1000;
/** Close codes after which a retry is useless: a bad request, or a rejected credential. */
const FINAL_CODES = new Set([4400, 4401, 4403]);

let client = connect();

function connect(): Client {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;
  const connected = createClient({
    url: new URL(ENDPOINT, location.href.replace(/^http/, "ws")).href,
    connectionParams: () => {
      const credential = authorization();
      return credential ? { authorization: credential } : {};
    },
    retryAttempts: 0, // `follow` retries itself, because it resumes from a later position
    lazyCloseTimeout: 5_000,
    keepAlive: PING_MS,
    on: {
      ping: (received) => {
        if (!received) waiting = setTimeout(() => connected.terminate(), PONG_MS);
      },
      pong: (received) => received && clearTimeout(waiting),
      connected: () => {
        if (wasLost) reportOutdated(); // changes in the meantime were not reported
        wasLost = false;
      },
      closed: (event) => {
        clearTimeout(waiting);
        wasLost ||= (event as CloseEvent).code !== CLOSED_BY_US;
      },
    },
  });
  return connected;
}

/** Close the socket: the credential has changed. */
export function resetStreams(): void {
  void client.dispose();
  client = connect();
}

export interface Follower<R> {
  /** Called for each result. */
  next(data: R): void;
  /** Called when the server has completed the stream. */
  done(): void;
  /** Called when the stream cannot continue. */
  failed(problem: Problem): void;
  /** Called with whether there is a connection: false while it is being restored. */
  connected?(connected: boolean): void;
}

/**
 * Follow a subscription until it ends, over as many connections as it takes. `variables` is called for each, so
 * that a stream resumes after the last event that `next` has received. Returns a function that stops it.
 */
export function follow<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: () => V,
  follower: Follower<R>,
): () => void {
  const stop = new AbortController();
  void run(document, variables, follower, stop.signal);
  return () => stop.abort();
}

async function run<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: () => V,
  follower: Follower<R>,
  stopped: AbortSignal,
): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (!stopped.aborted) {
    const whenRefused = noteCredential();
    const ended = await once(document, variables(), stopped, (data) => {
      wait = FIRST_WAIT_MS;
      follower.connected?.(true);
      follower.next(data);
    });
    if (stopped.aborted) return;
    if (ended === "done") return follower.done();
    if (ended instanceof Problem && ended.kind === "unauthenticated") {
      follower.connected?.(false);
      await whenRefused(ended);
      continue;
    }
    if (ended instanceof Problem && ended.retryAfterMs === null) {
      reportIfOutdated(ended);
      return follower.failed(ended);
    }
    if (ended instanceof Problem) wait = Math.max(wait, ended.retryAfterMs!);
    follower.connected?.(false);
    await pause(wait, stopped);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** Follow over one connection. Returns "done", "broken", or a problem that another connection would have, too. */
function once<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V,
  stopped: AbortSignal,
  next: (data: R) => void,
): Promise<"done" | "broken" | Problem> {
  const connection = client;
  return new Promise((resolve) => {
    const unsubscribe = connection.subscribe<R>(
      { query: document.toString(), variables },
      {
        next: ({ data, errors }) => {
          const [error] = errors ?? [];
          if (error) resolve(fromError(error));
          else if (data) next(data);
        },
        error: (error) => resolve(reasonOf(error)),
        complete: () => resolve(connection === client ? "done" : "broken"), // a client that is replaced completes all of its streams
      },
    );
    stopped.addEventListener("abort", () => {
      unsubscribe();
      resolve("done");
    });
  });
}

function reasonOf(error: unknown): "broken" | Problem {
  if (Array.isArray(error)) return fromError(error[0]);
  if (error instanceof CloseEvent) return FINAL_CODES.has(error.code) ? fromError({ message: error.reason, extensions: { code: "UNAUTHENTICATED" } }) : "broken";
  return error instanceof Event || error instanceof Error ? "broken" : asProblem(error);
}

/** Wait, at most until the network is back or the tab is visible again. */
function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      over.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end, { signal: over.signal });
    document.addEventListener("visibilitychange", () => document.hidden || end(), { signal: over.signal });
    stopped.addEventListener("abort", end, { signal: over.signal });
  });
}
