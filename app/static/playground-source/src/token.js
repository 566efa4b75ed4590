// In: the address' fragment (#token=…, #setup=…), which browsers send to nobody, and tokens that the server gave. Out: the
// Authorization value for every request. All of it lives and ends with this tab.
const TOKEN = "footnote-playground:token";
const EMAIL = "footnote-playground:email";

/** Takes a token out of the address bar and the history and keeps it, or none; the link's token, to be redeemed. */
export function takeFromAddress() {
  // A plus sign in a token is meant as one, not as a space.
  const fields = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const token = fields.get("token");
  const setup = fields.get("setup");
  if (token === null && setup === null) return { changed: false, setup };
  fields.delete("token");
  fields.delete("setup");
  const rest = fields.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest && `#${rest}`));
  if (token) keepToken(token);
  else if (token === "") forgetToken();
  return { changed: token !== null, setup };
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
