/** The API as the views use it. Everything in `generated` comes from the operations and `schema.graphql`. */
export * from "./generated/operations";
export { mutate, query, watch, headers, isServerThere, ENDPOINT, type Payload } from "./client";
export { asProblem, Problem } from "./problem";
export { follow } from "./stream";
export { Watched } from "./watched.svelte";
