// urql: requests by fetch; subscriptions over a socket, or (`events`) by fetch as server-sent events.
import { Client, fetchExchange, subscriptionExchange } from "@urql/core";

import { errorsOf, given, http, play } from "./scenario.mjs";
import { socket } from "./sockets.mjs";

// Where a response is given up while it is read, urql lets the rejection of that reading go.
process.on("unhandledRejection", (error) => {
  if (error.name !== "AbortError") throw error;
});

const client = connected();

/** A client, and the socket behind it. */
function connected() {
  const sockets = given.over === "sockets" ? socket() : undefined;
  const forward = ({ query, variables }) => ({
    subscribe: (sink) => ({ unsubscribe: sockets.subscribe({ query, variables }, sink) }),
  });
  const over = sockets
    ? [fetchExchange, subscriptionExchange({ forwardSubscription: forward })]
    : [fetchExchange];
  const made = new Client({
    url: http,
    exchanges: over,
    fetchSubscriptions: !sockets,
    fetchOptions: { headers: { "GraphQL-Require-Preflight": "1" } },
  });
  return { made, terminate: () => sockets?.terminate() };
}

const plain = ({ data, error }) => ({ data, errors: error && errorsOf(error) });
const request = async (query, variables) => {
  const run = /^\s*mutation/.test(query) ? client.made.mutation(query, variables) : client.made.query(query, variables);
  return plain(await run.toPromise());
};

play({
  request,
  upload: request,
  subscribe: (query, variables, sink) => {
    const { made, terminate } = connected();
    const { unsubscribe } = made.subscription(query, variables).subscribe((result) => {
      if (result.error?.networkError) return sink.error(result.error.networkError);
      // The end is told by the last result once more, with `hasNext: false`.
      if (result.hasNext || result.error) sink.next(plain(result));
      if (!result.hasNext) sink.complete();
    });
    return () => {
      unsubscribe();
      terminate();
    };
  },
});
