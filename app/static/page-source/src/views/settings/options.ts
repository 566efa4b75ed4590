/** Answer options as the form edits them. */
import type { AnswerDefaultsInput, ProjectOptionsFragment } from "$lib/api";

export type Options = Omit<ProjectOptionsFragment, "__typename">;

/** The changed options. Only these are sent, so that defaults remain defaults. */
export function changesOf(before: Options, now: Options): AnswerDefaultsInput {
  const changed = (Object.keys(now) as (keyof Options)[]).filter((key) => !isSame(now[key], before[key]));
  return Object.fromEntries(changed.map((key) => [key, now[key]]));
}

/** Whether two values look the same in the form, where null is shown as an empty field. */
export function isSame(one: unknown, other: unknown): boolean {
  return (one ?? "") === (other ?? "");
}

const NAMES = [
  "model", "systemPrompt", "enableRag", "ragTopK", "ragThreshold", "includeCitations", "grounding", "contextTokenRatio",
  "maxTokens", "temperature", "reformulate", "promptProfile",
] as const satisfies (keyof Options)[];

/** The options alone, of a project's defaults or of a chat. */
export function optionsOf(source: Options): Options {
  return Object.fromEntries(NAMES.map((name) => [name, source[name] ?? null])) as unknown as Options;
}

/** All of them null: back to the defaults. */
export const NO_OPTIONS = Object.fromEntries(NAMES.map((name) => [name, null])) as Record<(typeof NAMES)[number], null>;
