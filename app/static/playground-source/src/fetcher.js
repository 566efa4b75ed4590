// In: one operation as GraphiQL hands it over. Out: its result over HTTP, or its results over graphql-transport-ws.
import { Kind, parse } from "graphql";
import { createClient } from "graphql-ws";

import { learnIds } from "./ids.js";
import { authorization } from "./token.js";

const ENDPOINT = "/graphql";

/** What GraphiQL calls to run an operation. `headers` are those of its Headers editor; they win over the token. */
export function fetcher(given, { headers } = {}) {
  const { request, subscribes } = chosen(given);
  const all = withDefaults(headers);
  return subscribes ? subscribe(request, all) : post(request, all);
}

/**
 * The request, and whether it subscribes. GraphiQL learns a moment after the tab was opened which operation is in it:
 * whoever is quicker would ask for the last tab's by name. Where there is only one, there is nothing to choose.
 */
function chosen(request) {
  const operations = operationsOf(request.query);
  const only = operations.length === 1 ? operations[0] : undefined;
  const meant = only ?? operations.find(({ name }) => name?.value === request.operationName);
  return {
    request: only ? { ...request, operationName: only.name?.value } : request,
    subscribes: meant?.operation === "subscription",
  };
}

function operationsOf(query) {
  try {
    return parse(query).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  } catch {
    return []; // what is wrong with it is the server's to say
  }
}

function withDefaults(headers = {}) {
  const all = new Headers({
    Accept: "application/graphql-response+json, application/json;q=0.9",
    "Content-Type": "application/json",
    // No page of another origin can send this without asking first, which the server refuses.
    "GraphQL-Require-Preflight": "1",
  });
  const token = authorization();
  if (token) all.set("Authorization", token);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return all;
}

async function post(request, headers) {
  let response;
  try {
    response = await fetch(ENDPOINT, { method: "POST", headers, body: JSON.stringify(request) });
  } catch (error) {
    return failure(`The server cannot be reached: ${error.message}`);
  }
  const text = await response.text();
  try {
    const result = JSON.parse(text);
    learnIds(result.data);
    return result;
  } catch {
    return failure(`The server answered ${response.status} ${response.statusText}: ${text}`);
  }
}

/** An observable, so that Stop ends it at once. One socket per subscription, because each may carry other credentials. */
function subscribe(request, headers) {
  const token = headers.get("Authorization");
  return {
    subscribe(observer) {
      const client = createClient({
        url: new URL(ENDPOINT, location.href.replace(/^http/, "ws")).href,
        connectionParams: token ? { authorization: token } : undefined,
        retryAttempts: 0,
      });
      const unsubscribe = client.subscribe(request, {
        next: (result) => observer.next(result),
        error: (error) => observer.error(readable(error)),
        complete: () => observer.complete(),
      });
      return { unsubscribe };
    },
  };
}

/** GraphiQL prints an error's stack, and nothing of a CloseEvent; neither tells the reader what happened. */
function readable(error) {
  if (Array.isArray(error)) return error;
  if (error instanceof CloseEvent) {
    return { message: `The server closed the connection: ${error.code} ${error.reason}`.trim() };
  }
  return { message: error instanceof Error ? error.message : "The connection could not be opened." };
}

function failure(message) {
  return { errors: [{ message }] };
}
