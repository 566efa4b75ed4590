// Tokens out of the address' fragment (#token=…, #setup=…), which browsers send to nobody, and those that the server gave:
// the Authorization value for every request. All of it lives and ends with this tab.
const TOKEN = "footnote-playground:token";
const EMAIL = "footnote-playground:email";

/** Takes what a link gives out of the address bar and the history: a token (none, if empty), or one to be redeemed. */
export function takeFromAddress() {
  // A plus sign in a token is meant as one, not as a space.
  const fields = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const token = fields.get("token");
  const setup = fields.get("setup");
  if (token === null && setup === null) return null;
  fields.delete("token");
  fields.delete("setup");
  const rest = fields.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest && `#${rest}`));
  return { token, setup };
}

/** Sends this token with everything from now on; `email` is whose it is, if that is known. */
export function keepToken(token, email = "") {
  sessionStorage.setItem(TOKEN, token);
  sessionStorage.setItem(EMAIL, email);
}

export function forgetToken() {
  sessionStorage.removeItem(TOKEN);
  sessionStorage.removeItem(EMAIL);
}

/** Whose token it is: an address, "" if that is not known, null without a token. */
export function tokenOf() {
  return authorization() && sessionStorage.getItem(EMAIL);
}

/** "Bearer …", or null without a token. */
export function authorization() {
  const token = sessionStorage.getItem(TOKEN);
  return token && `Bearer ${token}`;
}
