// graphql-sse in its mode of distinct connections: every operation is a request answered by events.
import { createClient } from "graphql-sse";

import { http, play } from "./scenario.mjs";

const client = createClient({ url: http, singleConnection: false, retryAttempts: 0 });

play({
  request: (query, variables) =>
    new Promise((resolve, reject) => {
      let found;
      client.subscribe({ query, variables }, {
        next: (result) => (found = result),
        error: (error) => (Array.isArray(error) ? resolve({ errors: error }) : reject(error)),
        complete: () => resolve(found),
      });
    }),
  subscribe: (query, variables, sink) => client.subscribe({ query, variables }, sink),
});
