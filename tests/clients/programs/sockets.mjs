// Out: a graphql-ws client that never reconnects by itself, and the way to break its connection off.
import { createClient } from "graphql-ws";
import WebSocket from "ws";

import { ws } from "./scenario.mjs";

/** A client of one socket. `client.terminate()` drops it without a goodbye. */
export function socket() {
  return createClient({ url: ws, webSocketImpl: WebSocket, retryAttempts: 0 });
}
