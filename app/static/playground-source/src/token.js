// In: an access token in the address' fragment (#token=…), which browsers send to nobody. Out: the Authorization value
// for every request.
const KEY = "footnote-playground:token";

/** Moves a token from the address bar and the history into this tab's sessionStorage; an empty one forgets it. */
export function takeToken() {
  // A plus sign in a token is meant as one, not as a space.
  const fields = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const token = fields.get("token");
  if (token === null) return;
  if (token) sessionStorage.setItem(KEY, token);
  else sessionStorage.removeItem(KEY);
  fields.delete("token");
  const rest = fields.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest && `#${rest}`));
}

/** "Bearer …", or null without a token. */
export function authorization() {
  const token = sessionStorage.getItem(KEY);
  return token && `Bearer ${token}`;
}
