/** The token in use, and tokens from links, where they are in the fragment, which browsers never send. */
import { shared } from "$lib/storage";

/** Its name in the storage that all tabs share. */
export const TOKEN = "footnote:token";
/** Stored in place of a token. */
export const SIGNED_OUT = "";

export interface Link {
  token: string | null;
  setup: string | null;
}

/** Takes the tokens of a link out of the address bar and the history; null if it has none. */
export function takeLinkFromAddress(): Link | null {
  // In a token, a plus sign does not stand for a space.
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

/** Stores the token for all tabs; null removes it. `SIGNED_OUT` tells other tabs that the user has signed out. */
export function writeToken(token: string | null): void {
  shared.write(TOKEN, token);
}

/** Whether the text can be a token: browsers refuse to send other characters in a header. */
export function isToken(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

export function authorization(): string | null {
  const token = readToken();
  return token && `Bearer ${token}`;
}
