/** What a tab remembers of a comparison in a chat, until the chat shows what was chosen. */
import type { AnswerDefaultsInput } from "$lib/api";
import { ofTab } from "$lib/storage";
import type { Message } from "./path";

export interface KeptComparison<C> {
  firstId: string;
  /** Null until the server has replied. */
  secondId: string | null;
  change: C;
  options: AnswerDefaultsInput;
  /** Asked again with it, the second answer is asked for only once. */
  key: string;
  /** Whether nobody looks at it any more: then the chat has yet to show the first answer, whose place the second takes. */
  closed: boolean;
}

export function readComparison<C>(chatId: string): KeptComparison<C> | null {
  return ofTab.readJson<KeptComparison<C>>(placeOf(chatId)) ?? null;
}

export function keepComparison<C>(chatId: string, kept: KeptComparison<C> | null): void {
  ofTab.write(placeOf(chatId), kept && JSON.stringify(kept));
}

/** Whether it is the second answer of the comparison in its chat: the chat goes on showing the first. */
export function isCompared(chatId: string, answer: Message): boolean {
  const kept = readComparison(chatId);
  if (kept === null) return false;
  if (kept.secondId !== null) return kept.secondId === answer.id;
  return !kept.closed && answer.alternatives.some(({ id }) => id === kept.firstId);
}

function placeOf(chatId: string): string {
  return `comparison:${chatId}`;
}
