/** A comparison in a chat, stored by its tab until the chat shows the chosen answer. */
import type { AnswerDefaultsInput } from "$lib/api";
import { ofTab } from "$lib/storage";
import type { Message } from "./path";

export interface KeptComparison<C> {
  firstId: string;
  /** Null until the server has replied. */
  secondId: string | null;
  change: C;
  options: AnswerDefaultsInput;
  /** The idempotency key of the request for the second answer. */
  key: string;
  /** Whether its dialog was closed: then the chat must still return to the first answer, which the second replaces. */
  closed: boolean;
}

export function readComparison<C>(chatId: string): KeptComparison<C> | null {
  return ofTab.readJson<KeptComparison<C>>(placeOf(chatId)) ?? null;
}

export function keepComparison<C>(chatId: string, kept: KeptComparison<C> | null): void {
  ofTab.write(placeOf(chatId), kept && JSON.stringify(kept));
}

/** Whether this is the second answer of its chat's comparison: the chat keeps showing the first. */
export function isCompared(chatId: string, answer: Message): boolean {
  const kept = readComparison(chatId);
  if (kept === null) return false;
  if (kept.secondId !== null) return kept.secondId === answer.id;
  return !kept.closed && answer.alternatives.some(({ id }) => id === kept.firstId);
}

function placeOf(chatId: string): string {
  return `comparison:${chatId}`;
}
