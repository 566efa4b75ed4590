// In: an access token in the address (#token=… or ?token=…). Out: the Authorization value for every request.
const KEY = "footnote-playground:token";

/** Moves a token from the address bar into this tab's sessionStorage; an empty one forgets it. */
export function takeToken() {
  const address = new URL(location.href);
  for (const part of ["hash", "search"]) {
    // A plus sign in a token is meant as one, not as a space.
    const fields = new URLSearchParams(address[part].slice(1).replaceAll("+", "%2B"));
    const token = fields.get("token");
    if (token === null) continue;
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
    fields.delete("token");
    address[part] = fields.toString();
  }
  if (address.href !== location.href) history.replaceState(null, "", address);
}

/** "Bearer …", or null without a token. */
export function authorization() {
  const token = sessionStorage.getItem(KEY);
  return token && `Bearer ${token}`;
}
