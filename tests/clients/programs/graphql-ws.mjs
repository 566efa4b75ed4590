// graphql-ws: everything over one socket; each broken connection is a socket of its own.
import { play } from "./scenario.mjs";
import { socket } from "./sockets.mjs";

const lasting = socket();

play({
  request: (query, variables) =>
    new Promise((resolve, reject) => {
      let found;
      lasting.subscribe({ query, variables }, {
        next: (result) => (found = result),
        error: (error) => (Array.isArray(error) ? resolve({ errors: error }) : reject(error)),
        complete: () => resolve(found),
      });
    }),
  subscribe: (query, variables, sink) => {
    const client = socket();
    client.subscribe({ query, variables }, sink);
    return () => client.terminate();
  },
});
