/** Tokens: those that links carry in the address' fragment, which browsers send to nobody, and the one in use. */
import { shared } from "$lib/storage";

/** Its name in what all tabs share. */
export const TOKEN = "footnote:token";
/** In the place of a token. */
export const SIGNED_OUT = "";

export interface Link {
  token: string | null;
  setup: string | null;
}

/** Takes the tokens of a link out of the address bar and the history; null if it has none. */
export function takeLinkFromAddress(): Link | null {
  // A plus sign in a token is one, not a space.
  const fields = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const token = fields.get("token");
  const setup = fields.get("setup");
  if (token === null && setup === null) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return { token, setup };
}

export function readToken(): string | null {
  const token = shared.read(TOKEN);
  return token && isToken(token) ? token : null;
}

/** Keeps the token for all tabs, until `null` is written. `SIGNED_OUT` tells them that somebody has left. */
export function writeToken(token: string | null): void {
  shared.write(TOKEN, token);
}

/** Whether it can be a token at all: browsers send nothing else in a header. */
export function isToken(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

export function authorization(): string | null {
  const token = readToken();
  return token && `Bearer ${token}`;
}
