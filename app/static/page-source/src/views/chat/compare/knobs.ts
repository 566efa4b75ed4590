/** The options that can be changed, one at a time, to compare answers. */
import { t, texts, type MessageKey } from "$lib/messages.svelte";
import type { Options } from "$views/settings/options";

export const KNOBS = [
  "ragTopK", "ragThreshold", "enableRag", "grounding", "reformulate", "contextTokenRatio", "includeCitations", "model",
  "temperature", "promptProfile",
] as const satisfies (keyof Options)[];
export type Knob = (typeof KNOBS)[number];

/** Which option was changed, and how. */
export interface Change {
  knob: Knob;
  before: Options;
  after: Options;
}

/** Options without effect while documents are off. */
const OF_DOCUMENTS = new Set<Knob>(["ragTopK", "ragThreshold", "grounding", "reformulate", "contextTokenRatio", "includeCitations"]);
const FRACTIONS = new Set<Knob>(["ragThreshold", "contextTokenRatio"]);

export function knobsOf(options: Options): Knob[] {
  return KNOBS.filter((knob) => options.enableRag || !OF_DOCUMENTS.has(knob));
}

/** The options with this one changed, if it has only one other value. */
export function turned(before: Options, knob: Knob): Options {
  const value = before[knob];
  if (typeof value === "boolean") return { ...before, [knob]: !value };
  if (knob === "grounding") return { ...before, grounding: before.grounding === "GROUNDED" ? "OPEN" : "GROUNDED" };
  return { ...before };
}

/** The option's value, as people read it: “Threshold: 20%”. */
export function describe(options: Options, knob: Knob): string {
  const name = t(`option.${knob}`);
  const value = options[knob];
  if (typeof value === "boolean") return `${name}: ${t(value ? "compare.on" : "compare.off")}`;
  if (typeof value === "number") return `${name}: ${(FRACTIONS.has(knob) ? texts.percent : texts.number).format(value)}`;
  if (knob === "model") return `${name}: ${value}`;
  return `${name}: ${t(`option.${knob}.${value}` as MessageKey)}`;
}
