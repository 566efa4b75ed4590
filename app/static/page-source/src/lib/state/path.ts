/** The messages that a chat shows, oldest first: one of the alternatives at each place, which is after another message. */
import type { MessageItemFragment } from "$lib/api";

export type Message = MessageItemFragment;
/** `previous` of a first question. */
const START = "start";
const RUNNING = new Set<Message["status"]>(["PENDING", "STREAMING"]);

export function isRunning(message: Message): boolean {
  return RUNNING.has(message.status);
}

/** All alternatives are at the same place. */
export function placeOf(message: Message): string {
  return message.previous?.id ?? START;
}

/** Show a message: where it is already, or at its place, where nothing that followed another alternative stays. */
export function putMessage(path: readonly Message[], message: Message): Message[] {
  const at = path.findIndex(({ id }) => id === message.id);
  if (at >= 0) return path.with(at, message);
  return [...before(path, message), message];
}

/** Show messages of one branch: what is known before the first of them stays. */
export function joinPath(path: readonly Message[], read: readonly Message[]): Message[] {
  const [first] = read;
  return first ? [...before(path, first), ...read] : [];
}

/** Whether the place of the message is in this part of the path, or follows it. */
export function hasPlace(path: readonly Message[], message: Message): boolean {
  return path.some((shown) => placeOf(shown) === placeOf(message)) || path.at(-1)?.id === message.previous?.id;
}

/** Whether another alternative is now shown in the place of one that was shown. */
export function isReplaced(path: readonly Message[], now: readonly Message[]): boolean {
  const shown = new Map(now.map((message) => [placeOf(message), message.id]));
  return path.some((message) => (shown.get(placeOf(message)) ?? message.id) !== message.id);
}

function before(path: readonly Message[], message: Message): readonly Message[] {
  const at = path.findIndex((shown) => placeOf(shown) === placeOf(message));
  return at < 0 ? path : path.slice(0, at);
}
