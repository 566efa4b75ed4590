// In: one operation and its headers. Out: the status and the result that the server answers by POST; never an exception.
export const ENDPOINT = "/graphql";

/** Headers of every request; without a credential. */
export function plainHeaders() {
  return new Headers({
    Accept: "application/graphql-response+json, application/json;q=0.9",
    "Content-Type": "application/json",
    // No page of another origin can send this without asking first, which the server refuses.
    "GraphQL-Require-Preflight": "1",
  });
}

export async function post(request, headers) {
  let response;
  let text;
  try {
    response = await fetch(ENDPOINT, { method: "POST", headers, body: JSON.stringify(request) });
    text = await response.text();
  } catch (error) {
    return { status: 0, result: failure(`The server cannot be reached: ${error.message}`) };
  }
  try {
    return { status: response.status, result: JSON.parse(text) };
  } catch {
    const { status, statusText } = response;
    return { status, result: failure(`The server answered ${status} ${statusText}: ${text}`) };
  }
}

function failure(message) {
  return { errors: [{ message }] };
}
