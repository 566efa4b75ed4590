// In: one operation as GraphiQL hands it over. Out: its result over HTTP, or its results over graphql-transport-ws.
import { Kind, parse } from "graphql";
import { createClient } from "graphql-ws";

import { ask, refused } from "./account.js";
import { ENDPOINT, plainHeaders, post } from "./http.js";
import { learnIds } from "./ids.js";
import { authorization } from "./token.js";

const FORBIDDEN = 4403;

/** What GraphiQL calls to run an operation. `headers` are those of its Headers editor; they win over the token. */
export function fetcher(given, { headers } = {}) {
  const { request, subscribes } = chosen(given);
  const all = withDefaults(headers);
  return subscribes ? subscribe(request, all) : send(request, all);
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

function withDefaults(given = {}) {
  const headers = plainHeaders();
  const token = authorization();
  if (token) headers.set("Authorization", token);
  for (const [name, value] of Object.entries(given)) headers.set(name, value);
  return headers;
}

async function send(request, headers) {
  const { status, result } = await post(request, headers);
  if (status === 401) refused(headers.get("Authorization"), result.errors?.[0]?.message ?? "");
  learnIds(result.data);
  return result;
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
        next: (result) => {
          if (unauthenticated(result.errors)) ask(token);
          observer.next(result);
        },
        error: (error) => {
          if (unauthenticated(error) || error.code === FORBIDDEN) ask(token);
          observer.error(readable(error));
        },
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

/** Whether a stream has ended because its credential did. */
function unauthenticated(errors) {
  return Array.isArray(errors) && errors.some(({ extensions }) => extensions?.code === "UNAUTHENTICATED");
}
