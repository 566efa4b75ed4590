/** The path of messages that a chat shows, oldest first: one alternative for each place, which is after a previous message. */
import type { MessageItemFragment } from "$lib/api";

export type Message = MessageItemFragment;
/** The place of first questions, which have no previous message. */
const START = "start";
const RUNNING = new Set<Message["status"]>(["PENDING", "STREAMING"]);

export function isRunning(message: Message): boolean {
  return RUNNING.has(message.status);
}

/** The place of a message, which it shares with its alternatives. */
export function placeOf(message: Message): string {
  return message.previous?.id ?? START;
}

/** Put a message into the path: update it, or add it at its place and drop what followed another alternative there. */
export function putMessage(path: readonly Message[], message: Message): Message[] {
  const at = path.findIndex(({ id }) => id === message.id);
  if (at >= 0) return path.with(at, message);
  return [...before(path, message), message];
}

/** Join a path with newer messages of a branch: what comes before the first of them is kept. */
export function joinPath(path: readonly Message[], read: readonly Message[]): Message[] {
  const [first] = read;
  return first ? [...before(path, first), ...read] : [];
}

/** Whether the message's place is in this part of the path, or directly after it. */
export function hasPlace(path: readonly Message[], message: Message): boolean {
  return path.some((shown) => placeOf(shown) === placeOf(message)) || path.at(-1)?.id === message.previous?.id;
}

/** Whether a message that was shown has been replaced by an alternative. */
export function isReplaced(path: readonly Message[], now: readonly Message[]): boolean {
  const shown = new Map(now.map((message) => [placeOf(message), message.id]));
  return path.some((message) => (shown.get(placeOf(message)) ?? message.id) !== message.id);
}

function before(path: readonly Message[], message: Message): readonly Message[] {
  const at = path.findIndex((shown) => placeOf(shown) === placeOf(message));
  return at < 0 ? path : path.slice(0, at);
}
